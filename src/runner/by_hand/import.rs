//! Files of devices, software and patches. Everything of one call is one transaction, on the store's own thread;
//! the caller hears meanwhile how far it is.

use super::ByHandError;
use crate::config::keys::did_you_mean;
use crate::runner::Runner;
use crate::store::StoreError;
use fleet::import::{self, ImportError, Input};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

pub use fleet::import::{BadRow, Format, ROW_MAX, Report, What};

/// How often progress is told at most.
const EVERY: Duration = Duration::from_secs(1);

/// A file; `-` is standard input.
#[derive(Clone, Debug)]
pub struct Source {
    /// What its rows are.
    pub what: What,
    /// How it is written.
    pub format: Format,
    /// Where it is.
    pub path: PathBuf,
}

/// How far an import is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Which file.
    pub what: What,
    /// Rows read of it.
    pub rows: u64,
    /// Bytes read of it, of how many; `None` where nobody knows.
    pub percent: Option<u64>,
}

/// What became of an import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// What the files came to.
    pub report: Report,
    /// Whether it was kept.
    pub kept: bool,
}

/// Counts what is read.
struct Counted<R> {
    inner: R,
    read: std::rc::Rc<std::cell::Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        self.read.set(self.read.get().saturating_add(n as u64));
        Ok(n)
    }
}

/// What goes from the store's thread to the caller before the transaction ends.
enum Said {
    Far(Progress),
    Ended(Result<(Report, bool), ImportError>),
}

impl Runner {
    /// Takes files in, whole or not at all: one bad row, and nothing is kept, unless `skip_bad`. With `dry_run`
    /// nothing is kept in any case.
    ///
    /// # Errors
    /// A file cannot be read or has a column that nobody knows, the permission is missing, the store failed.
    pub fn import(
        &self,
        sources: &[Source],
        skip_bad: bool,
        dry_run: bool,
        on: &mut dyn FnMut(Progress),
    ) -> Result<Imported, ByHandError> {
        let mut opened = Vec::with_capacity(sources.len());
        for source in sources {
            opened.push((source.clone(), open(source)?));
        }
        self.take(opened, skip_bad, dry_run, on)
    }

    fn take(
        &self,
        opened: Vec<Opened>,
        skip_bad: bool,
        dry_run: bool,
        on: &mut dyn FnMut(Progress),
    ) -> Result<Imported, ByHandError> {
        let hand = self.hand();
        let (tell, hear) = mpsc::channel::<Said>();
        let written = std::thread::scope(|threads| {
            let store = &self.store;
            let run = threads.spawn(move || {
                store.write(move |tx| {
                    let ended =
                        hand.acting(tx, None, false, |acting| Ok(all(acting, opened, &tell)))?;
                    let keep = match &ended {
                        Ok(report) => !dry_run && (skip_bad || report.bad == 0),
                        // The refusal's audit row is kept.
                        Err(ImportError::Denied(_)) => true,
                        Err(_) => false,
                    };
                    let _ = tell.send(Said::Ended(ended.map(|report| (report, keep))));
                    if keep {
                        Ok(())
                    } else {
                        Err(StoreError::Refused(String::from("nothing was imported")))
                    }
                })
            });
            let mut ended = None;
            for said in hear {
                match said {
                    Said::Far(progress) => on(progress),
                    Said::Ended(result) => ended = Some(result),
                }
            }
            let written = run
                .join()
                .unwrap_or_else(|_| Err(StoreError::Other("the import stopped".into())));
            match (ended, written) {
                (Some(Ok((_, true))), Err(e)) | (None, Err(e)) => Err(ByHandError::Store(e)),
                (Some(Ok((report, kept))), _) => Ok(Imported { report, kept }),
                (Some(Err(e)), _) => Err(self.not_imported(e)),
                (None, Ok(())) => Err(StoreError::Other("the import said nothing".into()).into()),
            }
        })?;
        Ok(written)
    }

    /// Takes one device in, given as an entry of a JSON file.
    ///
    /// # Errors
    /// As [`Runner::import`].
    pub fn import_row(&self, row: &serde_json::Value) -> Result<Imported, ByHandError> {
        let source = Source {
            what: What::Devices,
            format: Format::Json,
            path: PathBuf::from("the command line"),
        };
        let bytes: Box<dyn Read + Send> = Box::new(io::Cursor::new(row.to_string().into_bytes()));
        self.take(vec![(source, (bytes, None))], false, false, &mut |_| {})
    }

    fn not_imported(&self, e: ImportError) -> ByHandError {
        match e {
            ImportError::Store(e) => StoreError::Other(e.to_string()).into(),
            ImportError::UnknownColumn { what, ref column } => {
                let meant = did_you_mean(column, what.columns().iter().copied())
                    .map_or_else(String::new, |m| format!("did you mean {m}? "));
                ByHandError::refused(
                    e.to_string(),
                    format!("{meant}known are: {}", what.columns().join(", ")),
                )
            }
            ImportError::MissingColumn { what, .. } => ByHandError::refused(
                e.to_string(),
                format!(
                    "the first line names the columns: {}",
                    what.columns().join(", ")
                ),
            ),
            ImportError::Denied(_) => ByHandError::refused(
                e.to_string(),
                "rmm-analyst principal show says what you may",
            ),
            ImportError::TwiceColumn { .. } | ImportError::Broken { .. } => ByHandError::refused(
                e.to_string(),
                "nothing was imported: mend the file and import it again",
            ),
        }
    }
}

fn open(source: &Source) -> Result<(Box<dyn Read + Send>, Option<u64>), ByHandError> {
    if source.path.as_os_str() == "-" {
        return Ok((Box::new(io::stdin()), None));
    }
    let unreadable = |why: String| {
        ByHandError::refused(
            format!("{} cannot be read: {why}", source.path.display()),
            "name a readable file, or `-` for standard input",
        )
    };
    let file = File::open(&source.path).map_err(|e| unreadable(e.to_string()))?;
    let meta = file.metadata().map_err(|e| unreadable(e.to_string()))?;
    if meta.is_dir() {
        return Err(unreadable("it is a directory".into()));
    }
    let bytes = meta.is_file().then_some(meta.len());
    Ok((Box::new(file), bytes))
}

type Opened = (Source, (Box<dyn Read + Send>, Option<u64>));

fn all(
    acting: &fleet::proposals::Acting<'_>,
    opened: Vec<Opened>,
    tell: &mpsc::Sender<Said>,
) -> Result<Report, ImportError> {
    let at = std::rc::Rc::new(std::cell::Cell::new(0_u64));
    let size = std::rc::Rc::new(std::cell::Cell::new(None::<u64>));
    let inputs = opened.into_iter().map(|(source, (read, bytes))| {
        at.set(0);
        size.set(bytes);
        Input {
            what: source.what,
            format: source.format,
            read: Box::new(Counted {
                inner: read,
                read: std::rc::Rc::clone(&at),
            }),
        }
    });
    let mut last = Instant::now();
    import::run(acting, inputs, &mut |what, rows| {
        if last.elapsed() >= EVERY {
            last = Instant::now();
            let percent = size
                .get()
                .filter(|all| *all > 0)
                .map(|all| at.get().saturating_mul(100) / all);
            let _ = tell.send(Said::Far(Progress {
                what,
                rows,
                percent,
            }));
        }
    })
}
