//! Links for the tests of this room, and what the store does with them. Names mean the file of the least path that defines them, so
//! most changes reach into other files. Read [`link`] first.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{CodeReader, ImportLink, Links, PackedLinks, Packer};
use super::{Finish, Start, StorePaths, Writer};
use crate::model::{Edge, EdgeKind, FileId, Resolution, SymbolKey, Target, symbol_keys};

/// Links of a store by path: what leads out of each file, to each name and to each file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct LinkContent {
    outgoing: BTreeMap<String, Vec<String>>,
    incoming: BTreeMap<String, BTreeSet<String>>,
    imported: BTreeMap<String, BTreeSet<String>>,
}

/// Definitions of each word by path.
struct Words(BTreeMap<String, BTreeSet<(String, FileId, SymbolKey)>>);

/// Applies and then links at most `most` of the files that need it; with all of them the run is complete.
pub(super) fn write_linked(paths: &StorePaths, most: usize, apply: impl FnOnce(&Writer)) {
    let writer = Writer::open(paths, Start::AsIs, || panic!("nobody else writes"), &|| false).unwrap();
    apply(&writer);
    let linked = link(&writer, paths, most);
    writer.finish(Finish { linked, ..Finish::default() }).unwrap();
}

/// Links at most `most` files; whether that was all.
pub(super) fn link(writer: &Writer, paths: &StorePaths, most: usize) -> bool {
    writer.settle().unwrap();
    let code = CodeReader::open(&paths.metadata()).unwrap();
    let affected = affected(&code);
    let words = Words::read(&code);
    for &file in affected.iter().take(most) {
        let links = PackedLinks::new(&words.resolve(&code, file), &mut Packer::new());
        writer.link(file, Box::new(links)).unwrap();
    }
    affected.len() <= most
}

pub(super) fn affected(code: &CodeReader) -> BTreeSet<FileId> {
    let mut files = code.watching(&code.changed().unwrap()).unwrap();
    files.extend(code.unresolved().unwrap());
    files.into_iter().collect()
}

/// What other files may look up in a file of the fixtures.
pub(super) fn exposed(path: &str, words: &[&str]) -> Vec<(u32, u32)> {
    let words: BTreeSet<u32> = words.iter().map(|word| key(word)).collect();
    words.into_iter().map(|word| (word, key(path))).collect()
}

pub(super) fn key(text: &str) -> u32 {
    xxhash_rust::xxh64::xxh64(text.as_bytes(), 0) as u32
}

impl Words {
    fn read(code: &CodeReader) -> Self {
        let mut words = BTreeMap::<_, BTreeSet<_>>::new();
        for file in code.files().unwrap() {
            let symbols = code.symbols(file.id).unwrap();
            for (symbol, key) in symbols.iter().zip(symbol_keys(&symbols)) {
                let place = (file.path.to_string(), file.id, key);
                words.entry(symbol.name.to_string()).or_default().insert(place);
            }
        }
        Self(words)
    }

    fn resolve(&self, code: &CodeReader, file: FileId) -> Links {
        let facts = code.facts(file).unwrap();
        let mut links = Links::default();
        let mut watched = BTreeSet::new();
        for (reference, index) in facts.refs.iter().zip(0..) {
            watched.insert(key(&reference.callee));
            let found = &self.0[&*reference.callee];
            let to = found.first().map(|(_, file, key)| Target { file: *file, key: *key });
            links.edges.push(Edge { from: reference.from, ..edge(index, to) });
            links.names.push(reference.callee.clone());
        }
        for (import, index) in facts.imports.iter().zip(0..) {
            watched.insert(key(&import.name));
            let other = self.0[&*import.name].iter().find(|(_, other, _)| *other != file);
            links.imports.push(ImportLink { import: index, to: other.map(|(_, file, _)| *file) });
        }
        links.watched = watched.into_iter().collect();
        links
    }
}

/// A call; its numbers follow from `reference`.
fn edge(reference: u32, to: Option<Target>) -> Edge {
    let resolution = if to.is_some() { Resolution::UniqueName } else { Resolution::External };
    let line = reference + 1;
    Edge { line, reference, from: None, kind: EdgeKind::Call, resolution, confidence: 70, candidates: 2, to }
}

impl LinkContent {
    pub(super) fn read(code: &CodeReader, words: &BTreeSet<String>, path: &dyn Fn(FileId) -> String) -> Self {
        let show =
            |edge: &Edge| format!("{:?} {:?}", Edge { to: None, ..*edge }, edge.to.map(|to| (path(to.file), to.key)));
        let mut content = Self::default();
        for file in code.files().unwrap() {
            let imports = code.import_links(file.id).unwrap().into_iter();
            let imports = imports.map(|link| format!("import {} {:?}", link.import, link.to.map(path)));
            let outgoing = code.edges(file.id).unwrap().iter().map(show).chain(imports).collect();
            content.outgoing.insert(file.path.to_string(), outgoing);
            let importers = code.imported_by(file.id).unwrap().into_iter().map(path).collect();
            content.imported.insert(file.path.to_string(), importers);
        }
        for word in words {
            let incoming = code.incoming(word).unwrap();
            let incoming: BTreeSet<_> =
                incoming.iter().map(|found| path(found.file) + " " + &show(&found.edge)).collect();
            if !incoming.is_empty() {
                content.incoming.insert(word.clone(), incoming);
            }
        }
        content
    }

    /// Every edge is seen from both ends and none leads to nothing.
    pub(super) fn assert_sound(&self) {
        let out: BTreeSet<String> = self
            .outgoing
            .iter()
            .flat_map(|(path, links)| {
                links.iter().filter(|link| link.starts_with("Edge")).map(move |link| format!("{path} {link}"))
            })
            .collect();
        assert_eq!(self.incoming.values().flatten().cloned().collect::<BTreeSet<_>>(), out);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::fixtures::{store, tamper, update, update_exposing, write};
    use super::super::{StoreError, check};
    use super::*;
    use crate::model::RelPath;

    const ALL: usize = usize::MAX;

    fn open(paths: &StorePaths) -> CodeReader {
        CodeReader::open(&paths.metadata()).unwrap()
    }

    fn id(code: &CodeReader, path: &str) -> FileId {
        code.file_at(&RelPath::new(path)).unwrap().unwrap().id
    }

    fn target(code: &CodeReader, path: &str, symbol: usize) -> Target {
        let file = id(code, path);
        Target { file, key: symbol_keys(&code.symbols(file).unwrap())[symbol] }
    }

    fn put_links(paths: &StorePaths, file: FileId, links: &Links, finish: Finish) {
        let writer = Writer::open(paths, Start::AsIs, || {}, &|| false).unwrap();
        writer.link(file, Box::new(PackedLinks::new(links, &mut Packer::new()))).unwrap();
        writer.finish(finish).unwrap();
    }

    fn linked() -> Finish {
        Finish { linked: true, ..Finish::default() }
    }

    /// `a.py` and `b.py`, all linked: `b.py` calls both functions of `a.py` and one that nobody knows, and imports it twice.
    fn linked_store() -> (tempfile::TempDir, StorePaths, Links) {
        let (dir, paths) = store();
        let code = open(&paths);
        let target = |symbol| Some(target(&code, "a.py", symbol));
        let to = [target(0), None, target(1), target(0)];
        let links = Links {
            edges: to.into_iter().zip(0..).map(|(to, reference)| edge(reference, to)).collect(),
            names: ["alpha", "", "beta", "alpha"].map(Into::into).to_vec(),
            imports: [None, Some(id(&code, "a.py")), Some(id(&code, "a.py"))]
                .into_iter()
                .zip(0..)
                .map(|(to, import)| ImportLink { import, to })
                .collect(),
            watched: vec![key("alpha").min(key("beta")), key("alpha").max(key("beta"))],
        };
        put_links(&paths, id(&code, "b.py"), &links, linked());
        (dir, paths, links)
    }

    #[test]
    fn links_are_read_back_from_both_ends() {
        let (_dir, paths, links) = linked_store();
        let code = open(&paths);
        let (a, b) = (id(&code, "a.py"), id(&code, "b.py"));
        assert_eq!((code.edges(b).unwrap(), code.import_links(b).unwrap()), (links.edges.clone(), links.imports));
        assert_eq!((code.edges(a).unwrap(), code.import_links(a).unwrap()), (vec![], vec![]));
        let incoming =
            |name| code.incoming(name).unwrap().into_iter().map(|found| (found.file, found.edge)).collect::<Vec<_>>();
        assert_eq!(incoming("_Alpha"), [(b, links.edges[0]), (b, links.edges[3])]);
        assert_eq!(incoming("beta"), [(b, links.edges[2])]);
        assert_eq!(incoming("gamma"), []);
        assert_eq!((code.imported_by(a).unwrap(), code.imported_by(b).unwrap()), (vec![b], vec![]));
        let stats = code.graph_stats().unwrap();
        assert_eq!((stats.edges, stats.imports, stats.imports_inside, stats.unresolved), (4, 3, 2, 0));
        assert_eq!(stats.kinds, [(EdgeKind::Call, 4)]);
        assert_eq!(stats.resolutions, [(Resolution::UniqueName, 3), (Resolution::External, 1)]);
        assert!(check(&paths).unwrap().is_whole());
    }

    #[test]
    fn links_made_again_replace_the_old_ones() {
        let (_dir, paths, links) = linked_store();
        let b = id(&open(&paths), "b.py");
        let edges = vec![links.edges[2]];
        let fewer = Links { edges, names: vec!["beta".into()], ..Links::default() };
        put_links(&paths, b, &fewer, linked());
        let code = open(&paths);
        assert_eq!(code.edges(b).unwrap(), fewer.edges);
        assert_eq!((code.incoming("alpha").unwrap(), code.imported_by(id(&code, "a.py")).unwrap()), (vec![], vec![]));
        assert_eq!(code.incoming("beta").unwrap().len(), 1);
        assert_eq!(code.watching(&links.watched).unwrap(), []);
        put_links(&paths, b, &Links::default(), linked());
        assert_eq!(open(&paths).edges(b).unwrap(), []);
        assert!(check(&paths).unwrap().is_whole());
    }

    #[test]
    fn a_put_voids_the_links_of_the_file() {
        let (_dir, paths, links) = linked_store();
        write(&paths, |writer| writer.put(update("b.py", &["beta"])).unwrap());
        let code = open(&paths);
        let (a, b) = (id(&code, "a.py"), id(&code, "b.py"));
        assert_eq!(code.unresolved().unwrap(), [b]);
        assert_eq!((code.edges(b).unwrap(), code.import_links(b).unwrap()), (vec![], vec![]));
        assert_eq!((code.incoming("alpha").unwrap(), code.imported_by(a).unwrap()), (vec![], vec![]));
        assert_eq!(code.watching(&links.watched).unwrap(), []);
        assert_eq!(code.graph_stats().unwrap().unresolved, 1);
    }

    #[test]
    fn what_became_another_answer_is_remembered_until_all_is_linked() {
        let (_dir, paths) = store();
        let put = |exposed: &[(u32, u32)]| {
            write(&paths, |writer| writer.put(update_exposing("a.py", &["alpha"], exposed)).unwrap());
            open(&paths).changed().unwrap()
        };
        assert_eq!(put(&[(1, 1), (2, 1), (3, 1)]), [0; 0]);
        write(&paths, |writer| assert!(link(writer, &paths, ALL)));
        assert_eq!(open(&paths).unresolved().unwrap().len(), 2);
        write_linked(&paths, ALL, |_| {});
        assert_eq!(open(&paths).unresolved().unwrap(), []);
        assert_eq!(put(&[(1, 1), (2, 1), (3, 1)]), [0; 0]);
        assert_eq!(put(&[(1, 1), (2, 7), (9, 1)]), [2, 3, 9]);
        assert_eq!(put(&[(1, 2), (2, 7), (9, 1)]), [1, 2, 3, 9]);
        write_linked(&paths, ALL, |_| {});
        write_linked(&paths, 0, |writer| writer.put(update_exposing("c.py", &[], &[(5, 5), (6, 6)])).unwrap());
        assert_eq!(open(&paths).changed().unwrap(), [5, 6]);
        write_linked(&paths, ALL, |_| {});
        write(&paths, |writer| writer.remove(RelPath::new("a.py")).unwrap());
        assert_eq!(open(&paths).changed().unwrap(), [1, 2, 9]);
    }

    #[test]
    fn watching_finds_the_files_that_looked_a_key_up() {
        let (_dir, paths) = store();
        let watched = [("a.py", vec![3, 500, u32::MAX]), ("b.py", (100..400).collect())];
        for (path, watched) in watched {
            put_links(&paths, id(&open(&paths), path), &Links { watched, ..Links::default() }, linked());
        }
        let code = open(&paths);
        let (a, b) = (id(&code, "a.py"), id(&code, "b.py"));
        let watching = |keys: &[u32]| code.watching(keys).unwrap();
        assert_eq!((watching(&[]), watching(&[0, 4, 499]), watching(&[500])), (vec![], vec![], vec![a]));
        assert_eq!((watching(&[1, 399]), watching(&[3, 100])), (vec![b], vec![a, b]));
        assert_eq!(watching(&(501..9000).chain([u32::MAX]).collect::<Vec<_>>()), [a]);
    }

    #[test]
    fn the_number_of_a_file_is_not_given_away_while_edges_name_it() {
        let (_dir, paths, links) = linked_store();
        let (a, b) = (id(&open(&paths), "a.py"), id(&open(&paths), "b.py"));
        write(&paths, |writer| {
            writer.remove(RelPath::new("a.py")).unwrap();
            writer.put(update("new.py", &["alpha", "beta"])).unwrap();
        });
        write(&paths, |writer| writer.put(update("newer.py", &["alpha"])).unwrap());
        let code = open(&paths);
        assert!(![id(&code, "new.py"), id(&code, "newer.py")].contains(&a));
        assert_eq!(code.edges(b).unwrap(), links.edges[1..2]);
        assert_eq!(code.import_links(b).unwrap().iter().filter(|link| link.to.is_some()).count(), 0);
        assert_eq!(code.incoming("alpha").unwrap(), []);
        assert!(check(&paths).unwrap().is_whole());
        assert_eq!(affected(&code), [b, id(&code, "new.py"), id(&code, "newer.py")].into());
        write_linked(&paths, ALL, |_| {});
        write(&paths, |writer| writer.put(update("last.py", &["alpha"])).unwrap());
        assert_eq!(id(&open(&paths), "last.py"), a);
    }

    #[test]
    fn the_number_of_the_last_file_is_kept_as_well() {
        let (_dir, paths) = store();
        write_linked(&paths, ALL, |_| {});
        let b = id(&open(&paths), "b.py");
        write(&paths, |writer| writer.remove(RelPath::new("b.py")).unwrap());
        write(&paths, |writer| writer.put(update("c.py", &["x"])).unwrap());
        assert_ne!(id(&open(&paths), "c.py"), b);
    }

    #[test]
    fn edges_to_a_symbol_that_is_gone_are_left_out() {
        let (_dir, paths, links) = linked_store();
        write(&paths, |writer| writer.put(update("a.py", &["zeta", "alpha"])).unwrap());
        let code = open(&paths);
        let b = id(&code, "b.py");
        assert_eq!(code.edges(b).unwrap(), [links.edges[0], links.edges[1], links.edges[3]]);
        assert_eq!((code.incoming("alpha").unwrap().len(), code.incoming("beta").unwrap().len()), (2, 0));
        assert_eq!(code.import_links(b).unwrap(), links.imports);
    }

    #[test]
    fn a_run_that_ends_between_batches_leaves_its_files_unresolved() {
        let (_dir, paths) = store();
        let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
        assert!(!link(&writer, &paths, 1));
        writer.settle().unwrap();
        let code = open(&paths);
        assert_eq!(code.edges(id(&code, "a.py")).unwrap().len(), 1);
        drop(writer);
        assert_eq!(open(&paths).unresolved().unwrap().len(), 2);
    }

    #[test]
    fn links_of_a_later_batch_join_those_of_the_first() {
        let (_dir, paths) = store();
        let code = open(&paths);
        let edges = vec![edge(0, Some(target(&code, "a.py", 1)))];
        let links = Links { edges, names: vec!["beta".into()], ..Links::default() };
        let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
        for path in ["a.py", "b.py"] {
            writer.link(id(&code, path), Box::new(PackedLinks::new(&links, &mut Packer::new()))).unwrap();
            writer.settle().unwrap();
        }
        writer.finish(linked()).unwrap();
        assert_eq!(open(&paths).incoming("beta").unwrap().len(), 2);
    }

    #[test]
    fn settled_files_are_seen_before_the_run_ends() {
        let (_dir, paths) = store();
        let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
        writer.settle().unwrap();
        writer.put(update("c.py", &["x"])).unwrap();
        writer.settle().unwrap();
        id(&open(&paths), "c.py");
        assert_eq!(writer.finish(Finish::default()).unwrap().commits, 2);
    }

    #[test]
    fn a_stopped_writer_does_not_settle() {
        let (_dir, paths) = store();
        let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
        tamper(&paths.metadata(), "DROP TABLE content");
        writer.put(update("a.py", &["x"])).ok();
        assert!(matches!(writer.settle(), Err(StoreError::Stopped)));
        assert!(matches!(writer.finish(Finish::default()), Err(StoreError::Damaged { .. })));
    }

    #[test]
    fn damaged_links_are_errors_and_found_by_the_check() {
        type Ask = fn(&CodeReader) -> Result<(), StoreError>;
        let cases: [(&str, Ask); 7] = [
            ("UPDATE link SET edges = x'0401020304'", |code| code.edges(FileId(1)).map(drop)),
            ("UPDATE link SET imports = x'80'", |code| code.import_links(FileId(1)).map(drop)),
            ("UPDATE link SET counts = x'ff01'", |code| code.graph_stats().map(drop)),
            ("UPDATE incoming SET data = x'010109'", |code| code.incoming("alpha").map(drop)),
            ("UPDATE incoming SET data = x'010200'", |code| code.incoming("alpha").map(drop)),
            ("UPDATE imported SET data = x'0180'", |code| code.imported_by(FileId(0)).map(drop)),
            ("UPDATE watched SET keys = x'010203'", |code| code.watching(&[1]).map(drop)),
        ];
        for (sql, ask) in cases {
            let (_dir, paths, _) = linked_store();
            tamper(&paths.metadata(), sql);
            assert!(matches!(ask(&open(&paths)), Err(StoreError::Damaged { .. })), "{sql}");
            assert!(!check(&paths).is_ok_and(|found| found.is_whole()), "{sql}");
        }
    }

    #[test]
    fn the_check_finds_links_that_lead_nowhere_or_have_no_other_end() {
        let sql = [
            "DELETE FROM file WHERE path = 'a.py'",
            "DELETE FROM incoming",
            "DELETE FROM imported",
            "DELETE FROM link",
        ];
        for sql in sql {
            let (_dir, paths, _) = linked_store();
            tamper(&paths.metadata(), sql);
            let damage = check(&paths).unwrap().damage;
            assert_eq!(damage, ["metadata.db: the links of 1 files are wrong"], "{sql}");
        }
    }

    #[test]
    fn a_writer_that_meets_damaged_links_makes_the_store_anew() {
        for sql in ["UPDATE link SET words = x'80'", "UPDATE exposed SET data = x'01'"] {
            let (_dir, paths, _) = linked_store();
            tamper(&paths.metadata(), sql);
            let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
            writer.put(update("b.py", &["x"])).unwrap();
            assert!(writer.finish(Finish::default()).unwrap_err().calls_for_rebuild(), "{sql}");
            assert!(!Path::new(&paths.metadata()).exists());
        }
    }
}
