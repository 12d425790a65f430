//! The keys: one table from which the key bar, the help, the man page and the documentation are made,
//! and which `[ui] keys` changes.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Where a key applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Everywhere.
    Anywhere,
    /// While writing a message.
    Composer,
    /// The story of the case.
    Narrative,
    /// The evidence.
    Evidence,
    /// The list of cases.
    Cases,
    /// The approval card.
    Card,
}

impl Place {
    /// Its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anywhere => "anywhere",
            Self::Composer => "message",
            Self::Narrative => "narrative",
            Self::Evidence => "evidence",
            Self::Cases => "cases",
            Self::Card => "approval card",
        }
    }
}

macro_rules! actions {
    ($($action:ident, $name:literal, $place:ident, [$($key:literal),*], $short:literal, $help:literal;)*) => {
        /// What a key does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Action { $(#[doc = $help] $action,)* }

        /// Every action with its default keys.
        pub const TABLE: &[Entry] = &[$(Entry {
            action: Action::$action, name: $name, place: Place::$place, keys: &[$($key),*], short: $short, help: $help,
        },)*];
    };
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Action.
    pub action: Action,
    /// Its name in `[ui] keys`.
    pub name: &'static str,
    /// Where it applies.
    pub place: Place,
    /// Default keys.
    pub keys: &'static [&'static str],
    /// A word for the key bar; empty: not in the bar.
    pub short: &'static str,
    /// One sentence.
    pub help: &'static str,
}

actions! {
    Stop, "stop", Anywhere, ["esc"], "stop", "close what is open, else stop the running turn";
    Interrupt, "interrupt", Anywhere, ["ctrl-c"], "", "clear the message; with none, stop the turn; with none, twice: quit";
    Quit, "quit", Anywhere, ["ctrl-q"], "quit", "quit";
    Help, "help", Anywhere, ["f1", "?"], "help", "show the keys and commands";
    Palette, "palette", Anywhere, ["ctrl-p"], "commands", "find and run a command";
    Find, "find", Anywhere, ["ctrl-f"], "find", "search all cases";
    FocusNext, "focus-next", Anywhere, ["tab"], "pane", "go to the next pane (completes in a message)";
    FocusBack, "focus-back", Anywhere, ["backtab"], "", "go to the pane before";
    ShowCases, "cases", Anywhere, ["ctrl-o"], "cases", "go to the list of cases";
    ShowEvidence, "evidence", Anywhere, ["ctrl-e"], "evidence", "open or close the evidence";
    NewCase, "new-case", Anywhere, ["ctrl-n"], "new", "begin a new case";
    NextCase, "next-case", Anywhere, ["alt-right"], "", "go to the next open case";
    PageUp, "page-up", Anywhere, ["pageup"], "", "scroll up a page";
    PageDown, "page-down", Anywhere, ["pagedown"], "", "scroll down a page";
    Redraw, "redraw", Anywhere, ["ctrl-l"], "", "draw everything anew";
    Suspend, "suspend", Anywhere, ["ctrl-z"], "", "go to the background (fg comes back)";
    Reasoning, "reasoning", Anywhere, ["ctrl-g"], "", "fold or unfold the model's reasoning";
    Send, "send", Composer, ["enter"], "send", "send the message, or queue it while a turn runs";
    NewLine, "new-line", Composer, ["alt-enter", "ctrl-j", "shift-enter"], "line", "begin a new line";
    History, "history", Composer, ["ctrl-r"], "", "search earlier messages";
    Reading, "reading", Composer, ["ctrl-t"], "choose", "choose what the message authorizes";
    SendAsIs, "send-as-is", Composer, ["alt-u"], "", "send this message as it is, with what looks like a secret in it; again: hide it";
    TakeBack, "take-back", Composer, ["alt-up"], "", "take the last queued message back";
    Resume, "resume-queue", Composer, ["alt-down"], "", "send the parked messages";
    UndoEdit, "undo-edit", Composer, ["ctrl-y"], "", "take the last edit back";
    Up, "up", Narrative, ["up", "k"], "", "scroll up";
    Down, "down", Narrative, ["down", "j"], "", "scroll down";
    Top, "top", Narrative, ["home", "g"], "", "go to the begin";
    Bottom, "bottom", Narrative, ["end", "G"], "", "go to the end";
    NextRef, "next-reference", Narrative, ["n"], "next E", "open the next evidence";
    PrevRef, "previous-reference", Narrative, ["p"], "", "open the evidence before";
    CopyAnswer, "copy-answer", Narrative, ["y"], "copy", "copy the last answer";
    SaveTables, "save-tables", Narrative, ["w"], "", "write the tables of the newest answer that has any as CSV files";
    Fork, "fork", Narrative, ["F"], "fork", "begin a new case from what is known up to the last turn";
    Open, "open", Evidence, ["enter"], "open", "open the evidence, or propose the mentioned indicator";
    Form, "form", Evidence, ["v"], "form", "table, raw, or difference to the look-up before";
    Search, "search", Evidence, ["/"], "search", "search in the evidence";
    NextHit, "next-hit", Evidence, ["n"], "", "go to the next hit";
    Copy, "copy", Evidence, ["y"], "copy", "copy the evidence as it is shown";
    Mentioned, "mentioned", Evidence, ["m"], "mentioned", "list the indicators that are mentioned";
    Propose, "propose", Evidence, ["p"], "propose", "propose the mentioned indicator";
    OpenCase, "open-case", Cases, ["enter"], "open", "open the case";
    Filter, "filter", Cases, ["/"], "filter", "filter the list";
    Rename, "rename", Cases, ["r"], "rename", "rename the case";
    Tag, "tag", Cases, ["t"], "tag", "put a tag on, or take it off";
    Close, "close", Cases, ["c"], "close", "close the case, or open it again";
    Delete, "delete", Cases, ["x"], "delete", "delete the case";
    Undo, "undo", Cases, ["u"], "undo", "take the last change of a case back: deleted, renamed, tagged, closed";
    Approve, "approve", Card, ["a"], "approve", "approve this one";
    ApproveAll, "approve-all", Card, ["A"], "all", "approve all that are listed";
    Deny, "deny", Card, ["d"], "deny", "deny this one";
    DenyReason, "deny-reason", Card, ["r"], "reason", "deny with a reason, which the model is told";
    Details, "details", Card, ["?"], "details", "show the details";
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    code: KeyCode,
    mods: KeyModifiers,
}

impl Key {
    /// Reads `ctrl-p`, `alt-enter`, `f1`, `G`, `?`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut mods = KeyModifiers::NONE;
        let mut rest = text.trim();
        loop {
            let (add, after) = match rest {
                r if r.len() > 5 && r.starts_with("ctrl-") => (KeyModifiers::CONTROL, &r[5..]),
                r if r.len() > 4 && r.starts_with("alt-") => (KeyModifiers::ALT, &r[4..]),
                r if r.len() > 6 && r.starts_with("shift-") => (KeyModifiers::SHIFT, &r[6..]),
                _ => break,
            };
            mods |= add;
            rest = after;
        }
        let code = match rest {
            "esc" => KeyCode::Esc,
            "enter" => KeyCode::Enter,
            "tab" => KeyCode::Tab,
            "backtab" => KeyCode::BackTab,
            "space" => KeyCode::Char(' '),
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "pageup" => KeyCode::PageUp,
            "pagedown" => KeyCode::PageDown,
            "delete" => KeyCode::Delete,
            "insert" => KeyCode::Insert,
            "backspace" => KeyCode::Backspace,
            f if f.len() > 1 && f.starts_with('f') => KeyCode::F(f[1..].parse().ok()?),
            one => {
                let mut chars = one.chars();
                let c = chars.next()?;
                if chars.next().is_some() {
                    return None;
                }
                KeyCode::Char(c)
            }
        };
        Some(Self { code, mods })
    }

    /// A character, typed without ctrl or alt.
    fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_))
            && !self
                .mods
                .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    }

    /// The key of an event. Shift is part of a letter and of `backtab`.
    #[must_use]
    pub fn of(event: KeyEvent) -> Self {
        let mut mods =
            event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        if matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab) {
            mods.remove(KeyModifiers::SHIFT);
        }
        Self {
            code: event.code,
            mods,
        }
    }
}

/// The keys in use.
#[derive(Clone, Debug)]
pub struct Keymap {
    keys: BTreeMap<Action, Vec<(Key, String)>>,
    /// What of `[ui] keys` could not be used.
    pub problems: Vec<String>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::new(&BTreeMap::new())
    }
}

/// Keys that never approve, however they are configured.
fn careless(key: Key) -> bool {
    matches!(key.code, KeyCode::Enter | KeyCode::Char(' ' | '\n' | '\r'))
        || key.code == KeyCode::Tab
}

impl Keymap {
    /// The table with the person's changes. Several keys are separated by blanks.
    #[must_use]
    pub fn new(changes: &BTreeMap<String, String>) -> Self {
        let mut keys: BTreeMap<Action, Vec<(Key, String)>> = TABLE
            .iter()
            .map(|e| {
                let parsed = e
                    .keys
                    .iter()
                    .filter_map(|k| Key::parse(k).map(|p| (p, (*k).to_owned())))
                    .collect();
                (e.action, parsed)
            })
            .collect();
        let mut problems = Vec::new();
        for (name, value) in changes {
            let Some(entry) = TABLE.iter().find(|e| e.name == name) else {
                problems.push(format!("[ui] keys: there is no action {name:?}"));
                continue;
            };
            let mut new = Vec::new();
            for word in value.split_whitespace() {
                match Key::parse(word) {
                    Some(k) if entry.place == Place::Card && careless(k) => {
                        problems.push(format!("[ui] keys: {word:?} can decide nothing on a card"))
                    }
                    Some(k) => new.push((k, word.to_owned())),
                    None => problems.push(format!("[ui] keys: {word:?} is no key")),
                }
            }
            if !new.is_empty() {
                keys.insert(entry.action, new);
            }
        }
        Self { keys, problems }
    }

    /// What this key does in this place; keys for everywhere come last.
    #[must_use]
    pub fn action(&self, place: Place, event: KeyEvent) -> Option<Action> {
        let key = Key::of(event);
        let find = |wanted: Place| {
            TABLE
                .iter()
                .filter(|e| e.place == wanted)
                .find(|e| {
                    self.keys
                        .get(&e.action)
                        .is_some_and(|k| k.iter().any(|(k, _)| *k == key))
                })
                .map(|e| e.action)
        };
        // Where text is typed, a character is text, whatever it does in other panes.
        let text = place == Place::Composer && key.is_text();
        find(place).or_else(|| {
            (place != Place::Card && !text)
                .then(|| find(Place::Anywhere))
                .flatten()
        })
    }

    /// The first key of an action, in words.
    #[must_use]
    pub fn word(&self, action: Action) -> &str {
        self.keys
            .get(&action)
            .and_then(|k| k.first())
            .map_or("", |(_, w)| w.as_str())
    }

    /// The entries for the key bar in this place.
    pub fn bar(&self, place: Place) -> impl Iterator<Item = (&str, &'static str)> {
        TABLE
            .iter()
            .filter(move |e| e.place == place || e.place == Place::Anywhere)
            .filter(|e| !e.short.is_empty())
            .map(|e| (self.word(e.action), e.short))
    }

    /// The lines of the help: place, keys, sentence.
    pub fn help(&self) -> impl Iterator<Item = (&'static str, String, &'static str)> {
        TABLE.iter().map(|e| {
            let keys = self.keys.get(&e.action).map_or_else(String::new, |k| {
                k.iter()
                    .map(|(_, w)| w.as_str())
                    .collect::<Vec<_>>()
                    .join(" ")
            });
            (e.place.name(), keys, e.help)
        })
    }
}

/// The table of keys as markdown, for the documentation.
#[must_use]
pub fn markdown() -> String {
    let map = Keymap::default();
    let mut out =
        String::from("| where | key | what it does | name in `[ui] keys` |\n|---|---|---|---|\n");
    for (entry, (place, keys, help)) in TABLE.iter().zip(map.help()) {
        let keys: Vec<String> = keys.split(' ').map(|k| format!("`{k}`")).collect();
        let _ = writeln!(
            out,
            "| {place} | {} | {help} | `{}` |",
            keys.join(" "),
            entry.name
        );
    }
    out
}

/// The table of keys as lines, place by place, for the manual.
#[must_use]
pub fn manual() -> String {
    let map = Keymap::default();
    let mut out =
        String::from("Of the full screen; [ui.keys] changes them by the name in parentheses.\n");
    let mut last = "";
    for (entry, (place, keys, help)) in TABLE.iter().zip(map.help()) {
        if place != last {
            let _ = write!(out, "\n{place}:\n");
            last = place;
        }
        let _ = writeln!(out, "  {keys:<30} {help} ({})", entry.name);
    }
    out
}

/// The keys of the key bar as markdown, one line a place.
#[must_use]
pub fn short_markdown() -> String {
    let mut out = String::from("| where | keys |\n|---|---|\n");
    let mut places: Vec<Place> = Vec::new();
    for e in TABLE {
        if !places.contains(&e.place) {
            places.push(e.place);
        }
    }
    for place in places {
        let keys: Vec<String> = TABLE
            .iter()
            .filter(|e| e.place == place && !e.short.is_empty())
            .map(|e| format!("`{}` {}", e.keys.first().unwrap_or(&""), e.short))
            .collect();
        let _ = writeln!(out, "| {} | {} |", place.name(), keys.join(" · "));
    }
    out
}
