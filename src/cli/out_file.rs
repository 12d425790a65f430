//! A file that is whole or not there: written beside its place, and put there at the end.

use crate::cli::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under way. Dropped before [`OutFile::keep`], nothing of it stays.
#[derive(Debug)]
pub struct OutFile {
    place: PathBuf,
    beside: PathBuf,
    replace: bool,
    out: Option<BufWriter<File>>,
}

impl OutFile {
    /// Begins a file that will stand at `place`. Only its owner can read it: it holds what a principal may see.
    ///
    /// # Errors
    /// Something stands there and `replace` is not meant, or the directory cannot be written.
    pub fn begin(place: &Path, replace: bool) -> Result<Self, Error> {
        let Some(name) = place.file_name() else {
            return Err(Error::user(format!(
                "{} is no name of a file",
                place.display()
            )));
        };
        if place.is_dir() {
            return Err(Error::user(format!("{} is a directory", place.display()))
                .hint("name a file in it"));
        }
        if !replace && place.symlink_metadata().is_ok() {
            return Err(taken(place));
        }
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.part", std::process::id()));
        let beside = place.with_file_name(hidden);
        if is_database(place) {
            return Err(Error::user(format!("{} is a database", place.display()))
                .why("an export in its place would take its cases with it")
                .hint("name another file; --force replaces earlier exports only"));
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&beside).map_err(|e| cannot(place, &e))?;
        Ok(Self {
            place: place.to_path_buf(),
            beside,
            replace,
            out: Some(BufWriter::new(file)),
        })
    }

    /// Puts the file in its place, on the disk and whole.
    ///
    /// # Errors
    /// It cannot be written, or something came to stand there meanwhile.
    pub fn keep(mut self) -> Result<(), Error> {
        let written = self.out.take().map_or(Ok(()), |out| {
            out.into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| file.sync_all())
        });
        written.map_err(|e| cannot(&self.place, &e))?;
        if !self.replace {
            // A link is made only where nothing stands: two at once cannot both win. Where a file system has
            // no links, a look must do.
            match std::fs::hard_link(&self.beside, &self.place) {
                Ok(()) => return Ok(()),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(taken(&self.place));
                }
                Err(_) if self.place.symlink_metadata().is_ok() => return Err(taken(&self.place)),
                Err(_) => {}
            }
        }
        std::fs::rename(&self.beside, &self.place).map_err(|e| cannot(&self.place, &e))
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Some(out) => out.write(bytes),
            None => Err(io::Error::from(io::ErrorKind::WriteZero)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        self.out = None;
        // After a rename there is nothing left to take away; after a link or a failure there is.
        let _ = std::fs::remove_file(&self.beside);
    }
}

/// Whether a SQLite database stands there: such a file begins with these sixteen bytes
/// (<https://www.sqlite.org/fileformat2.html#magic_header_string>).
fn is_database(place: &Path) -> bool {
    let mut head = [0_u8; 16];
    std::fs::File::open(place)
        .and_then(|mut f| io::Read::read_exact(&mut f, &mut head))
        .is_ok_and(|()| head == *b"SQLite format 3\0")
}

fn taken(place: &Path) -> Error {
    Error::user(format!("{} is there already", place.display()))
        .hint("name another file, or say --force to replace it")
}

fn cannot(place: &Path, e: &io::Error) -> Error {
    Error::config(format!("{} cannot be written", place.display()))
        .why(e.to_string())
        .hint("look at the directory and its free space; nothing was left there")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_whole_or_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("a.csv");
        let mut half = OutFile::begin(&place, false).unwrap();
        half.write_all(b"half").unwrap();
        half.flush().unwrap();
        assert!(!place.exists());
        drop(half);
        assert_eq!(names(dir.path()), Vec::<String>::new());
        let mut whole = OutFile::begin(&place, false).unwrap();
        whole.write_all(b"whole").unwrap();
        whole.keep().unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"whole");
        assert_eq!(names(dir.path()), ["a.csv"]);
    }

    #[test]
    fn what_stands_there_is_replaced_only_when_that_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("a.csv");
        std::fs::write(&place, "old").unwrap();
        assert!(OutFile::begin(&place, false).is_err());
        let mut new = OutFile::begin(&place, true).unwrap();
        new.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"old");
        new.keep().unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"new");
        // It may also come to stand there while the new one is written.
        let place = dir.path().join("b.csv");
        let late = OutFile::begin(&place, false).unwrap();
        std::fs::write(&place, "first").unwrap();
        assert!(late.keep().is_err());
        assert_eq!(std::fs::read(&place).unwrap(), b"first");
        assert_eq!(names(dir.path()), ["a.csv", "b.csv"]);
    }

    #[test]
    fn a_directory_is_no_file() {
        let dir = tempfile::tempdir().unwrap();
        assert!(OutFile::begin(dir.path(), true).is_err());
        assert!(OutFile::begin(Path::new(".."), true).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_reads_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("a.csv");
        OutFile::begin(&place, false).unwrap().keep().unwrap();
        let mode = std::fs::metadata(&place).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
