//! JavaScript and TypeScript: relative paths, aliases of `tsconfig.json`, `#imports`, and packages of the project by name. What a path
//! says of a built file leads to the source that it is built from, since only source is indexed. Read [`find`] first.

use super::manifest::{Package, targets};
use super::path::{below, file_name, in_dir, join, parent, stem, upwards};
use super::{Layout, Module};
use crate::graph::{Code, Unit};
use crate::model::{Dialect, FileId};

/// Extensions that may be written for one another: what is written is what the source compiles to.
const FAMILIES: [(&[&str], &[&str]); 3] = [
    (&["js", "jsx", "ts", "tsx"], &["ts", "tsx", "js", "jsx", "d.ts"]),
    (&["mjs", "mts"], &["mts", "mjs", "d.mts"]),
    (&["cjs", "cts"], &["cts", "cjs", "d.cts"]),
];

/// Folders that builds write to, and the forms of modules in them.
const OUTPUTS: [&str; 19] = [
    "dist",
    "build",
    "lib",
    "out",
    "output",
    "es",
    "esm",
    "cjs",
    "umd",
    "module",
    "commonjs",
    "bundles",
    "types",
    "typings",
    "node",
    "browser",
    "development",
    "production",
    "legacy",
];

/// Folders that builds read from, relative to the package.
const SOURCES: [&str; 4] = ["src", "", "lib", "source"];

/// Beginnings of paths that bundlers and frameworks are told to take for a folder, by what nearly all of them are told.
const ALIASES: [(&str, &[&str]); 5] =
    [("@/", &["src", "", "app"]), ("~/", &["src", "", "app"]), ("~~/", &[""]), ("@@/", &[""]), ("$lib/", &["src/lib"])];

/// Whose import it is.
#[derive(Clone, Copy)]
struct Importer<'a> {
    layout: &'a Layout,
    code: &'a dyn Code,
    dialect: &'a Dialect,
    dir: &'a str,
}

pub(super) fn find(layout: &Layout, code: &dyn Code, from: &Unit, module: &str) -> Module {
    let importer = Importer { layout, code, dialect: from.dialect, dir: from.path.dir() };
    let module = module.split('?').next().unwrap_or_default();
    if matches!(module, "." | "..") || module.starts_with("./") || module.starts_with("../") {
        return found(relative(&importer, module));
    }
    if let Some(path) = module.strip_prefix('/') {
        return found(roots(&importer).find_map(|root| load(&importer, &in_dir(root, path))));
    }
    if module.starts_with('#')
        && let Some(inside) = package_import(&importer, module)
    {
        return inside;
    }
    bare(&importer, module)
}

fn found(file: Option<FileId>) -> Module {
    file.map_or(Module::Missing, Module::file)
}

fn relative(importer: &Importer, module: &str) -> Option<FileId> {
    let path = join(importer.dir, module)?;
    let only_folder = module.ends_with('/') || matches!(file_name(module), "." | "..");
    let source = if only_folder { folder(importer, &path) } else { load(importer, &path) };
    source.or_else(|| built(importer, &path))
}

/// An alias or the name of a package.
fn bare(importer: &Importer, module: &str) -> Module {
    let mapped = importer.layout.path_maps.candidates(importer.dir, module);
    let alias = || mapped.iter().find_map(|path| load(importer, path));
    if let Some(file) = alias().or_else(|| usual_alias(importer, module)) {
        return Module::file(file);
    }
    if module.contains(':') {
        return Module::External;
    }
    let (name, sub) = package_name(module);
    if let Some(package) = importer.layout.packages.visible(name, importer.dir) {
        return found(entry(importer, package, sub));
    }
    let is_usual = ALIASES.iter().any(|(prefix, _)| module.starts_with(prefix));
    if is_usual || importer.layout.path_maps.is_alias(importer.dir, module) {
        Module::Missing
    } else {
        Module::External
    }
}

fn usual_alias(importer: &Importer, module: &str) -> Option<FileId> {
    let (rest, folders) = ALIASES.iter().find_map(|(prefix, folders)| Some((module.strip_prefix(prefix)?, folders)))?;
    let paths = roots(importer).flat_map(|root| folders.iter().map(move |folder| in_dir(&in_dir(root, folder), rest)));
    paths.into_iter().find_map(|path| load(importer, &path))
}

/// Folders of the packages around the importing file, and the root.
fn roots<'a>(importer: &Importer<'a>) -> impl Iterator<Item = &'a str> {
    let packages = &importer.layout.packages;
    upwards(importer.dir).filter(|dir| dir.is_empty() || packages.at(dir).is_some())
}

/// `#name` by the `imports` of the package; `None` where it has none of that name.
fn package_import(importer: &Importer, module: &str) -> Option<Module> {
    let package = importer.layout.packages.nearest(importer.dir)?;
    let targets = targets(package.imports.as_ref()?, module);
    let inside = targets.iter().filter(|target| target.starts_with('.'));
    let file = inside.into_iter().find_map(|target| source(importer, package, target));
    let outside = targets.iter().find(|target| !target.starts_with('.'));
    file.map(Module::file).or_else(|| outside.map(|target| bare(importer, target)))
}

/// `@scope/name` or `name`, and what follows.
fn package_name(module: &str) -> (&str, &str) {
    let parts = if module.starts_with('@') { 2 } else { 1 };
    let end = module.match_indices('/').nth(parts - 1).map_or(module.len(), |(at, _)| at);
    let (name, sub) = module.split_at_checked(end).unwrap_or((module, ""));
    (name, sub.trim_start_matches('/'))
}

/// File that a package gives for its name (`sub` empty) or for a path below it.
fn entry(importer: &Importer, package: &Package, sub: &str) -> Option<FileId> {
    let targets = match (&package.exports, sub) {
        (Some(exports), "") => targets(exports, "."),
        (Some(exports), sub) => targets(exports, &format!("./{sub}")),
        (None, "") => package.entries.clone(),
        (None, sub) => vec![sub.to_owned()],
    };
    let file = targets.iter().find_map(|target| source(importer, package, target));
    let index = |folder: &&str| self::index(importer, &in_dir(&package.dir, folder));
    file.or_else(|| if sub.is_empty() { SOURCES.iter().find_map(index) } else { source(importer, package, sub) })
}

/// The file that a path in a manifest names, or the one that it is built from.
fn source(importer: &Importer, package: &Package, target: &str) -> Option<FileId> {
    let path = join(&package.dir, target)?;
    load(importer, &path).or_else(|| built_from(importer, &package.dir, &path, 0))
}

/// The source of a path into a folder that builds write to.
fn built(importer: &Importer, path: &str) -> Option<FileId> {
    let package = importer.layout.packages.nearest(parent(path)).map_or("", |package| &package.dir);
    built_from(importer, package, path, 1)
}

/// The source of `path`, with at least `min` folders of output before it.
fn built_from(importer: &Importer, package: &str, path: &str, min: usize) -> Option<FileId> {
    let parts: Vec<&str> = below(path, package)?.split('/').collect();
    let outputs = parts.iter().take_while(|part| OUTPUTS.contains(part)).count().min(parts.len() - 1);
    let rests = (min..=outputs).filter_map(|skipped| Some((skipped, parts.get(skipped..)?.join("/"))));
    let places = rests.flat_map(|(skipped, rest)| {
        let sources = SOURCES.iter().filter(move |source| skipped > 0 || **source == "src");
        sources.map(move |source| in_dir(&in_dir(package, source), &rest)).collect::<Vec<_>>()
    });
    places.into_iter().find_map(|place| {
        let name = file_name(&place);
        let plain = name.split('.').next().filter(|plain| !plain.is_empty() && *plain != stem(&place));
        let stems = std::iter::once(stem(&place)).chain(plain);
        let mut paths = stems.map(|stem| in_dir(parent(&place), stem));
        paths.find_map(|path| with_extension(importer, &path).or_else(|| index(importer, &path)))
    })
}

fn load(importer: &Importer, path: &str) -> Option<FileId> {
    file(importer, path).or_else(|| folder(importer, path))
}

/// The file at `path` as written, as what compiles to it, or with the extension that it leaves out.
fn file(importer: &Importer, path: &str) -> Option<FileId> {
    let (name, extension) =
        path.rsplit_once('.').filter(|(_, extension)| !extension.contains('/')).unwrap_or((path, ""));
    let family = FAMILIES.iter().find(|(written, _)| written.contains(&extension));
    if let Some((_, family)) = family {
        let mut family = family.to_vec();
        let known = |extension: &&str| importer.dialect.module_extensions.iter().position(|known| known == extension);
        family.sort_by_key(|extension| known(extension).unwrap_or(usize::MAX));
        let written = family.into_iter().find_map(|extension| importer.code.file_at(&format!("{name}.{extension}")));
        return written.or_else(|| with_extension(importer, path));
    }
    let exact = || importer.code.file_at(path);
    if extension.is_empty() {
        with_extension(importer, path).or_else(exact)
    } else {
        exact().or_else(|| with_extension(importer, path))
    }
}

fn with_extension(importer: &Importer, path: &str) -> Option<FileId> {
    let mut extensions = importer.dialect.module_extensions.iter().filter(|_| !path.is_empty());
    extensions.find_map(|extension| importer.code.file_at(&format!("{path}.{extension}")))
}

/// The file that stands for a folder.
fn folder(importer: &Importer, dir: &str) -> Option<FileId> {
    let package = importer.layout.packages.at(dir);
    let main = package.and_then(|package| package.entries.iter().find_map(|entry| main(importer, package, entry)));
    main.or_else(|| index(importer, dir))
}

fn main(importer: &Importer, package: &Package, entry: &str) -> Option<FileId> {
    let path = join(&package.dir, entry)?;
    let file = file(importer, &path).or_else(|| index(importer, &path).filter(|_| path != package.dir));
    file.or_else(|| built_from(importer, &package.dir, &path, 0))
}

fn index(importer: &Importer, dir: &str) -> Option<FileId> {
    importer.dialect.module_index.iter().find_map(|index| with_extension(importer, &in_dir(dir, index)))
}

#[cfg(test)]
mod tests;
