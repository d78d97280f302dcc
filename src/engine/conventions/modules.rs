//! The name under which an imported module from outside is counted: its package, not the file or the name in it. Read [`outside`] first.

use std::collections::BTreeSet;

use crate::model::{Import, ModuleStyle};

/// What the project itself has.
#[derive(Debug, Default)]
pub(super) struct OwnModules {
    /// Packages, namespaces and modules that are declared.
    pub packages: BTreeSet<String>,
    /// File names.
    pub files: BTreeSet<String>,
}

/// Package that an import from outside of the project belongs to; `None` where it is the project's own after all.
pub(super) fn outside(import: &Import, style: ModuleStyle, own: &OwnModules) -> Option<String> {
    // A name without a package is a class of the language's own.
    if import.module.is_empty() && style == ModuleStyle::ClassName {
        return None;
    }
    let module = if import.module.is_empty() { &*import.name } else { &*import.module };
    let package = match style {
        ModuleStyle::RelativePath => npm_package(module)?,
        ModuleStyle::Dotted => module.split('.').next()?,
        ModuleStyle::RustPath => module.trim_start_matches("::").split("::").next()?,
        ModuleStyle::ClassName => class_package(module),
        ModuleStyle::GoPath | ModuleStyle::Include | ModuleStyle::None => module,
    };
    let package = package.trim_matches(['<', '>', '"', '\'', '\\', ' ']);
    let own = match style {
        ModuleStyle::ClassName => own.packages.iter().any(|own| is_within(package, own)),
        ModuleStyle::RustPath => own.packages.contains(package),
        ModuleStyle::Include => own.files.contains(package.rsplit('/').next().unwrap_or(package)),
        ModuleStyle::RelativePath | ModuleStyle::Dotted | ModuleStyle::GoPath | ModuleStyle::None => false,
    };
    let relative = package.starts_with('.') || package.contains(['$', '{', '(']);
    (!package.is_empty() && !own && !relative).then(|| package.to_owned())
}

/// `@scope/name` or `name` of a path into a package; `None` of a path or an alias.
fn npm_package(module: &str) -> Option<&str> {
    if module.starts_with(['.', '/', '#', '~', '$']) || module.starts_with("@/") {
        return None;
    }
    let parts = if module.starts_with('@') { 2 } else { 1 };
    let end = module.match_indices('/').nth(parts - 1).map_or(module.len(), |(at, _)| at);
    module.get(..end)
}

/// Without the classes at the end, where packages are written in lower case.
fn class_package(module: &str) -> &str {
    let capital = |part: &str| part.starts_with(char::is_uppercase);
    if capital(module) {
        return module;
    }
    let class = module.match_indices('.').find(|(at, _)| module.get(at + 1..).is_some_and(capital));
    class.and_then(|(at, _)| module.get(..at)).unwrap_or(module)
}

/// `package` is `outer` or lies in it.
fn is_within(package: &str, outer: &str) -> bool {
    let rest = package.strip_prefix(outer);
    !outer.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '\\', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ImportKind;

    fn package(module: &str, style: ModuleStyle) -> String {
        let packages = BTreeSet::from(["shop.cart".to_owned(), "imp".to_owned()]);
        let own = OwnModules { packages, files: BTreeSet::from(["cart.h".to_owned()]) };
        let (name, alias) = ("".into(), None);
        let import =
            Import { at: 0, line: 1, kind: ImportKind::Module, module: module.into(), name, alias, reexport: false };
        outside(&import, style, &own).unwrap_or_default()
    }

    #[test]
    fn modules_are_counted_by_their_package() {
        assert_eq!(package("@scope/kit/deep/file", ModuleStyle::RelativePath), "@scope/kit");
        assert_eq!(package("kit/deep", ModuleStyle::RelativePath), "kit");
        assert_eq!(package("node:fs", ModuleStyle::RelativePath), "node:fs");
        assert_eq!(package("os.path", ModuleStyle::Dotted), "os");
        assert_eq!(package("serde::de", ModuleStyle::RustPath), "serde");
        assert_eq!(package("java.util.Map", ModuleStyle::ClassName), "java.util");
        assert_eq!(package("System.Linq", ModuleStyle::ClassName), "System.Linq");
        assert_eq!(package("<stdio.h>", ModuleStyle::Include), "stdio.h");
    }

    #[test]
    fn the_projects_own_modules_are_not_outside() {
        assert_eq!(package("./kit", ModuleStyle::RelativePath), "");
        assert_eq!(package("@/kit", ModuleStyle::RelativePath), "");
        assert_eq!(package("shop.cart.items", ModuleStyle::ClassName), "");
        assert_eq!(package("imp::kit", ModuleStyle::RustPath), "");
        assert_eq!(package("shop/cart.h", ModuleStyle::Include), "");
        assert_eq!(package("..kit", ModuleStyle::Dotted), "");
    }
}
