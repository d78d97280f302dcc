//! Paths as text: `/`-separated, relative to the root of the project, `""` the root itself. Nothing here asks for a file.

/// `relative` seen from the folder `dir`; `None` when it leaves the root.
pub(super) fn join(dir: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// `dir/rest` without a leading or trailing slash.
pub(super) fn in_dir(dir: &str, rest: &str) -> String {
    match (dir, rest) {
        ("", path) | (path, "") => path.to_owned(),
        (dir, rest) => format!("{dir}/{rest}"),
    }
}

pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// File name without its last extension.
pub(super) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// What follows the last dot of the file name.
pub(super) fn extension(path: &str) -> Option<&str> {
    file_name(path).rsplit_once('.').map(|(_, extension)| extension)
}

/// `dir` and the folders above it, the root last.
pub(super) fn upwards(dir: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dir), |dir| (!dir.is_empty()).then(|| parent(dir)))
}

/// What follows `dir/` in `path`.
pub(super) fn below<'p>(path: &'p str, dir: &str) -> Option<&'p str> {
    if dir.is_empty() { Some(path) } else { path.strip_prefix(dir)?.strip_prefix('/') }
}

/// Number of leading folders that two folders have in common.
pub(super) fn shared(a: &str, b: &str) -> usize {
    let parts = |dir| str::split(dir, '/').filter(|part: &&str| !part.is_empty());
    parts(a).zip(parts(b)).take_while(|(a, b)| a == b).count()
}
