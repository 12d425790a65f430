//! Which messages go to the model: the constant system message, earlier turns in compact form, the
//! newest turn. When room is short, whole earlier turns are left out in blocks, oldest first behind the
//! first human message, down to 60 % of the room, so that the prefix stays the same for many turns.

use super::{Message, ToolMode, prompt};
use crate::case::{CaseState, Turn};
use crate::gate::Catalog;
use kit::text::{ModelText, Redactor};

/// Room for messages, in tokens.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Tokens for everything that is sent (window less `max_tokens`, less the tools' schemas).
    pub tokens: usize,
    /// Earlier turns at most.
    pub turns: usize,
}

/// Tokens that a text may take, guessed high: 3 bytes a token holds for English, code and JSON in the
/// common vocabularies; indicators in hex come nearer to 2.
#[must_use]
pub fn guess(text: &str) -> usize {
    text.len() / 3 + 4
}

/// What was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Earlier turns.
    pub turns: usize,
}

/// Everything before the newest turn. `remote`: the model runs on another machine.
#[must_use]
pub fn history(
    state: &CaseState,
    newest: u32,
    mode: ToolMode,
    catalog: &Catalog,
    room: Room,
    remote: bool,
    redactor: &dyn Redactor,
) -> (Vec<Message>, LeftOut) {
    let system = prompt::system(mode, &state.offered, catalog);
    let earlier: Vec<&Turn> = state
        .turns
        .iter()
        .filter(|t| t.n < newest && (t.answer.is_some() || !t.calls.is_empty()))
        .collect();
    let compact: Vec<(ModelText, ModelText)> = earlier
        .iter()
        .map(|t| compact(t, remote, redactor))
        .collect();
    let costs: Vec<usize> = compact
        .iter()
        .map(|(h, a)| guess(h.as_str()) + guess(a.as_str()))
        .collect();
    // Half of the room belongs to the newest turn: its evidence is what the question is about.
    let share = room.tokens.saturating_sub(guess(system.as_str())) / 2;
    let (from, left_out) = window(&costs, share, room.turns);
    let mut messages = vec![Message::System(system)];
    for (i, (human, answer)) in compact.into_iter().enumerate() {
        if i == 0 || i >= from {
            messages.push(Message::User(human));
            messages.push(Message::Assistant {
                text: answer,
                calls: Vec::new(),
            });
        } else if i == 1 {
            messages.push(Message::User(ModelText::trusted(
                "[Some earlier turns of this case are left out here; the person has them.]",
            )));
            messages.push(Message::Assistant {
                text: ModelText::trusted("Understood."),
                calls: Vec::new(),
            });
        }
    }
    (messages, LeftOut { turns: left_out })
}

fn compact(turn: &Turn, remote: bool, redactor: &dyn Redactor) -> (ModelText, ModelText) {
    let mut human = prompt::replay(turn, remote, redactor);
    if human.as_str().trim().is_empty() {
        human = ModelText::trusted("[the person decided on the proposals]");
    }
    let answer = turn.answer.as_ref().map_or_else(
        || ModelText::trusted("[no answer: the turn was stopped]"),
        ModelText::from,
    );
    (human, answer)
}

/// The first earlier turn that is sent (besides the very first), and how many are left out. Replays the
/// decisions of all earlier turns, so that the same turns stay out until the next block has to go.
fn window(costs: &[usize], share: usize, most: usize) -> (usize, usize) {
    let mut from = 1;
    let first = costs.first().copied().unwrap_or(0);
    let mut total = first;
    for (i, cost) in costs.iter().enumerate().skip(1) {
        total += cost;
        let full = |from: usize, total: usize| total > share || i + 1 - from + 1 > most.max(1);
        if full(from, total) {
            let goal = share * 6 / 10;
            let keep = (most * 6 / 10).max(1);
            while from < i && (total > goal || i + 1 - from + 1 > keep) {
                total -= costs.get(from).copied().unwrap_or(0);
                from += 1;
            }
        }
    }
    (
        from,
        from.saturating_sub(1).min(costs.len().saturating_sub(1)),
    )
}

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn nothing_is_left_out_while_there_is_room() {
        assert_eq!(window(&[10, 10, 10], 100, 20), (1, 0));
        assert_eq!(window(&[], 100, 20), (1, 0));
    }

    #[test]
    fn what_is_left_out_grows_in_blocks_and_never_shrinks() {
        let costs = vec![10_usize; 60];
        let mut moves = 0;
        let mut last = 0;
        for n in 1..=costs.len() {
            let (_, out) = window(&costs[..n], 200, 50);
            assert!(out >= last, "a turn that was left out never comes back");
            if out != last {
                moves += 1;
            }
            last = out;
        }
        assert!(last > 30);
        assert!(moves <= 8, "the prefix changed {moves} times in 60 turns");
    }
}
