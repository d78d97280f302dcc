//! How the daemon of a project is found: who holds its lock is alive, and the record says where it listens. What a killed
//! daemon left behind counts for nothing, so neither a port that another program took nor a record that came with a
//! repository is ever talked to. Read [`DaemonFiles`] first.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Project, create_private, open_plain, read_plain, write_private};

/// Where a daemon listens and what it must be told.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonRecord {
    pub pid: u32,
    pub port: u16,
    /// 64 hexadecimal digits.
    pub token: String,
    pub version: String,
    /// Seconds since 1970.
    pub started_at: i64,
}

/// Files of a project's daemon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaemonFiles {
    dir: PathBuf,
}

/// The right to be the daemon of a project, for as long as it lives.
#[derive(Debug)]
pub struct Claim {
    files: DaemonFiles,
    lock: File,
}

/// Bytes read of a record.
const RECORD_LIMIT: u64 = 4_096;

impl std::fmt::Debug for DaemonRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DaemonRecord").field("pid", &self.pid).field("port", &self.port).finish_non_exhaustive()
    }
}

impl Project {
    /// Files of the project's daemon.
    #[must_use]
    pub fn daemon(&self) -> DaemonFiles {
        DaemonFiles { dir: self.memory_dir.clone() }
    }
}

impl DaemonFiles {
    /// The daemon that is alive; `None` also while it starts or ends.
    #[must_use]
    pub fn running(&self) -> Option<DaemonRecord> {
        if !self.is_claimed() {
            return None;
        }
        let record: DaemonRecord = serde_json::from_str(&read_plain(&self.record(), RECORD_LIMIT).ok()?).ok()?;
        let token = record.token.len() == 64 && record.token.bytes().all(|byte| byte.is_ascii_hexdigit());
        (token && record.port != 0).then_some(record)
    }

    /// Whether a process is the daemon, or is about to be. Takes nothing and makes no file.
    #[must_use]
    pub fn is_claimed(&self) -> bool {
        open_plain(&self.lock()).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Becomes the daemon; `None` when another process is. What a killed one left is taken away.
    ///
    /// # Errors
    /// The lock file cannot be made.
    pub fn claim(&self) -> io::Result<Option<Claim>> {
        let path = self.lock();
        if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "daemon.lock is no plain file"));
        }
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        private(&mut options);
        let lock = options.open(path)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let claim = Claim { files: self.clone(), lock };
        claim.withdraw();
        Ok(Some(claim))
    }

    /// Folder of the logs, made where it is missing.
    ///
    /// # Errors
    /// It cannot be made, or something else has its name.
    pub fn logs(&self) -> io::Result<PathBuf> {
        let dir = self.dir.join("logs");
        match create_private(&dir) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let real = fs::symlink_metadata(&dir)?.is_dir();
                if real { Ok(dir) } else { Err(error) }
            }
            made => made.map(|()| dir),
        }
    }

    fn record(&self) -> PathBuf {
        self.dir.join("daemon.json")
    }

    fn token(&self) -> PathBuf {
        self.dir.join("daemon.token")
    }

    fn lock(&self) -> PathBuf {
        self.dir.join("daemon.lock")
    }
}

impl Claim {
    /// Tells where the daemon listens, for this user's eyes only.
    ///
    /// # Errors
    /// The files cannot be written.
    pub fn publish(&self, record: &DaemonRecord) -> io::Result<()> {
        write_private(&self.files.token(), record.token.as_bytes())?;
        write_private(&self.files.record(), serde_json::to_string(record)?.as_bytes())
    }

    /// Whether the lock that others see is still this one: the folder may have been deleted or made again.
    #[must_use]
    pub fn stands(&self) -> bool {
        let Ok(meta) = fs::symlink_metadata(self.files.lock()) else { return false };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            self.lock.metadata().is_ok_and(|ours| (ours.dev(), ours.ino()) == (meta.dev(), meta.ino()))
        }
        #[cfg(not(unix))]
        meta.is_file()
    }

    /// Takes away what [`Claim::publish`] wrote.
    fn withdraw(&self) {
        for path in [self.files.record(), self.files.token()] {
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => tracing::warn!(%error, "cannot remove {}", path.display()),
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Another daemon's files may stand in a folder that was made again.
        if self.stands() {
            self.withdraw();
        }
    }
}

fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::DaemonRecord;

    fn record() -> DaemonRecord {
        DaemonRecord { pid: 1, port: 5, token: "ab".repeat(32), version: "1".into(), started_at: 7 }
    }

    fn project() -> (tempfile::TempDir, Project) {
        let dir = tempfile::tempdir().unwrap();
        let project = Project::at(dir.path()).unwrap();
        project.ensure_memory_dir().unwrap();
        (dir, project)
    }

    #[test]
    fn a_project_has_one_daemon_and_its_record_goes_with_it() {
        let (_dir, project) = project();
        let files = project.daemon();
        assert_eq!((files.is_claimed(), files.running()), (false, None));
        assert!(!project.memory_dir.join("daemon.lock").exists(), "asking makes no file");
        let claim = files.claim().unwrap().unwrap();
        assert!(files.claim().unwrap().is_none());
        claim.publish(&record()).unwrap();
        assert_eq!(files.running(), Some(record()));
        assert!(!format!("{:?}", record()).contains("abab"), "a log line must not hold the token");
        drop(claim);
        assert_eq!((files.is_claimed(), files.running()), (false, None));
        assert!(!project.memory_dir.join("daemon.json").exists() && !project.memory_dir.join("daemon.token").exists());
    }

    #[test]
    fn what_a_killed_daemon_left_counts_for_nothing() {
        let (_dir, project) = project();
        std::fs::write(project.memory_dir.join("daemon.json"), serde_json::to_string(&record()).unwrap()).unwrap();
        assert_eq!(project.daemon().running(), None);
        let _claim = project.daemon().claim().unwrap().unwrap();
        assert_eq!(project.daemon().running(), None);
    }

    #[test]
    fn records_that_make_no_sense_are_none() {
        let (_dir, project) = project();
        let _claim = project.daemon().claim().unwrap().unwrap();
        let token = "ab".repeat(32);
        let good = serde_json::json!({"pid": 1, "port": 5, "token": token, "version": "", "started_at": 0});
        for (key, value) in [("port", 0.into()), ("port", 70_000.into()), ("token", "ab\r\nX: y".into())] {
            let mut bad = good.clone();
            bad[key] = value;
            std::fs::write(project.memory_dir.join("daemon.json"), bad.to_string()).unwrap();
            assert_eq!(project.daemon().running(), None, "{bad}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn files_are_for_this_user_only_and_never_links() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let (_dir, project) = project();
        let victim = project.root.join("victim");
        std::fs::write(&victim, "kept").unwrap();
        symlink(&victim, project.memory_dir.join("daemon.token")).unwrap();
        symlink(&victim, project.memory_dir.join(format!("daemon.{}.tmp", std::process::id()))).unwrap();
        let claim = project.daemon().claim().unwrap().unwrap();
        claim.publish(&record()).unwrap();
        for name in ["daemon.json", "daemon.token", "daemon.lock"] {
            let meta = std::fs::symlink_metadata(project.memory_dir.join(name)).unwrap();
            assert_eq!((meta.is_file(), meta.permissions().mode() & 0o777), (true, 0o600), "{name}");
        }
        assert_eq!(std::fs::read_to_string(victim).unwrap(), "kept");
    }

    #[cfg(unix)]
    #[test]
    fn a_claim_in_a_deleted_folder_stands_no_more() {
        let (_dir, project) = project();
        let claim = project.daemon().claim().unwrap().unwrap();
        assert!(claim.stands());
        std::fs::remove_dir_all(&project.memory_dir).unwrap();
        project.ensure_memory_dir().unwrap();
        let second = project.daemon().claim().unwrap().unwrap();
        assert!(!claim.stands() && second.stands());
    }
}
