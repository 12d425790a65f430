//! What changes a case or copies it out. Words of a person go through the redactor before they are kept.

use crate::cli::view::View;
use crate::store::export::Format;
use crate::store::{CaseId, StoreError, Tx};
use std::io::Write;
use std::path::Path;

/// A form of the case on standard output or in a new file.
pub(super) fn export(
    case: &str,
    form: Format,
    file: Option<&Path>,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let text = view.with(case, |r, id| r.export(id, form))?;
    match file {
        Some(file) => write_new(file, text.as_bytes())?,
        None => out.write_all(text.as_bytes())?,
    }
    Ok(0)
}

pub(super) fn fork(
    case: &str,
    turn: Option<u32>,
    title: Option<&str>,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let id = view.find(case)?;
    let turn = match turn {
        Some(turn) => turn,
        None => view.store.read(|r| r.summary(&id))?.turns,
    };
    let title = title.map(|t| view.redact.redact(t));
    let (who, now) = (view.principal.name.clone(), view.now_ms);
    let new = view
        .store
        .write(move |tx| tx.fork(&id, turn, title.as_deref(), &who, now))?;
    writeln!(out, "{new}")?;
    Ok(0)
}

pub(super) fn rename(case: &str, title: &str, view: &View<'_>) -> anyhow::Result<u8> {
    let title = view.redact.redact(title);
    edit(view, case, move |tx, id, now| tx.rename(id, &title, now))?;
    Ok(0)
}

pub(super) fn tag(
    case: &str,
    tags: &[String],
    remove: bool,
    view: &View<'_>,
) -> anyhow::Result<u8> {
    let clean = |t: &String| view.redact.redact(t);
    let (add, off) = if remove {
        // A tag that is there is in the log already; only its own text takes it away.
        let there = view.with(case, |r, id| r.summary(id))?.tags;
        let named = |t: &String| {
            if there.contains(t) {
                t.clone()
            } else {
                clean(t)
            }
        };
        (Vec::new(), tags.iter().map(named).collect())
    } else {
        (tags.iter().map(clean).collect(), Vec::new())
    };
    edit(view, case, move |tx, id, now| tx.tag(id, &add, &off, now))?;
    Ok(0)
}

pub(super) fn close(case: &str, view: &View<'_>) -> anyhow::Result<u8> {
    alone(view, case, |tx, id, now| tx.close(id, now))?;
    Ok(0)
}

pub(super) fn reopen(case: &str, view: &View<'_>) -> anyhow::Result<u8> {
    edit(view, case, |tx, id, now| tx.reopen(id, now))?;
    Ok(0)
}

pub(super) fn delete(
    case: &str,
    undo: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let who = view.principal.name.clone();
    if undo {
        edit(view, case, move |tx, id, now| tx.undelete(id, &who, now))?;
        return Ok(0);
    }
    let id = alone(view, case, move |tx, id, now| tx.delete(id, &who, now))?;
    let short = id.short();
    writeln!(
        out,
        "Case {short} is deleted. It comes back with: rmm-analyst case delete {short} --undo"
    )?;
    Ok(0)
}

pub(super) fn purge(
    case: &str,
    yes: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    // Nothing brings a purged case back: a prefix is not enough.
    let Some(id) = CaseId::parse(case) else {
        return Err(StoreError::Refused(
            "`purge` needs the whole id of the case; `case show` prints it".into(),
        )
        .into());
    };
    let id = view.find(id.as_str())?;
    if !yes {
        return Err(StoreError::Refused(format!(
            "purging case {} erases it for ever; say --yes if that is meant",
            id.short()
        ))
        .into());
    }
    view.store.purge(&id, &view.principal.name, view.now_ms)?;
    writeln!(
        out,
        "Case {id} is erased. Backups and answers in the cache are not touched."
    )?;
    Ok(0)
}

fn edit<T: Send + 'static>(
    view: &View<'_>,
    case: &str,
    f: impl FnOnce(&mut Tx<'_>, &CaseId, i64) -> Result<T, StoreError> + Send + 'static,
) -> Result<CaseId, StoreError> {
    let (id, now) = (view.find(case)?, view.now_ms);
    let at = id.clone();
    view.store.write(move |tx| f(tx, &at, now))?;
    Ok(id)
}

/// An edit that a running turn must not meet: refused as busy while one runs, and none begins meanwhile.
fn alone<T: Send + 'static>(
    view: &View<'_>,
    case: &str,
    f: impl FnOnce(&mut Tx<'_>, &CaseId, i64) -> Result<T, StoreError> + Send + 'static,
) -> Result<CaseId, StoreError> {
    let id = view.find(case)?;
    let _held = view.store.lock_turn(&id)?;
    edit(view, id.as_str(), f)
}

fn write_new(file: &Path, text: &[u8]) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    // A case is nobody else's business until its owner passes it on.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let shown = file.display();
    let mut open = match options.open(file) {
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(StoreError::Refused(format!(
                "{shown} exists and is kept; name another file"
            )));
        }
        opened => {
            opened.map_err(|e| StoreError::Refused(format!("{shown} cannot be made: {e}")))?
        }
    };
    open.write_all(text).map_err(|e| {
        // Half a report is worse than none.
        let _ = std::fs::remove_file(file);
        StoreError::Refused(format!("{shown} cannot be written: {e}"))
    })
}
