//! What index and graph ask of the links in metadata.db. Read [`Incoming`] first. Answers of several calls belong together within one
//! [`CodeReader::snapshot`].

use rusqlite::Row;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::error::{StoreError, undecodable};
use super::super::super::{inverted, varint};
use super::super::CodeReader;
use super::super::names::lookup_name;
use super::super::pack::decompress;
use super::{ImportLink, codec};
use crate::model::{Edge, EdgeKind, FileId, Resolution, SymbolKey, Target, symbol_keys};

/// An edge, seen from its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Incoming {
    /// Where the edge begins.
    pub file: FileId,
    pub edge: Edge,
}

/// Sums over the links of all files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphStats {
    pub edges: u64,
    /// Edges by kind; kinds without any are not there.
    pub kinds: Vec<(EdgeKind, u64)>,
    /// Edges by resolution; those without any are not there.
    pub resolutions: Vec<(Resolution, u64)>,
    pub imports: u64,
    /// Imports that lead to a file of the project.
    pub imports_inside: u64,
    /// Files whose links are not made yet.
    pub unresolved: u64,
}

impl CodeReader {
    /// Files whose links are not made yet, by id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn unresolved(&self) -> Result<Vec<FileId>, StoreError> {
        let sql = "SELECT file FROM unresolved WHERE file IN (SELECT id FROM file) ORDER BY file";
        self.numbers(sql).map(|files| files.into_iter().map(FileId).collect())
    }

    /// Keys that have another answer than when all links were made; ascending.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn changed(&self) -> Result<Vec<u32>, StoreError> {
        self.numbers("SELECT key FROM changed ORDER BY key")
    }

    /// Files that looked up one of the ascending `keys` when they were resolved, by id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn watching(&self, keys: &[u32]) -> Result<Vec<FileId>, StoreError> {
        let mut found = Vec::new();
        if keys.is_empty() {
            return Ok(found);
        }
        let keys = codec::keys(keys);
        let keys = codec::get_keys(&keys).unwrap_or_default();
        self.database().each("SELECT file, keys FROM watched ORDER BY file", (), |row| {
            let watched = row.get_ref(1)?.as_blob()?;
            let watched = codec::get_keys(watched).ok_or_else(|| undecodable("keys of a file"))?;
            if codec::meet(watched, keys) {
                found.push(FileId(row.get(0)?));
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// What leads out of a file, in the order it was linked in; empty when its links are not made.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn edges(&self, file: FileId) -> Result<Vec<Edge>, StoreError> {
        let read = |row: &Row<'_>| unpack_edges(row.get_ref(0)?.as_blob()?);
        let edges = self.database().first("SELECT edges FROM link WHERE file = ?1", [file.0], read)?;
        self.holding(edges.unwrap_or_default(), |edge| edge.to)
    }

    /// Where the imports of a file lead; empty when its links are not made.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn import_links(&self, file: FileId) -> Result<Vec<ImportLink>, StoreError> {
        let read = |row: &Row<'_>| {
            codec::get_imports(row.get_ref(0)?.as_blob()?).ok_or_else(|| undecodable("imports of a file"))
        };
        let imports = self.database().first("SELECT imports FROM link WHERE file = ?1", [file.0], read)?;
        let mut imports = imports.unwrap_or_default();
        if !self.is_linked()? {
            for import in &mut imports {
                import.to = import.to.map(|to| self.file(to)).transpose()?.flatten().map(|row| row.id);
            }
        }
        Ok(imports)
    }

    /// Edges to every symbol of that name, whatever its case and leading `_` or `$`; by file, then as in [`CodeReader::edges`].
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn incoming(&self, name: &str) -> Result<Vec<Incoming>, StoreError> {
        let mut found = Vec::new();
        let word =
            self.database().first("SELECT id FROM word WHERE text = ?1", [lookup_name(name)], |row| row.get(0))?;
        let Some((from, to)) = word.map(|word: u32| inverted::row_keys(word.into())) else { return Ok(found) };
        let sql = "SELECT key, data FROM incoming WHERE key BETWEEN ?1 AND ?2 ORDER BY key";
        self.database().each(sql, (from, to), |row| {
            each_entry(row, codec::entry, |file, (count, edges)| {
                let before = found.len();
                codec::each_edge(edges, |edge| found.push(Incoming { file, edge }))?;
                (found.len() - before == count as usize).then_some(())
            })
        })?;
        self.holding(found, |incoming| incoming.edge.to)
    }

    /// Number of edges to symbols of that name, whatever its case and leading `_` or `$`.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn incoming_count(&self, name: &str) -> Result<u64, StoreError> {
        let word =
            self.database().first("SELECT id FROM word WHERE text = ?1", [lookup_name(name)], |row| row.get(0))?;
        let Some(keys) = word.map(|word: u32| inverted::row_keys(word.into())) else { return Ok(0) };
        let sql = "SELECT total(edges) FROM incoming WHERE key BETWEEN ?1 AND ?2";
        Ok(self.database().first(sql, keys, |row| row.get::<_, f64>(0))?.unwrap_or_default() as u64)
    }

    /// Files that import `file`, by id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn imported_by(&self, file: FileId) -> Result<Vec<FileId>, StoreError> {
        let mut found = Vec::new();
        let sql = "SELECT key, data FROM imported WHERE key BETWEEN ?1 AND ?2 ORDER BY key";
        self.database().each(sql, inverted::row_keys(file.0.into()), |row| {
            each_entry(row, varint::get, |file, _| {
                found.push(file);
                Some(())
            })
        })?;
        Ok(found)
    }

    /// # Errors
    /// See [`StoreError`].
    pub fn graph_stats(&self) -> Result<GraphStats, StoreError> {
        let (mut kinds, mut resolutions) = (EdgeKind::ALL.map(|kind| (kind, 0)), Resolution::ALL.map(|step| (step, 0)));
        let mut stats = GraphStats { unresolved: self.unresolved()?.len() as u64, ..GraphStats::default() };
        self.database().each("SELECT counts, imports FROM link", (), |row| {
            let counted = codec::each_count(row.get_ref(0)?.as_blob()?, |kind, resolution, count| {
                kinds[kind as usize].1 += u64::from(count);
                resolutions[resolution as usize].1 += u64::from(count);
                stats.edges += u64::from(count);
            });
            let imports = counted.and(codec::get_imports(row.get_ref(1)?.as_blob()?));
            let imports = imports.ok_or_else(|| undecodable("links of a file"))?;
            stats.imports += imports.len() as u64;
            stats.imports_inside += imports.iter().filter(|import| import.to.is_some()).count() as u64;
            Ok(())
        })?;
        stats.kinds = kinds.into_iter().filter(|(_, count)| *count > 0).collect();
        stats.resolutions = resolutions.into_iter().filter(|(_, count)| *count > 0).collect();
        Ok(stats)
    }

    /// Files whose links do not decode, are not what the inverted rows say, or lead to a file that is not there although all
    /// links are made.
    pub(in crate::store) fn wrong_links(&self) -> Result<usize, StoreError> {
        let files: FxHashSet<FileId> = self.numbers("SELECT id FROM file")?.into_iter().map(FileId).collect();
        let linked = self.is_linked()?;
        let mut found = self.inverted_links()?;
        let sql = "SELECT (SELECT count(*) FROM watched WHERE length(keys) % 4) + \
                   (SELECT count(*) FROM exposed WHERE length(data) % 8)";
        let keys: u32 = self.database().first(sql, (), |row| row.get(0))?.unwrap_or_default();
        let mut wrong = keys as usize;
        self.database().each("SELECT file, edges, imports, counts FROM link", (), |row| {
            let file = FileId(row.get(0)?);
            let edges = unpack_edges(row.get_ref(1)?.as_blob()?).ok();
            let imports = codec::get_imports(row.get_ref(2)?.as_blob()?);
            let (inverted, counts) = (found.remove(&file).unwrap_or_default(), row.get_ref(3)?.as_blob()?);
            let right = edges.zip(imports).is_some_and(|(edges, imports)| {
                let targets = || edges.iter().filter_map(|edge| Some(edge.to?.file));
                let imported = || imports.iter().filter_map(|import| import.to);
                let exist = !linked || targets().chain(imported()).all(|file| files.contains(&file));
                exist && counts == codec::counts(&edges) && inverted == (targets().count(), imported().count())
            });
            wrong += usize::from(!right || !files.contains(&file));
            Ok(())
        })?;
        Ok(wrong + found.len())
    }

    /// Numbers of edges and imports that the inverted rows hold of each file.
    fn inverted_links(&self) -> Result<FxHashMap<FileId, (usize, usize)>, StoreError> {
        let mut found = FxHashMap::<FileId, (usize, usize)>::default();
        self.database().each("SELECT key, data FROM incoming", (), |row| {
            each_entry(row, codec::entry, |file, (_, edges)| {
                let sum = &mut found.entry(file).or_default().0;
                codec::each_edge(edges, |_| *sum += 1)
            })
        })?;
        self.database().each("SELECT key, data FROM imported", (), |row| {
            each_entry(row, varint::get, |file, imports| {
                found.entry(file).or_default().1 += imports as usize;
                Some(())
            })
        })?;
        Ok(found)
    }

    /// No file waits for links: whatever an edge names is there.
    fn is_linked(&self) -> Result<bool, StoreError> {
        Ok(self.database().first("SELECT 1 FROM unresolved LIMIT 1", (), |_| Ok(()))?.is_none())
    }

    /// Leaves out what leads to a symbol that is gone.
    fn holding<T>(&self, mut all: Vec<T>, target: impl Fn(&T) -> Option<Target>) -> Result<Vec<T>, StoreError> {
        if all.is_empty() || self.is_linked()? {
            return Ok(all);
        }
        let mut files = FxHashMap::default();
        for to in all.iter().filter_map(&target) {
            if let std::collections::hash_map::Entry::Vacant(entry) = files.entry(to.file) {
                entry.insert(self.keys_in_doubt(to.file)?);
            }
        }
        let holds = |to: Target| files.get(&to.file).and_then(Option::as_ref).is_none_or(|keys| keys.contains(&to.key));
        all.retain(|one| target(one).is_none_or(holds));
        Ok(all)
    }

    /// The symbols of a file that has changed or gone since edges to it were made; `None` when it has not.
    fn keys_in_doubt(&self, file: FileId) -> Result<Option<FxHashSet<SymbolKey>>, StoreError> {
        let waits = self.database().first("SELECT 1 FROM unresolved WHERE file = ?1", [file.0], |_| Ok(()))?;
        waits.map(|()| Ok(symbol_keys(&self.symbols(file)?).into_iter().collect())).transpose()
    }

    fn numbers(&self, sql: &str) -> Result<Vec<u32>, StoreError> {
        let mut numbers = Vec::new();
        self.database().each(sql, (), |row| {
            numbers.push(row.get(0)?);
            Ok(())
        })?;
        Ok(numbers)
    }
}

fn unpack_edges(blob: &[u8]) -> rusqlite::Result<Vec<Edge>> {
    decompress(blob).and_then(|bytes| codec::edges(&bytes)).ok_or_else(|| undecodable("edges of a file"))
}

/// Hands on the entries of an inverted row (key, data).
fn each_entry<'r, E>(
    row: &'r Row<'_>,
    entry: impl Fn(&'r [u8], &mut usize) -> Option<E>,
    mut take: impl FnMut(FileId, E) -> Option<()>,
) -> rusqlite::Result<()> {
    let first = inverted::first_file(row.get(0)?);
    let data = row.get_ref(1)?.as_blob()?;
    let (mut at, mut next) = (0, 0);
    while at < data.len() {
        let slot = inverted::next_slot(data, &mut at, &mut next);
        let taken = slot.and_then(|slot| take(FileId(first + slot), entry(data, &mut at)?));
        taken.ok_or_else(|| undecodable("links to a name or a file"))?;
    }
    Ok(())
}
