//! The daemon's log file: so large and no larger, with a few predecessors. Read [`RotatingLog`] first.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Appends to a file; one that is full becomes `….1`, and `….1` becomes `….2`.
#[derive(Debug)]
pub struct RotatingLog {
    path: PathBuf,
    file: File,
    size: u64,
    most: u64,
}

/// Bytes.
const LARGEST: u64 = 1 << 20;
const OLD_LOGS: u32 = 3;

impl RotatingLog {
    /// Opens `daemon.log` in `dir`.
    ///
    /// # Errors
    /// It cannot be made, or is no plain file.
    pub fn open(dir: &Path) -> io::Result<Self> {
        Self::with_size(dir.join("daemon.log"), LARGEST)
    }

    fn with_size(path: PathBuf, most: u64) -> io::Result<Self> {
        let file = open(&path)?;
        let size = file.metadata()?.len();
        Ok(Self { path, file, size, most })
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (1..OLD_LOGS).rev() {
            let old = self.old(number);
            if old.exists() {
                fs::rename(old, self.old(number + 1))?;
            }
        }
        fs::rename(&self.path, self.old(1))?;
        self.file = open(&self.path)?;
        self.size = 0;
        Ok(())
    }

    fn old(&self, number: u32) -> PathBuf {
        self.path.with_extension(format!("log.{number}"))
    }
}

impl Write for RotatingLog {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.size > 0 && self.size + line.len() as u64 > self.most && self.rotate().is_err() {
            // It goes on in the old file: a log that cannot be renamed is still a log.
            self.size = 0;
        }
        let written = self.file.write(line)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn open(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the log is no plain file"));
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::RotatingLog;

    #[test]
    fn a_full_log_makes_way_and_the_oldest_goes() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = RotatingLog::with_size(dir.path().join("daemon.log"), 10).unwrap();
        for n in 0..9 {
            log.write_all(format!("line {n}\n").as_bytes()).unwrap();
        }
        let text = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!((text("daemon.log").as_str(), text("daemon.log.1").as_str()), ("line 8\n", "line 7\n"));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 4);
    }
}
