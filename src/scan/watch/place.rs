//! What kind of place a folder is: on a file system that tells of changes or on one that does not, and whether it is still the
//! same one. Read [`silent`] first.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// File systems on which others make changes without events.
const SILENT: [&str; 18] = [
    "9p",
    "afs",
    "afpfs",
    "beegfs",
    "ceph",
    "cifs",
    "davfs",
    "drvfs",
    "fuse.sshfs",
    "gfs2",
    "glusterfs",
    "lustre",
    "nfs",
    "nfs4",
    "prl_fs",
    "smb3",
    "smbfs",
    "vboxsf",
];

/// Name of the file system that `root` is on, if it tells nobody of changes.
pub(super) fn silent(root: &Path) -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    silent_in(&mounts, root)
}

/// What tells a file or folder from another that takes its place later. A number alone may be given out again.
#[must_use]
pub fn identity(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let meta = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&meta);
    #[cfg(not(unix))]
    let number = 0;
    Some((number, meta.created().ok()))
}

fn silent_in(mounts: &str, root: &Path) -> Option<String> {
    let mount = |line: &str| -> Option<(usize, String)> {
        let (head, tail) = line.split_once(" - ")?;
        let point = head.split(' ').nth(4)?.replace("\\040", " ");
        let kind = tail.split(' ').next()?.to_owned();
        root.starts_with(&point).then_some((point.len(), kind))
    };
    // Of mounts on one point, the last hides the others.
    let (_, kind) = mounts.lines().filter_map(mount).max_by_key(|(length, _)| *length)?;
    SILENT.contains(&kind.as_str()).then_some(kind)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::silent_in;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /home/far rw shared:2 - nfs4 host:/x rw
31 30 8:2 / /home/far/near rw shared:3 - ext4 /dev/sdb rw
32 22 0:41 / /mnt/my\\040share rw - cifs //h/s rw
";

    #[test]
    fn the_nearest_mount_decides() {
        let kind = |root: &str| silent_in(MOUNTS, Path::new(root));
        assert_eq!(kind("/home/far/project").as_deref(), Some("nfs4"));
        assert_eq!(kind("/mnt/my share/p").as_deref(), Some("cifs"));
        assert_eq!(kind("/home/far/near/p"), None);
        assert_eq!(kind("/home/farther"), None);
    }
}
