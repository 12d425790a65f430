//! Changes of a case as a whole, and taking the last one back.

use super::commands;
use crate::engine::session::{Edit, Order};
use crate::engine::view::{CaseId, Defang};
use crate::tui::app::{App, Effect};

/// Changes that can be taken back.
const MOST: usize = 20;

/// Orders a change, and remembers how to take it back.
pub(super) fn edit(app: &mut App, case: CaseId, edit: Edit, out: &mut Vec<Effect>) {
    if let Some(back) = inverse(app, &case, &edit) {
        app.undo.push((case.clone(), back));
        if app.undo.len() > MOST {
            app.undo.remove(0);
        }
    }
    out.push(Effect::Order(Order::Edit(case, edit)));
}

/// What takes a change back; none where it changes nothing.
fn inverse(app: &App, case: &CaseId, edit: &Edit) -> Option<Edit> {
    let (title, tags) = facts(app, case)?;
    Some(match edit {
        Edit::Rename(new) if *new == title => return None,
        Edit::Rename(_) => Edit::Rename(title),
        Edit::Tag(on, off) => {
            // Only what really changes is taken back.
            let added: Vec<String> = on.iter().filter(|t| !tags.contains(t)).cloned().collect();
            let removed: Vec<String> = off.iter().filter(|t| tags.contains(t)).cloned().collect();
            if added.is_empty() && removed.is_empty() {
                return None;
            }
            Edit::Tag(removed, added)
        }
        Edit::Close => Edit::Reopen,
        Edit::Reopen => Edit::Close,
        Edit::Delete => Edit::Undelete,
        Edit::Undelete => return None,
    })
}

/// Title and tags that a case has now.
fn facts(app: &App, case: &CaseId) -> Option<(String, Vec<String>)> {
    let room = app
        .rooms
        .values()
        .find(|r| r.case.as_ref() == Some(case) && r.loaded);
    if let Some(r) = room {
        return Some((
            r.state.title.clone(),
            r.state.tags.iter().cloned().collect(),
        ));
    }
    app.cases
        .all
        .iter()
        .find(|c| c.id == *case)
        .map(|c| (c.title.clone(), c.tags.clone()))
}

/// Takes the last change back.
pub(super) fn last(app: &mut App, out: &mut Vec<Effect>) {
    let Some((case, back)) = app.undo.pop() else {
        app.say("nothing was changed here that can be taken back");
        return;
    };
    let short = case.short().to_owned();
    let words = match &back {
        Edit::Rename(title) => {
            let title = Defang::plain().text(title);
            format!("case {short} is called {title} again")
        }
        Edit::Tag(..) => format!("the tags of case {short} are as they were"),
        Edit::Close => format!("case {short} is closed again"),
        Edit::Reopen => {
            format!("case {short} is open again; proposals that expired stay expired")
        }
        Edit::Delete | Edit::Undelete => {
            commands::undelete(app, out);
            return;
        }
    };
    app.say(words);
    out.push(Effect::Order(Order::Edit(case, back)));
}

/// A change was taken back in another way: it is not taken back twice.
pub(super) fn forget(app: &mut App, case: &CaseId, back: &Edit) {
    if let Some(at) = app.undo.iter().rposition(|(c, b)| c == case && b == back) {
        app.undo.remove(at);
    }
}
