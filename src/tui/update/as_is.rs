//! Sending a message as it is: one message, to a model nearby, with what was on screen when it was chosen.

use crate::tui::app::App;
use crate::tui::hidden::room_for_note;
use crate::tui::keys::Action;

/// The key: this message goes as it is, or is redacted again.
pub(super) fn toggle(app: &mut App) {
    let room = app.room_mut();
    if room.as_is.take().is_some() {
        app.say("hidden again");
        return;
    }
    if !room.hidden.may_be_sent() {
        let words = if room.hidden.stays() {
            "what is hidden here always is: a secret of this program, or what [redact] extra_patterns match"
        } else {
            "nothing of this message is hidden"
        };
        app.say(words);
        return;
    }
    if app.server.as_ref().is_some_and(|s| s.remote) {
        app.complain(
            "not sent as it is: the model runs on another machine, and what looks like a secret would leave this one",
        );
    } else if app.server.as_ref().is_some_and(|s| s.model.is_none()) {
        app.complain("no model is asked, so there is nobody to send it to as it is");
    } else if !room_for_note(app) {
        app.complain("the screen is too small to show what would be sent; make it higher first");
    } else {
        let room = app.room_mut();
        room.as_is = Some(room.hidden.clone());
    }
}

/// The message changed: what is hidden of it is weighed anew.
pub(super) fn weigh(app: &mut App) {
    let words = app.words.clone();
    if app.room_mut().weigh(&words) {
        let key = app.keys.word(Action::SendAsIs).to_owned();
        app.complain(format!(
            "something new looks like a secret, so it is hidden again; {key} sends the message as it is"
        ));
    }
}

/// What counts as a secret changed: every draft is weighed anew.
pub(super) fn weigh_all(app: &mut App) {
    let words = app.words.clone();
    for room in app.rooms.values_mut() {
        room.weigh(&words);
    }
}

/// Another model answers: what was chosen for the one before holds for none that is elsewhere.
pub(super) fn model_changed(app: &mut App) {
    if app.server.as_ref().is_some_and(|s| !s.remote) {
        return;
    }
    let mut dropped = false;
    for room in app.rooms.values_mut() {
        dropped |= room.as_is.take().is_some();
    }
    if dropped {
        app.complain("the model runs on another machine, so your message is redacted again");
    }
}
