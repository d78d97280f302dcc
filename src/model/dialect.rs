//! What the resolver of calls must know of a language beyond its queries: `[graph]` in `grammars/<language>/language.toml`.
//! Data only. Read [`Dialect`] first.

use serde::Deserialize;

/// How a file names the file that it imports from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModuleStyle {
    /// Imports name no file.
    #[default]
    None,
    /// `./a/b`, a package name, an alias of `tsconfig.json` (JavaScript, TypeScript).
    RelativePath,
    /// `a.b.c`, leading dots are relative (Python).
    Dotted,
    /// `host/owner/module/folder` (Go).
    GoPath,
    /// `crate::a::b` (Rust).
    RustPath,
    /// A package or namespace and a name in it, wherever the file is (Java, Kotlin, Scala, C#, PHP).
    ClassName,
    /// The path of a file, beside the importing one or in an include folder (C, C++, Zig, Bash, Ruby, Lua).
    Include,
}

/// Whose definitions a bare name sees without an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackageScope {
    /// Those of its file.
    #[default]
    File,
    /// Those of the files in the same folder (Go).
    Directory,
    /// Those of the files that declare the same package or namespace (Java, Kotlin, Scala, C#, PHP).
    Package,
    /// Those of all files that it includes, directly or not (C, C++, Bash).
    Includes,
    /// Those of the whole project (Swift, Ruby, Lua).
    Project,
}

/// Facts about a language that resolution needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, read from a file")]
pub struct Dialect {
    pub modules: ModuleStyle,
    pub scope: PackageScope,
    /// Languages that share definitions have the same word here; empty: the language's own name.
    pub family: String,
    /// Receivers that are the enclosing object or class (`self`, `this`).
    pub self_names: Vec<String>,
    /// Receivers that are its base (`super`, `parent`).
    pub super_names: Vec<String>,
    /// A bare call may be one of a member of the enclosing class.
    pub implicit_self: bool,
    /// A call never means a variable (Java: names of methods and variables are apart).
    pub calls_skip_variables: bool,
    /// Members of an object that are its class (`class`).
    pub class_members: Vec<String>,
    /// Attributes of a type are called like its methods (Ruby).
    pub attributes_are_methods: bool,
    /// Modules are mixed into types: `self` in one is an object, and `super` alone calls the method that is overridden (Ruby).
    pub mixins: bool,
    /// One name in one place is one function: several of it are in different scopes, never overloads (JavaScript).
    pub no_overloads: bool,
    /// A call can name a variable that holds a function made elsewhere.
    pub calls_reach_variables: bool,
    /// Interfaces and type aliases are no values: a value of the same name is another thing (TypeScript).
    pub types_apart: bool,
    /// What is not exported is seen in its file only (Lua).
    pub file_private: bool,
    /// Members of a type may stand in other files (impl blocks, receivers, extensions, reopened classes).
    pub open_types: bool,
    /// A package sees the names of the packages around it.
    pub nested_packages: bool,
    /// Names of methods that make an object of their class.
    pub constructors: Vec<String>,
    /// Calling a class by its name makes an object (Python, Kotlin, Swift, Scala, C++).
    pub class_call_constructs: bool,
    /// Extensions that an import may leave out, in order of preference.
    pub module_extensions: Vec<String>,
    /// Name of the file that stands for its folder, without extension.
    pub module_index: Vec<String>,
    /// Folders that module paths may begin in, beside the root.
    pub module_roots: Vec<String>,
    /// Generic types outside the project whose members are those of their first argument (`Box<T>`).
    pub transparent: Vec<String>,
    /// Methods of types outside the project that give the receiver's argument (`unwrap`).
    pub unwrapping: Vec<String>,
    /// Methods of types outside the project that give other things than the receiver holds (`map`).
    pub reshaping: Vec<String>,
    /// Words before the name of an object that has no class of its own (`object`); it may share its name with a class.
    pub singleton_words: Vec<String>,
    /// How the signature of a function says that it is called on its first argument (C#: `(this `).
    pub extension_mark: String,
    /// Types and functions that no project defines (`string`, `len`).
    pub builtins: Vec<String>,
}

impl Dialect {
    /// Functions can be called on types that they do not belong to.
    #[must_use]
    pub fn has_extensions(&self) -> bool {
        !self.extension_mark.is_empty()
            || self.open_types && matches!(self.scope, PackageScope::Package | PackageScope::Project)
    }
}
