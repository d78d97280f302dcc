//! What the manifests of a project say of its module paths, digested once a run. It reads text and follows no import; whether a
//! file that a manifest names is there is for the styles to ask. A manifest that cannot be read counts as absent.
//! Read [`Layout`] first.

mod cargo;
mod go_mod;
mod package_json;
mod python;
mod tsconfig;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::graph::{Code, Head, Named, Unit};
use crate::model::{FileId, RelPath};

pub(super) use cargo::{Crate, Crates};
pub(super) use go_mod::GoModule;
pub(super) use package_json::{Package, Packages, targets};
pub(super) use tsconfig::PathMaps;

/// The manifests of the project.
#[derive(Debug, Default)]
pub struct Layout {
    pub(super) packages: Packages,
    pub(super) path_maps: PathMaps,
    /// Longest module path first.
    pub(super) go_modules: Vec<GoModule>,
    pub(super) crates: Crates,
    /// Folders that packages begin in.
    pub(super) python_roots: Vec<String>,
    /// Names of the manifests that were asked for, whether there is one or not.
    asked: Vec<String>,
}

/// Code that notes which manifests it is asked for.
struct Asked<'a> {
    code: &'a dyn Code,
    names: RefCell<BTreeSet<String>>,
}

impl Layout {
    /// Reads all manifests that `code` holds.
    pub fn read(code: &dyn Code) -> Self {
        let code = Asked { code, names: RefCell::default() };
        Self {
            packages: Packages::read(&code),
            path_maps: PathMaps::read(&code),
            go_modules: go_mod::read(&code),
            crates: Crates::read(&code),
            python_roots: python::roots(&code),
            asked: code.names.into_inner().into_iter().collect(),
        }
    }

    /// Names of the manifests that the layout depends on.
    pub fn asked(&self) -> &[String] {
        &self.asked
    }
}

impl Code for Asked<'_> {
    fn unit(&self, file: FileId) -> Option<Arc<Unit>> {
        self.code.unit(file)
    }

    fn head(&self, file: FileId) -> Option<Head<'_>> {
        self.code.head(file)
    }

    fn file_at(&self, path: &str) -> Option<FileId> {
        self.code.file_at(path)
    }

    fn files_in(&self, dir: &str) -> Vec<FileId> {
        self.code.files_in(dir)
    }

    fn files_called(&self, file_name: &str) -> Vec<(RelPath, FileId)> {
        self.code.files_called(file_name)
    }

    fn named(&self, name: &str) -> Arc<[Named]> {
        self.code.named(name)
    }

    fn manifests(&self, file_name: &str) -> Vec<(RelPath, Arc<str>)> {
        self.names.borrow_mut().insert(file_name.to_owned());
        self.code.manifests(file_name)
    }
}

/// A value from JSON that may hold comments and trailing commas.
fn json(text: &str) -> Option<serde_json::Value> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&plain_json(text))).ok()
}

/// `text` without a byte order mark, comments, and commas before a closing bracket.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('"', _) => copy_string(&mut rest, &mut plain),
            ('/', Some('/')) => while rest.next_if(|c| *c != '\n').is_some() {},
            ('/', Some('*')) => skip_comment(&mut rest),
            ('}' | ']', _) => {
                plain.truncate(plain.trim_end().trim_end_matches(',').len());
                plain.push(c);
            }
            _ => plain.push(c),
        }
    }
    plain
}

type Chars<'t> = std::iter::Peekable<std::str::Chars<'t>>;

/// The string whose opening quote has just been read.
fn copy_string(rest: &mut Chars, plain: &mut String) {
    plain.push('"');
    while let Some(c) = rest.next() {
        plain.push(c);
        match c {
            '"' => return,
            '\\' => plain.extend(rest.next()),
            _ => {}
        }
    }
}

/// To the end of the comment whose slash has just been read.
fn skip_comment(rest: &mut Chars) {
    rest.next();
    let mut star = false;
    for c in rest.by_ref() {
        if star && c == '/' {
            return;
        }
        star = c == '*';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_with_comments_and_trailing_commas_is_read() {
        let text = "\u{feff}{ // a\n \"url\": \"http://x/*,]\\\"\", /* b ** */ \"list\": [1, 2, ], }";
        let value = json(text).unwrap();
        assert_eq!(value["url"], "http://x/*,]\"");
        assert_eq!(value["list"].as_array().unwrap().len(), 2);
        assert_eq!(json("{ \"a\": "), None);
    }
}
