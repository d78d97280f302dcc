//! The syntax tree as one flat array in preorder: what the queries match against. Built by one walk, so that a pattern reads
//! plain memory instead of asking the parser. It gives no text and knows no language. Read [`SyntaxTree`] first.

use tree_sitter::{Language, Tree, TreeCursor};

/// All nodes of a file, parents before children.
pub(super) struct SyntaxTree {
    language: Language,
    entries: Vec<Entry>,
    /// Error and missing nodes; what stands inside an error counts with it.
    pub(super) errors: u32,
}

struct Entry {
    start: u32,
    end: u32,
    /// 0-based line of the start.
    row: u32,
    /// Index after the last node inside it.
    after: u32,
    kind: u16,
    /// Field it has in its parent, 0 for none.
    field: u16,
    named: bool,
    /// May stand anywhere (comments).
    extra: bool,
}

/// A node of a [`SyntaxTree`].
#[derive(Clone, Copy)]
pub(super) struct Node<'t> {
    tree: &'t SyntaxTree,
    at: u32,
}

impl SyntaxTree {
    pub(super) fn new(tree: &Tree) -> Self {
        let mut flat = Self { language: Language::clone(&tree.language()), entries: Vec::new(), errors: 0 };
        let mut cursor = tree.walk();
        let mut open: Vec<usize> = Vec::new();
        let mut error_end = 0;
        loop {
            let at = flat.push(&cursor, &mut error_end);
            if cursor.goto_first_child() {
                open.push(at);
                continue;
            }
            flat.close(at);
            while !cursor.goto_next_sibling() {
                match open.pop() {
                    Some(parent) if cursor.goto_parent() => flat.close(parent),
                    _ => return flat,
                }
            }
        }
    }

    pub(super) fn len(&self) -> u32 {
        index(self.entries.len())
    }

    pub(super) fn node(&self, at: u32) -> Node<'_> {
        Node { tree: self, at }
    }

    fn push(&mut self, cursor: &TreeCursor<'_>, error_end: &mut usize) -> usize {
        let node = cursor.node();
        if node.start_byte() >= *error_end && (node.is_error() || node.is_missing()) {
            self.errors += 1;
            *error_end = node.end_byte();
        }
        self.entries.push(Entry {
            start: index(node.start_byte()),
            end: index(node.end_byte()),
            row: index(node.start_position().row),
            after: 0,
            kind: node.kind_id(),
            field: cursor.field_id().map_or(0, std::num::NonZeroU16::get),
            named: node.is_named(),
            extra: node.is_extra(),
        });
        self.entries.len() - 1
    }

    fn close(&mut self, at: usize) {
        let after = self.len();
        if let Some(entry) = self.entries.get_mut(at) {
            entry.after = after;
        }
    }
}

impl<'t> Node<'t> {
    pub(super) fn at(self) -> u32 {
        self.at
    }

    pub(super) fn start_byte(self) -> usize {
        self.entry().start as usize
    }

    pub(super) fn end_byte(self) -> usize {
        self.entry().end as usize
    }

    pub(super) fn byte_range(self) -> std::ops::Range<usize> {
        self.start_byte()..self.end_byte()
    }

    /// 0-based line of its start.
    pub(super) fn row(self) -> usize {
        self.entry().row as usize
    }

    pub(super) fn kind(self) -> &'t str {
        self.tree.language.node_kind_for_id(self.kind_id()).unwrap_or_default()
    }

    pub(super) fn kind_id(self) -> u16 {
        self.entry().kind
    }

    /// Field it has in its parent, 0 for none.
    pub(super) fn field_id(self) -> u16 {
        self.entry().field
    }

    pub(super) fn is_named(self) -> bool {
        self.entry().named
    }

    /// A named node that is no comment: what an anchor may not skip.
    pub(super) fn is_solid(self) -> bool {
        self.entry().named && !self.entry().extra
    }

    /// Direct children, anonymous ones included.
    pub(super) fn children(self) -> Siblings<'t> {
        Siblings { tree: self.tree, at: self.at + 1, end: self.entry().after }
    }

    /// Number of nodes in it, itself included.
    pub(super) fn size(self) -> u32 {
        self.entry().after.saturating_sub(self.at)
    }

    /// First child with that field.
    pub(super) fn child_by_field(self, field: &str) -> Option<Self> {
        let id = self.tree.language.field_id_for_name(field)?.get();
        self.children().find(|child| child.field_id() == id)
    }

    pub(super) fn named_children(self) -> impl Iterator<Item = Self> {
        self.children().filter(|child| child.is_named())
    }

    pub(super) fn named_child_count(self) -> usize {
        self.named_children().count()
    }

    fn entry(self) -> &'t Entry {
        // Nodes are made by `SyntaxTree` alone, with an index below its length.
        &self.tree.entries[self.at as usize]
    }
}

/// Siblings from one on; a clone is a place to come back to.
#[derive(Clone)]
pub(super) struct Siblings<'t> {
    tree: &'t SyntaxTree,
    at: u32,
    end: u32,
}

impl<'t> Iterator for Siblings<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.at >= self.end {
            return None;
        }
        let node = self.tree.node(self.at);
        self.at = node.entry().after;
        Some(node)
    }
}

/// Files are capped far below 4 GiB before they get here.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
