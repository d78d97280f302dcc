//! Paths as an assistant names them -> paths of the project. What leads out of the project is refused, whichever way it leads out: `..`,
//! an absolute path, a symbolic link. It reads no file. Read [`inside`] first.

use std::path::{Component, Path, PathBuf};

use super::refusal::{Answer, Refusal};
use crate::model::RelPath;

/// Characters of a path at most.
const MOST: usize = 4_096;

/// `given` from the project's root; absolute paths into the project are taken, too. It need not exist.
pub(super) fn inside(root: &Path, given: &str) -> Answer<RelPath> {
    if given.is_empty() || given.len() > MOST || given.contains('\0') {
        return Err(Refusal::new("a path is empty, too long or holds a NUL", "give paths from the project's root"));
    }
    let outside = || outside(given);
    let within = within(root, Path::new(given)).ok_or_else(outside)?;
    let real = real_base(&root.join(&within)).ok_or_else(outside)?;
    if !real.starts_with(root) {
        return Err(outside());
    }
    let text = within.to_str().ok_or_else(outside)?;
    Ok(RelPath::new(if text.is_empty() { "." } else { text }))
}

/// A name with a path before it (`path:name`): the path must lie inside, the name is anything.
pub(super) fn name_inside(root: &Path, name: &str) -> Answer<String> {
    if name.trim().is_empty() || name.len() > MOST {
        return Err(Refusal::new("a name is empty or too long", "give `name`, `Owner.name` or `path:name`"));
    }
    let Some((path, rest)) = name.rsplit_once(':').filter(|(path, _)| !path.is_empty() && !path.ends_with(':')) else {
        return Ok(name.to_owned());
    };
    // `Outer::Inner.name` and the like have colons that end no path.
    if path.contains("::") {
        return Ok(name.to_owned());
    }
    Ok(format!("{}:{rest}", inside(root, path)?))
}

/// A glob of paths inside the project.
pub(super) fn glob_inside(root: &Path, glob: &str) -> Answer<String> {
    if glob.len() > MOST || glob.contains('\0') || glob.split(['/', '\\']).any(|part| part == "..") {
        return Err(outside(glob));
    }
    let path = Path::new(glob);
    if !path.is_absolute() {
        return Ok(glob.to_owned());
    }
    let below = path.strip_prefix(root).ok().and_then(Path::to_str).ok_or_else(|| outside(glob))?;
    Ok(below.to_owned())
}

fn outside(given: &str) -> Refusal {
    let shown: String = given.chars().take(200).collect();
    Refusal::new(format!("{shown:?} is outside the project"), "give paths from the project's root")
}

/// `path` from `root`, `..` and `.` worked out by their names.
fn within(root: &Path, path: &Path) -> Option<PathBuf> {
    let below;
    let path = if path.is_absolute() {
        below = from_root(root, path)?;
        below.as_path()
    } else {
        path
    };
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !parts.pop() {
                    return None;
                }
            }
            Component::Prefix(_) | Component::RootDir => return None,
        }
    }
    Some(parts)
}

/// An absolute path below the root, also where it is written through a link to the root.
fn from_root(root: &Path, path: &Path) -> Option<PathBuf> {
    if let Ok(below) = path.strip_prefix(root) {
        return Some(below.to_path_buf());
    }
    let above = path.ancestors().find(|above| std::fs::canonicalize(above).is_ok_and(|real| real == root))?;
    path.strip_prefix(above).ok().map(Path::to_path_buf)
}

/// The nearest folder or file upwards that exists, free of links. A link that leads nowhere exists and has no such place.
fn real_base(path: &Path) -> Option<PathBuf> {
    let base = path.ancestors().find(|above| std::fs::symlink_metadata(above).is_ok())?;
    std::fs::canonicalize(base).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    fn root() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap().join("project");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/a.py"), "").unwrap();
        fs::write(root.with_file_name("secret.txt"), "").unwrap();
        (dir, root)
    }

    fn taken(root: &Path, given: &str) -> Option<String> {
        inside(root, given).ok().map(|path| path.to_string())
    }

    #[test]
    fn paths_are_taken_from_the_root() {
        let (_dir, root) = root();
        let absolute = root.join("src/a.py");
        assert_eq!(taken(&root, "src/a.py").as_deref(), Some("src/a.py"));
        assert_eq!(taken(&root, "./src/../src/./new.py").as_deref(), Some("src/new.py"));
        assert_eq!(taken(&root, absolute.to_str().unwrap()).as_deref(), Some("src/a.py"));
        assert_eq!(taken(&root, ".").as_deref(), Some("."));
    }

    #[test]
    fn what_leads_out_is_refused() {
        let (_dir, root) = root();
        let beside = root.with_file_name("secret.txt");
        for given in
            ["..", "../secret.txt", "src/../../secret.txt", "/etc/passwd", "", "a\0b", beside.to_str().unwrap()]
        {
            assert_eq!(taken(&root, given), None, "{given:?}");
        }
        assert!(name_inside(&root, "../secret.txt:name").is_err());
        assert!(glob_inside(&root, "../**").is_err() && glob_inside(&root, "/etc/*").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_project_are_refused() {
        let (_dir, root) = root();
        std::os::unix::fs::symlink(root.parent().unwrap(), root.join("up")).unwrap();
        std::os::unix::fs::symlink(root.with_file_name("nowhere"), root.join("dangling")).unwrap();
        std::os::unix::fs::symlink(root.join("src"), root.join("in")).unwrap();
        assert_eq!(taken(&root, "up/secret.txt"), None);
        assert_eq!(taken(&root, "up/not/there"), None);
        assert_eq!(taken(&root, "dangling"), None);
        assert_eq!(taken(&root, "in/a.py").as_deref(), Some("in/a.py"));
    }

    #[cfg(unix)]
    #[test]
    fn the_root_may_be_named_through_a_link() {
        let (_dir, root) = root();
        let alias = root.with_file_name("alias");
        std::os::unix::fs::symlink(&root, &alias).unwrap();
        assert_eq!(taken(&root, alias.join("src/a.py").to_str().unwrap()).as_deref(), Some("src/a.py"));
    }

    #[test]
    fn names_keep_their_colons() {
        let (_dir, root) = root();
        assert_eq!(name_inside(&root, "Store::save").unwrap(), "Store::save");
        assert_eq!(name_inside(&root, "src/a.py:Store.save").unwrap(), "src/a.py:Store.save");
        assert_eq!(name_inside(&root, "a.py:f").unwrap(), "a.py:f");
        assert!(name_inside(&root, " ").is_err());
    }

    proptest! {
        #[test]
        fn no_path_escapes(parts in prop::collection::vec("(\\.\\.|\\.|src|up|[a-z/\\\\]{0,4}|\\PC{0,3})", 0..8)) {
            let (_dir, root) = root();
            if let Ok(path) = inside(&root, &parts.join("/")) {
                let joined = root.join(path.as_str());
                prop_assert!(joined.starts_with(&root) && !path.as_str().split('/').any(|part| part == ".."));
            }
        }
    }
}
