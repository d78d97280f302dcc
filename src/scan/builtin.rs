//! What is left out without being asked: folders of products and dependencies, and files that are no source. Two tables,
//! looked up by name; a `!name` in a `.memoryignore` overrides all but [`FolderRule::Never`]. Reads no file.
//! Read [`FOLDERS`] first.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::SkipReason;

/// When a folder of that name is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FolderRule {
    /// Never entered, whatever an ignore file says, and not worth counting.
    Never,
    Always,
    /// Only at the root or beside a build file, where a tool would put it, and only if it is no Python package: elsewhere the
    /// word names source code.
    Product,
}

/// Bytes. Tables and fixtures up to this size say what the data looks like; larger ones are only data.
pub(super) const DATA_LIMIT: u64 = 16 << 10;

/// Names separated by blanks.
const FOLDERS: &[(&str, FolderRule)] = &[
    // Version control and this program's own files.
    (".git .hg .svn .jj .bzr CVS .memory", FolderRule::Never),
    // Dependencies.
    (
        "\
        node_modules bower_components jspm_packages vendor site-packages __pypackages__ .venv venv virtualenv \
        .bundle .yarn .pnpm-store Pods Carthage elm-stuff",
        FolderRule::Always,
    ),
    // Caches and state of tools.
    (
        "\
        __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .tox .nox .eggs .ipynb_checkpoints \
        .cache .parcel-cache .turbo .nx .gradle .idea .vs .terraform .terragrunt-cache .serverless .aws-sam \
        .direnv .dart_tool .stack-work .zig-cache zig-cache .sass-cache .nyc_output htmlcov .bloop .metals \
        .ccls-cache .clangd",
        FolderRule::Always,
    ),
    // Products that no one writes by hand.
    (
        "\
        dist dist-newstyle .next .nuxt .output .svelte-kit .angular .docusaurus .vercel .netlify .build \
        DerivedData zig-out bazel-bin bazel-out bazel-testlogs",
        FolderRule::Always,
    ),
    ("build target coverage _build", FolderRule::Product),
];

/// Files beside which `build/` and its like are products.
const BUILD_FILES: &str = "\
    package.json Cargo.toml pyproject.toml setup.py setup.cfg go.mod pom.xml build.gradle build.gradle.kts \
    build.sbt build.xml CMakeLists.txt Makefile makefile GNUmakefile meson.build configure configure.ac \
    composer.json Gemfile mix.exs rebar.config pubspec.yaml Package.swift dune-project tsconfig.json \
    deno.json .git";

const LOCK_FILES: &str = "\
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock \
    poetry.lock Pipfile.lock pdm.lock uv.lock pixi.lock conda-lock.yml composer.lock Gemfile.lock go.sum \
    go.work.sum flake.lock mix.lock rebar.lock pubspec.lock Podfile.lock Package.resolved Cartfile.resolved \
    packages.lock.json paket.lock gradle.lockfile stack.yaml.lock cabal.project.freeze .terraform.lock.hcl \
    Chart.lock MODULE.bazel.lock symfony.lock";

/// Endings of names, in lower case.
const MINIFIED_ENDINGS: &[&str] =
    &[".min.js", ".min.mjs", ".min.cjs", ".min.css", "-min.js", "-min.css", ".bundle.js", ".chunk.js", ".chunk.css"];

/// Extensions, in lower case, separated by blanks.
const EXTENSIONS: &[(&str, SkipReason)] = &[
    ("map tsbuildinfo", SkipReason::Minified),
    // Translations.
    ("po pot mo xlf xliff arb resx", SkipReason::Data),
    // Vector images and drawings.
    ("svg svgz eps ai drawio excalidraw fig sketch", SkipReason::Data),
    // Recorded output of tests.
    ("snap", SkipReason::Data),
    ("pem key p12 pfx jks keystore kdbx ppk", SkipReason::Secret),
    (
        "\
        png jpg jpeg gif webp avif heic ico icns bmp tif tiff psd xcf ttf otf woff woff2 eot mp3 mp4 m4a wav \
        ogg flac webm mov avi mkv pdf doc docx xls xlsx ppt pptx odt ods zip gz tgz bz2 xz zst 7z rar tar jar \
        war whl egg gem deb rpm dmg iso exe dll so dylib a o obj pdb class pyc pyo pyd wasm beam rlib rmeta db \
        sqlite sqlite3 parquet arrow feather npy npz h5 hdf5 pkl pickle joblib onnx pth safetensors gguf \
        tflite glb fbx blend stl bin mmdb",
        SkipReason::Binary,
    ),
];

/// Extensions that are data above [`DATA_LIMIT`].
const TABLES: &[&str] = &["csv", "tsv", "psv", "jsonl", "ndjson", "geojson", "har", "log"];

/// Extensions that are data above [`DATA_LIMIT`] inside one of [`FIXTURE_FOLDERS`].
const FIXTURES: &[&str] = &["json", "xml", "yaml", "yml", "sql", "txt", "html", "ipynb"];

const FIXTURE_FOLDERS: &[&str] = &[
    "fixtures",
    "fixture",
    "__fixtures__",
    "testdata",
    "test_data",
    "test-data",
    "cassettes",
    "snapshots",
    "__snapshots__",
];

/// Extensions that hold translations inside one of [`LOCALE_FOLDERS`].
const TRANSLATIONS: &[&str] = &["json", "json5", "yml", "yaml", "properties", "strings", "ftl"];

const LOCALE_FOLDERS: &[&str] = &["locale", "locales", "_locales", "i18n", "l10n", "translations"];

/// Names of files with secrets; `.env.production` and its like count as well.
const SECRET_FILES: &[&str] = &[".env", ".netrc", ".pgpass", ".htpasswd", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

/// Endings of `.env.` files that are there to be read.
const SAMPLES: &[&str] = &["example", "sample", "template", "dist", "defaults"];

static FOLDER_RULES: LazyLock<FxHashMap<&str, FolderRule>> = LazyLock::new(|| by_name(FOLDERS));
static EXTENSION_RULES: LazyLock<FxHashMap<&str, SkipReason>> = LazyLock::new(|| by_name(EXTENSIONS));
static LOCK_RULES: LazyLock<FxHashMap<&str, SkipReason>> =
    LazyLock::new(|| by_name(&[(LOCK_FILES, SkipReason::LockFile)]));
static BUILD_RULES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| BUILD_FILES.split_ascii_whitespace().collect());

/// The rule for folders called `name`.
pub(super) fn folder(name: &str) -> Option<FolderRule> {
    FOLDER_RULES.get(name).copied()
}

/// A file called `name` makes `build/` beside it a product.
pub(super) fn is_build_file(name: &str) -> bool {
    BUILD_RULES.contains(name)
}

/// A file called `name` marks its whole folder as a cache or as an environment, whatever the folder's own name.
pub(super) fn marks_excluded_folder(name: &str) -> bool {
    matches!(name, "CACHEDIR.TAG" | "pyvenv.cfg")
}

/// Why the file `name` in the folder `dir` (from the root) is left out by its name and size.
pub(super) fn file(dir: &str, name: &str, size: u64) -> Option<SkipReason> {
    if let Some(reason) = LOCK_RULES.get(name) {
        return Some(*reason);
    }
    let lower = name.to_ascii_lowercase();
    if is_secret(&lower) {
        return Some(SkipReason::Secret);
    }
    if MINIFIED_ENDINGS.iter().any(|ending| lower.ends_with(ending)) {
        return Some(SkipReason::Minified);
    }
    // A name that is all extension (`.bin`) has none.
    let extension = lower.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?.1;
    EXTENSION_RULES.get(extension).copied().or_else(|| is_data(dir, name, extension, size).then_some(SkipReason::Data))
}

fn is_secret(lower: &str) -> bool {
    let environment =
        lower.strip_prefix(".env.").is_some_and(|rest| !SAMPLES.contains(&rest.rsplit('.').next().unwrap_or(rest)));
    environment || SECRET_FILES.contains(&lower)
}

fn is_data(dir: &str, name: &str, extension: &str, size: u64) -> bool {
    let inside = |folders: &[&str]| dir.split('/').any(|part| folders.contains(&part));
    if size > DATA_LIMIT && (TABLES.contains(&extension) || (FIXTURES.contains(&extension) && inside(FIXTURE_FOLDERS)))
    {
        return true;
    }
    TRANSLATIONS.contains(&extension) && inside(LOCALE_FOLDERS) && !is_build_file(name)
}

fn by_name<T: Copy>(table: &[(&'static str, T)]) -> FxHashMap<&'static str, T> {
    table.iter().flat_map(|(names, value)| names.split_ascii_whitespace().map(|name| (name, *value))).collect()
}

#[cfg(test)]
mod tests {
    use super::{DATA_LIMIT, EXTENSIONS, FOLDERS, FolderRule, file, folder};
    use crate::model::SkipReason;

    #[test]
    fn files_are_left_out_by_name() {
        for (path, reason) in [
            ("a/Cargo.lock", SkipReason::LockFile),
            ("go.sum", SkipReason::LockFile),
            ("static/jquery.min.js", SkipReason::Minified),
            ("static/app.js.map", SkipReason::Minified),
            ("conf/locale/de/LC_MESSAGES/messages.PO", SkipReason::Data),
            ("src/i18n/en/common.json", SkipReason::Data),
            ("icons/a.svg", SkipReason::Data),
            ("a/Photo.JPG", SkipReason::Binary),
            (".env", SkipReason::Secret),
            (".env.production", SkipReason::Secret),
            ("certs/server.key", SkipReason::Secret),
        ] {
            let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
            assert_eq!(file(dir, name, 1), Some(reason), "{path}");
        }
    }

    #[test]
    fn source_and_text_are_not_left_out() {
        for path in [
            "locale/package.json",
            "i18n/index.ts",
            "map.rs",
            "key",
            "a.key.ts",
            ".env.example",
            "min.js",
            "admin.js",
            "locale.json",
            "data/a.csv",
            "tests/fixtures/a.json",
            ".github/workflows/ci.yml",
            ".bin",
            "Makefile",
        ] {
            let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
            assert_eq!(file(dir, name, DATA_LIMIT), None, "{path}");
        }
    }

    #[test]
    fn data_counts_from_a_size() {
        assert_eq!(file("data", "a.csv", DATA_LIMIT + 1), Some(SkipReason::Data));
        assert_eq!(file("tests/fixtures", "a.json", DATA_LIMIT + 1), Some(SkipReason::Data));
        assert_eq!(file("tests", "a.json", DATA_LIMIT + 1), None);
    }

    #[test]
    fn tables_name_nothing_twice() {
        let folders: Vec<&str> = FOLDERS.iter().flat_map(|(names, _)| names.split_ascii_whitespace()).collect();
        let extensions: Vec<&str> = EXTENSIONS.iter().flat_map(|(names, _)| names.split_ascii_whitespace()).collect();
        for names in [folders, extensions] {
            let mut unique = names.clone();
            unique.sort_unstable();
            unique.dedup();
            assert_eq!(unique.len(), names.len());
        }
    }

    #[test]
    fn folders_are_looked_up_by_exact_name() {
        assert_eq!(folder("node_modules"), Some(FolderRule::Always));
        assert_eq!(folder("build"), Some(FolderRule::Product));
        assert_eq!(folder(".memory"), Some(FolderRule::Never));
        assert_eq!(folder("builder"), None);
    }
}
