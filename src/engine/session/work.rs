//! The orders that take their time: a turn, a look-up, a file.

use super::{
    AskInput, CaseId, Choices, Edit, Engine, EngineError, Indicator, Inner, Progress, RoomId, Said,
    Update, failure, words,
};
use crate::engine::now_ms;
use crate::store::export::Format;
use std::rc::Rc;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::oneshot;

impl Inner {
    pub(super) async fn turn(self: Rc<Self>, room: RoomId, input: AskInput, choices: Choices) {
        let (stop, stopped) = oneshot::channel::<()>();
        if self.running.borrow().contains_key(&room) {
            self.tell(Update::Failed(
                Some(room),
                failure(
                    "a turn runs in this case already",
                    "wait for it, or stop it with Esc",
                ),
            ));
            return;
        }
        self.running.borrow_mut().insert(room, stop);
        let engine = self.engine();
        let pumps = self.pumps.clone();
        let (followed, mut follow) = unbounded_channel::<CaseId>();
        let store = engine.store.clone();
        let mut at = self
            .rooms
            .borrow()
            .get(&room)
            .map(|r| (r.case.clone(), r.seq));
        let mut on = move |p: Progress| {
            if let Progress::Started { case, .. } = &p {
                let _ = followed.send(case.clone());
                at.get_or_insert_with(|| (case.clone(), 0));
            }
            let written = !matches!(p, Progress::Text(_) | Progress::Reasoning(_));
            let upto = at.as_mut().filter(|_| written).map(|(case, seq)| {
                // What cannot be read now is told with what is said next.
                let new = store.read(|r| r.events_after(case, *seq)).ok();
                if let Some(last) = new.and_then(|e| e.last().map(|e| e.seq)) {
                    *seq = last;
                }
                *seq
            });
            let _ = pumps.send(Said {
                room,
                update: Update::Progress(room, p),
                upto,
            });
        };
        let cancel = async move {
            // A sender that is gone is no order to stop: it stays with `running` until the end.
            let _ = stopped.await;
        };
        let result = {
            let ask = engine.ask_chosen(input, &choices, cancel, &mut on);
            tokio::pin!(ask);
            loop {
                tokio::select! {
                    result = &mut ask => break result,
                    Some(case) = follow.recv() => {
                        let known = self.case_of(room);
                        if known.as_ref() != Some(&case) {
                            self.follow(room, case);
                        }
                    }
                }
            }
        };
        self.running.borrow_mut().remove(&room);
        let update = match result {
            Ok(report) => {
                if self.case_of(room).is_none() {
                    self.follow(room, report.case.clone());
                }
                Update::Ended(room, Box::new(report))
            }
            Err(e) => {
                let mut failed = words(&e);
                failed.turn = true;
                Update::Failed(Some(room), failed)
            }
        };
        let _ = self.pumps.send(Said {
            room,
            update,
            upto: Some(u64::MAX),
        });
    }

    pub(super) async fn look_up(
        &self,
        room: RoomId,
        module: &str,
        value: &str,
        fresh: bool,
        anyway: bool,
    ) {
        let engine = self.engine();
        let specs = match engine.modules_for(module) {
            Ok(specs) => specs,
            Err(e) => return self.fail(Some(room), e),
        };
        let mut subjects: Vec<Indicator> = Vec::new();
        for found in kit::extract(value) {
            if !subjects.contains(&found.indicator) && subjects.len() < 20 {
                subjects.push(found.indicator);
            }
        }
        if subjects.is_empty()
            && let Some(one) = kit::classify(value.trim())
        {
            subjects.push(one);
        }
        if subjects.is_empty() {
            return self.tell(Update::Failed(
                Some(room),
                failure(
                    "that is no indicator that a look-up takes",
                    "an address, domain, URL, hash, CVE, e-mail or AS number",
                ),
            ));
        }
        let all = module.trim_start_matches('@') == "ioc";
        let title = format!("@{} {}", module.trim_start_matches('@'), value.trim());
        let title = engine.redacted(&title).as_str().to_owned();
        let looked = engine.look_up(&specs, all, &subjects, fresh, anyway).await;
        self.tell(Update::Looked(room, title, looked));
    }

    pub(super) fn export(&self, case: &CaseId, form: &str, file: &std::path::Path) {
        if form == "tables" {
            return self.tables(case, file);
        }
        let engine = self.engine();
        let form = match form {
            "json" => Format::Json,
            "jsonl" => Format::Jsonl,
            "csv" => Format::Csv,
            "stix" => Format::Stix,
            _ => Format::Markdown,
        };
        match engine.store.read(|r| r.export(case, form)) {
            Ok(text) => match write_new(file, text.as_bytes()) {
                Ok(()) => self.tell(Update::Done(format!("written to {}", file.display()))),
                Err(why) => self.tell(Update::Failed(
                    None,
                    failure(&why, "name another file: /export markdown FILE"),
                )),
            },
            Err(e) => self.fail(None, e),
        }
    }

    /// Writes the tables of the newest answer that has any, a file each.
    fn tables(&self, case: &CaseId, file: &std::path::Path) {
        let state = match self.engine().store.read(|r| r.case(case)) {
            Ok(state) => state,
            Err(e) => return self.fail(None, e),
        };
        let found = state
            .turns
            .iter()
            .rev()
            .filter_map(|t| Some((t.n, super::super::tables::of(t.answer.as_ref()?.as_str()))))
            .find(|(_, tables)| !tables.is_empty());
        let Some((turn, tables)) = found else {
            self.tell(Update::Failed(
                None,
                failure(
                    "no answer of this case has a table",
                    "evidence is written by: rmm-analyst evidence CASE N --csv",
                ),
            ));
            return;
        };
        let mut written = Vec::new();
        for (k, table) in (1..).zip(&tables) {
            let file = file.with_file_name(format!(
                "{}-turn{turn}-table{k}.csv",
                file.file_stem()
                    .map_or_else(|| "case".into(), std::ffi::OsStr::to_string_lossy)
            ));
            let mut text = Vec::new();
            let done = super::super::tables::write(table, &mut text)
                .map_err(|e| e.to_string())
                .and_then(|()| write_new(&file, &text));
            match done {
                Ok(()) => written.push(file.display().to_string()),
                Err(why) => {
                    self.tell(Update::Failed(
                        None,
                        failure(&why, "name another file: /export tables FILE"),
                    ));
                    return;
                }
            }
        }
        self.tell(Update::Done(format!("written to {}", written.join(", "))));
    }

    pub(super) fn keep(&self, text: &str) {
        let engine = self.engine();
        let dir = engine
            .store
            .path()
            .parent()
            .map(|p| p.join("copies"))
            .unwrap_or_default();
        let made = crate::config::edit::create_private_dir(&dir).map_err(|e| e.to_string());
        let file = dir.join(format!("copy-{}.txt", now_ms()));
        match made.and_then(|()| write_new(&file, text.as_bytes())) {
            Ok(()) => self.tell(Update::Done(format!("kept in {}", file.display()))),
            Err(why) => self.tell(Update::Failed(None, failure(&why, ""))),
        }
    }
}

/// Changes a case as a whole.
pub(super) fn edit_case(engine: &Engine, case: &CaseId, edit: Edit) -> Result<(), EngineError> {
    let (case, who, now) = (case.clone(), engine.principal.name.clone(), now_ms());
    engine.store.write(move |tx| match edit {
        Edit::Rename(title) => tx.rename(&case, &title, now),
        Edit::Tag(add, remove) => tx.tag(&case, &add, &remove, now),
        Edit::Close => tx.close(&case, now),
        Edit::Reopen => tx.reopen(&case, now),
        Edit::Delete => tx.delete(&case, &who, now),
        Edit::Undelete => tx.undelete(&case, &who, now),
    })?;
    Ok(())
}

/// Writes a file that must not exist, readable by its owner only.
fn write_new(file: &std::path::Path, bytes: &[u8]) -> Result<(), String> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let shown = file.display();
    let mut open = options
        .open(file)
        .map_err(|e| format!("{shown} cannot be made: {e}"))?;
    open.write_all(bytes)
        .map_err(|e| format!("{shown} cannot be written: {e}"))
}
