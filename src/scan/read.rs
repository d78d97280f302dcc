//! One file's content: safely opened, bounded, hashed and decoded. Never waits on a pipe, never reads outside the root, and
//! says why it refuses. Read [`read`] first.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh64::xxh64;

use super::{FoundFile, LARGEST_FILE};
use crate::model::{ContentHash, RelPath, SkipReason};
use crate::project::open_plain;

/// A file as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Without a byte order mark.
    pub text: String,
    /// Of the bytes, before decoding.
    pub hash: ContentHash,
    /// Some bytes were not valid and have been replaced.
    pub lossy: bool,
}

/// Bytes looked at to tell text from binary, as git does.
const HEAD: usize = 8 << 10;

/// Reads `file` below `root`, an absolute path without symbolic links.
///
/// # Errors
/// Why the file cannot be indexed: it is no plain file any more, lies outside the root, is binary, too large or unreadable. Whether
/// an empty one is of use is for the caller to say.
pub fn read(root: &Path, file: &FoundFile) -> Result<Content, SkipReason> {
    let mut source = open(root, &file.path)?;
    let mut bytes = Vec::with_capacity(usize::try_from(file.stat.size.min(LARGEST_FILE)).unwrap_or(0) + 1);
    fill(&mut source, &mut bytes, HEAD as u64)?;
    let encoding = Encoding::of(&bytes).ok_or(SkipReason::Binary)?;
    fill(&mut source, &mut bytes, LARGEST_FILE)?;
    let hash = hash_of(&bytes)?;
    let (text, lossy) = encoding.decode(bytes);
    Ok(Content { text, hash, lossy })
}

/// Hash of the file's bytes, whatever they are.
pub(super) fn hash(root: &Path, path: &RelPath) -> Result<ContentHash, SkipReason> {
    let mut bytes = Vec::new();
    fill(&mut open(root, path)?, &mut bytes, LARGEST_FILE + 1)?;
    hash_of(&bytes)
}

/// Why the symbolic link `link` is not followed.
pub(super) fn link_reason(root: &Path, link: &Path) -> SkipReason {
    match fs::canonicalize(link) {
        Ok(target) if target.starts_with(root) => SkipReason::Symlink,
        Ok(_) | Err(_) => SkipReason::SymlinkOutside,
    }
}

enum Encoding {
    Utf8,
    Utf16(fn([u8; 2]) -> u16),
}

impl Encoding {
    /// `None` for what is not text.
    fn of(head: &[u8]) -> Option<Self> {
        match head {
            // UTF-32, which begins like UTF-16.
            [0xff, 0xfe, 0, 0, ..] => None,
            [0xff, 0xfe, ..] => Some(Self::Utf16(u16::from_le_bytes)),
            [0xfe, 0xff, ..] => Some(Self::Utf16(u16::from_be_bytes)),
            _ if head.contains(&0) || mostly_invalid(head) => None,
            _ => Some(Self::Utf8),
        }
    }

    /// The text without its byte order mark, and whether bytes were replaced.
    fn decode(self, bytes: Vec<u8>) -> (String, bool) {
        let (mut text, lossy) = match self {
            Self::Utf8 => match String::from_utf8(bytes) {
                Ok(text) => (text, false),
                Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
            },
            Self::Utf16(unit) => {
                let (pairs, rest) = bytes.as_chunks::<2>();
                let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
                String::from_utf16(&units)
                    .map_or_else(|_| (String::from_utf16_lossy(&units), true), |text| (text, !rest.is_empty()))
            }
        };
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        (text, lossy)
    }
}

/// More than three bytes in ten are no UTF-8: another encoding's text would be noise, compressed data is.
fn mostly_invalid(head: &[u8]) -> bool {
    let invalid: usize = head.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    invalid * 10 > head.len() * 3
}

/// Opens the plain file at `path`. What stands there now may not be what the walk found.
fn open(root: &Path, path: &RelPath) -> Result<File, SkipReason> {
    let full = root.join(path.as_str());
    let kind = fs::symlink_metadata(&full).map_err(|_| SkipReason::Unreadable)?.file_type();
    if kind.is_symlink() {
        return Err(link_reason(root, &full));
    }
    if !kind.is_file() {
        return Err(SkipReason::SpecialFile);
    }
    let file = open_plain(&full).map_err(|error| {
        let special = error.kind() == io::ErrorKind::InvalidInput;
        if special { SkipReason::SpecialFile } else { SkipReason::Unreadable }
    })?;
    let real = real_path(&file, &full).map_err(|_| SkipReason::Unreadable)?;
    if real.starts_with(root) { Ok(file) } else { Err(SkipReason::SymlinkOutside) }
}

/// Where the opened file really is: a folder of its path may have become a symbolic link.
#[cfg(target_os = "linux")]
fn real_path(file: &File, full: &Path) -> io::Result<PathBuf> {
    use std::os::fd::AsRawFd;
    // Asks about the open file itself, so nothing can change in between.
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).or_else(|_| fs::canonicalize(full))
}

#[cfg(not(target_os = "linux"))]
fn real_path(_file: &File, full: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(full)
}

/// Appends up to `limit` bytes. One byte more than allowed is read to tell a file that is too large.
fn fill(file: &mut File, bytes: &mut Vec<u8>, limit: u64) -> Result<(), SkipReason> {
    file.take(limit).read_to_end(bytes).map_err(|_| SkipReason::Unreadable)?;
    Ok(())
}

fn hash_of(bytes: &[u8]) -> Result<ContentHash, SkipReason> {
    if bytes.len() as u64 > LARGEST_FILE { Err(SkipReason::TooLarge) } else { Ok(ContentHash(xxh64(bytes, 0))) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Content, HEAD, LARGEST_FILE, hash, read};
    use crate::model::{RelPath, SkipReason, Stat};
    use crate::scan::FoundFile;
    use crate::scan::fixture::{folder, pipe};

    fn read_at(root: &Path, path: &str) -> Result<Content, SkipReason> {
        read(root, &FoundFile { path: RelPath::new(path), stat: Stat::default() })
    }

    fn read_bytes(bytes: &[u8]) -> Result<(String, bool), SkipReason> {
        let (_dir, root) = folder(&[]);
        fs::write(root.join("a"), bytes).unwrap();
        read_at(&root, "a").map(|content| (content.text, content.lossy))
    }

    fn check(bytes: &[u8], text: &str, lossy: bool) {
        assert_eq!(read_bytes(bytes), Ok((text.to_owned(), lossy)));
    }

    #[test]
    fn text_is_decoded() {
        check("größe\n".as_bytes(), "größe\n", false);
        check(b"\xef\xbb\xbfa", "a", false);
        check(b"\xff\xfea\0\xe4\0", "aä", false);
        check(b"\xfe\xff\0a\0\xe4", "aä", false);
        check(b"\xff\xfea\0\x00\xd8", "a\u{fffd}", true);
        check(b"name = \"gr\xf6\xdfe\"", "name = \"gr\u{fffd}\u{fffd}e\"", true);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert_eq!(read_bytes(b"ab\0c"), Err(SkipReason::Binary));
        assert_eq!(read_bytes(b"\xff\xfe\0\0a\0\0\0"), Err(SkipReason::Binary));
        assert_eq!(read_bytes(b"\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0"), Err(SkipReason::Binary));
    }

    #[test]
    fn the_head_decides_and_a_sequence_cut_by_it_is_harmless() {
        let mut late = vec![b'a'; HEAD];
        late.push(0);
        assert!(read_bytes(&late).is_ok());
        let cut = format!("{}ä", "a".repeat(HEAD - 1));
        check(cut.as_bytes(), &cut, false);
    }

    #[test]
    fn a_file_that_grew_over_the_limit_is_refused() {
        let (_dir, root) = folder(&[]);
        let size = usize::try_from(LARGEST_FILE).unwrap();
        fs::write(root.join("fits"), vec![b'a'; size]).unwrap();
        fs::write(root.join("grown"), vec![b'a'; size + 1]).unwrap();
        assert!(read_at(&root, "fits").is_ok());
        assert_eq!(read_at(&root, "grown"), Err(SkipReason::TooLarge));
        assert_eq!(hash(&root, &RelPath::new("grown")), Err(SkipReason::TooLarge));
    }

    #[test]
    fn hash_is_of_the_bytes() {
        let (_dir, root) = folder(&[]);
        fs::write(root.join("plain"), b"a").unwrap();
        fs::write(root.join("marked"), b"\xef\xbb\xbfa").unwrap();
        let (plain, marked) = (read_at(&root, "plain").unwrap(), read_at(&root, "marked").unwrap());
        assert_eq!(plain.hash.to_string(), "d24ec4f1a98c6e5b");
        assert_ne!(plain.hash, marked.hash);
        assert_eq!(hash(&root, &RelPath::new("marked")), Ok(marked.hash));
    }

    #[test]
    fn missing_files_and_folders_are_refused() {
        let (_dir, root) = folder(&[]);
        fs::create_dir(root.join("sub")).unwrap();
        assert_eq!(read_at(&root, "none"), Err(SkipReason::Unreadable));
        assert_eq!(read_at(&root, "sub"), Err(SkipReason::SpecialFile));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_the_root_is_read() {
        use std::os::unix::fs::symlink;
        let (_dir, top) = folder(&[]);
        let root = top.join("root");
        fs::create_dir(&root).unwrap();
        fs::create_dir(top.join("away")).unwrap();
        fs::write(top.join("away/secret"), "s").unwrap();
        fs::write(root.join("own"), "o").unwrap();
        symlink(top.join("away"), root.join("swapped")).unwrap();
        symlink(top.join("away/secret"), root.join("link")).unwrap();
        symlink(root.join("own"), root.join("inner")).unwrap();
        let absolute = top.join("away/secret");
        for path in ["swapped/secret", "link", "../away/secret", absolute.to_str().unwrap()] {
            assert_eq!(read_at(&root, path), Err(SkipReason::SymlinkOutside), "{path}");
        }
        assert_eq!(read_at(&root, "inner"), Err(SkipReason::Symlink));
        assert!(read_at(&root, "own").is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_without_waiting_for_a_writer() {
        let (_dir, root) = folder(&[]);
        pipe(&root.join("pipe"));
        assert_eq!(read_at(&root, "pipe"), Err(SkipReason::SpecialFile));
        assert!(crate::project::open_plain(&root.join("pipe")).is_err());
    }
}
