//! One log file a day, for its owner only. No clock makes it fail: a time that no calendar reaches is written
//! as a number.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

const PREFIX: &str = "rmm-analyst.";
const SUFFIX: &str = ".log";
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Milliseconds since the Unix epoch, before it negative; the ends of the range where they do not fit.
pub(super) fn now_ms() -> i64 {
    let now = std::time::SystemTime::now();
    match now.duration_since(std::time::UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
    }
}

/// A time in UTC, to the millisecond (RFC 3339); as `@` and milliseconds where the calendar ends (year 9999).
fn stamp(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| format!("@{ms}"),
        |t| t.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
    )
}

/// The day of a time in UTC, as it stands in a file's name; names sort by day where the calendar reaches.
fn day(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| format!("day{}", ms.div_euclid(DAY)),
        |t| t.strftime("%Y-%m-%d").to_string(),
    )
}

/// The clock of the log's lines.
pub(super) struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, w: &mut Writer<'_>) -> std::fmt::Result {
        w.write_str(&stamp(now_ms()))
    }
}

/// The file of the day.
pub(super) struct Daily {
    dir: PathBuf,
    keep: usize,
    day: String,
    file: File,
}

impl Daily {
    /// Makes the directory where it is missing and opens today's file. `None` where the system refuses.
    pub(super) fn open(dir: PathBuf, keep_days: u32, ms: i64) -> Option<Self> {
        // It may be the first to make the data directory, which is nobody else's business either.
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&dir).ok()?;
        private(&dir, 0o700);
        let day = day(ms);
        let file = append(&dir, &day)?;
        let daily = Self {
            dir,
            keep: (keep_days.max(1)) as usize,
            day,
            file,
        };
        daily.prune();
        Some(daily)
    }

    /// Writes a line; into a new file when the day has changed. What cannot be written is lost: a log is no
    /// reason to stop.
    pub(super) fn write(&mut self, line: &[u8], ms: i64) {
        let today = day(ms);
        if today != self.day
            && let Some(file) = append(&self.dir, &today)
        {
            self.file = file;
            self.day = today;
            self.prune();
        }
        let _ = self.file.write_all(line);
    }

    /// Removes the oldest files until as many days are left as are kept.
    fn prune(&self) {
        let Ok(entries) = std::fs::read_dir(&self.dir) else {
            return;
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|e| e.file_name().into_string().ok())
            .filter(|name| is_ours(name))
            .collect();
        names.sort_unstable();
        let today = format!("{PREFIX}{}{SUFFIX}", self.day);
        let old = names.len().saturating_sub(self.keep);
        for name in names.iter().take(old).filter(|n| **n != today) {
            let _ = std::fs::remove_file(self.dir.join(name));
        }
    }
}

/// Whether a name is that of a file of this log: nothing else in the directory is removed.
fn is_ours(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX))
        .is_some_and(|day| {
            let date = day.len() == 10 && day.bytes().all(|b| b.is_ascii_digit() || b == b'-');
            date || day
                .strip_prefix("day")
                .is_some_and(|n| n.parse::<i64>().is_ok())
        })
}

fn append(dir: &Path, day: &str) -> Option<File> {
    let path = dir.join(format!("{PREFIX}{day}{SUFFIX}"));
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path).ok()?;
    // One that another version left open to others.
    private(&path, 0o600);
    Some(file)
}

/// The log holds what was asked about: nobody else's business.
#[cfg(unix)]
fn private(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn private(_path: &Path, _mode: u32) {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 2026-11-30T12:00:00Z.
    const T0: i64 = 1_796_040_000_000;

    fn names(dir: &Path) -> Vec<String> {
        let mut all: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        all.sort();
        all
    }

    #[test]
    fn a_time_is_written_as_people_read_it() {
        assert_eq!(stamp(T0 + 7), "2026-11-30T12:00:00.007Z");
        assert_eq!(day(T0), "2026-11-30");
        // The first moment of the year 10000.
        assert_eq!(stamp(253_402_300_800_000), "@253402300800000");
    }

    proptest! {
        #[test]
        fn no_clock_makes_it_fail(ms in any::<i64>()) {
            let dir = tempfile::tempdir().unwrap();
            let mut daily = Daily::open(dir.path().join("log"), 3, ms).unwrap();
            daily.write(stamp(ms).as_bytes(), ms);
            daily.write(b"x", ms.wrapping_mul(31));
            let name = format!("{PREFIX}{}{SUFFIX}", day(ms));
            prop_assert!(is_ours(&name), "{}", name);
        }
    }

    #[test]
    fn one_file_a_day_and_the_oldest_go() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("rmm-analyst.notes.log"), "mine").unwrap();
        let mut daily = Daily::open(dir.path().to_owned(), 2, T0).unwrap();
        for n in 0..4 {
            daily.write(b"line\n", T0 + n * DAY);
        }
        assert_eq!(
            names(dir.path()),
            [
                "rmm-analyst.2026-12-02.log",
                "rmm-analyst.2026-12-03.log",
                "rmm-analyst.notes.log"
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn it_is_the_owners_alone_even_where_it_was_not() {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |p: &Path| std::fs::metadata(p).unwrap().permissions().mode() & 0o777;
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("log");
        std::fs::create_dir(&dir).unwrap();
        let file = dir.join("rmm-analyst.2026-11-30.log");
        std::fs::write(&file, "before\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut daily = Daily::open(dir.clone(), 2, T0).unwrap();
        daily.write(b"after\n", T0);
        assert_eq!((mode(&dir), mode(&file)), (0o700, 0o600));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "before\nafter\n");
    }
}
