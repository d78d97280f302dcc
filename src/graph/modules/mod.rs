//! Module paths -> files: which file of the project an import names. Only files decide: what a module gives out, and under which
//! name, is the matter of whoever asks. It never takes a file for near enough; a path that fits two places leads nowhere.
//! Read [`find`] first.

mod dotted;
mod go_path;
mod include;
mod manifest;
mod path;
mod relative_path;
mod rust_path;

use super::{Code, Unit};
use crate::model::{FileId, ModuleStyle, Span, Symbol, SymbolKind};

pub use manifest::Layout;

/// Where a module path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Module {
    /// A file; `owner` is the qualified name of what is meant inside it (a nested module, an enum), empty for the file itself.
    File { file: FileId, owner: String },
    /// All files of a folder are one module (Go).
    Folder(Vec<FileId>),
    /// A folder that only holds modules and has no names of its own (a Python package without `__init__.py`).
    Namespace(String),
    /// Outside the project: a dependency or the standard library.
    External,
    /// Looks like part of the project, but no file is there.
    Missing,
}

impl Module {
    fn file(file: FileId) -> Self {
        Self::File { file, owner: String::new() }
    }
}

/// Where `module`, as written in an import at the top of `from`, leads.
pub fn find(layout: &Layout, code: &dyn Code, from: &Unit, module: &str) -> Module {
    find_within(layout, code, from, "", module)
}

/// The same for an import or a path inside the nested module `owner` of `from`, where `self` and `super` mean something else.
pub fn find_within(layout: &Layout, code: &dyn Code, from: &Unit, owner: &str, module: &str) -> Module {
    match from.dialect.modules {
        ModuleStyle::RelativePath => relative_path::find(layout, code, from, module),
        ModuleStyle::Dotted => dotted::find(layout, code, from, module),
        ModuleStyle::GoPath => go_path::find(layout, code, from, module),
        ModuleStyle::RustPath => rust_path::find(layout, code, from, owner, module),
        ModuleStyle::Include => include::find(code, from, module),
        ModuleStyle::ClassName | ModuleStyle::None => Module::Missing,
    }
}

/// Qualified name of the nested module of `from` that holds the offset `at`; empty outside of all.
pub fn owner_at(from: &Unit, at: u32) -> String {
    let at = Span { start: at, end: at };
    let holds =
        |symbol: &&Symbol| symbol.kind == SymbolKind::Module && !symbol.span.is_empty() && symbol.span.contains(at);
    from.symbols.iter().rfind(holds).map(Symbol::qualified).unwrap_or_default()
}

/// The module that `name` is inside the module `inside`; `None` when it is no module.
pub fn submodule(layout: &Layout, code: &dyn Code, inside: &Module, from: &Unit, name: &str) -> Option<Module> {
    match from.dialect.modules {
        ModuleStyle::Dotted => dotted::submodule(code, inside, from, name),
        ModuleStyle::RustPath => rust_path::submodule(layout, code, inside, name),
        ModuleStyle::RelativePath
        | ModuleStyle::GoPath
        | ModuleStyle::Include
        | ModuleStyle::ClassName
        | ModuleStyle::None => None,
    }
}
