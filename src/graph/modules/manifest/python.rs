//! Where the packages of a Python project begin: the folders of its manifests and what they say of source folders. Names and
//! versions are not looked at. Read [`roots`] first.

use toml::{Table, Value};

use super::super::path::{join, parent};
use crate::graph::Code;

/// Folders that imports may begin in, in the order of the manifests' paths.
pub(super) fn roots(code: &dyn Code) -> Vec<String> {
    let mut roots = Vec::new();
    let mut add = |dir: &str, folders: Vec<String>| {
        for folder in folders.iter().map(String::as_str).chain([".", "src"]) {
            roots.extend(join(dir, folder).filter(|root| !roots.contains(root)));
        }
    };
    for (path, text) in code.manifests("pyproject.toml") {
        add(path.dir(), text.parse::<Table>().map(|table| pyproject(&Value::Table(table))).unwrap_or_default());
    }
    for (path, text) in ["setup.cfg", "setup.py"].into_iter().flat_map(|name| code.manifests(name)) {
        add(path.dir(), setup(&text));
    }
    roots
}

/// Source folders of the build back ends and of pytest.
fn pyproject(manifest: &Value) -> Vec<String> {
    let tool = |keys: &[&str]| keys.iter().try_fold(manifest.get("tool")?, |value, key| value.get(key));
    let mut folders = strings(tool(&["setuptools", "packages", "find", "where"]));
    folders.extend(strings(tool(&["setuptools", "package-dir", ""])));
    folders.extend(strings(tool(&["pdm", "build", "package-dir"])));
    folders.extend(strings(tool(&["pytest", "ini_options", "pythonpath"])));
    let wheel = strings(tool(&["hatch", "build", "targets", "wheel", "packages"]));
    folders.extend(wheel.iter().map(|package| parent(package).to_owned()));
    let poetry = tool(&["poetry", "packages"]).and_then(Value::as_array).into_iter().flatten();
    folders.extend(poetry.flat_map(|package| strings(package.get("from"))));
    folders
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let many = value.and_then(Value::as_array).into_iter().flatten();
    many.chain(value).filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The folder of `package_dir = {"": "lib"}` (setup.py), of `= lib` below `package_dir =` and of `where = lib` (setup.cfg).
fn setup(text: &str) -> Vec<String> {
    let Some((_, rest)) = text.split_once("package_dir") else { return Vec::new() };
    let rest = rest.trim_start().trim_start_matches(['=', '{', ' ', '\n', '\t', '\r']);
    let value = rest.strip_prefix("\"\"").or_else(|| rest.strip_prefix("''")).unwrap_or(rest);
    let value = value.trim_start_matches([' ', ':', '=']);
    let folder = value.trim_start_matches(['"', '\'']).split(['"', '\'', '\n', ',', '}']).next().map(str::trim);
    folder.filter(|folder| is_folder(folder)).map(str::to_owned).into_iter().collect()
}

fn is_folder(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_folders_are_read_from_all_forms() {
        let pyproject = |text: &str| pyproject(&Value::Table(text.parse().unwrap()));
        assert_eq!(pyproject("[tool.setuptools.packages.find]\nwhere = ['lib']"), ["lib"]);
        assert_eq!(pyproject("[tool.setuptools.package-dir]\n'' = 'code'"), ["code"]);
        assert_eq!(pyproject("[tool.poetry]\npackages = [{include = 'a', from = 'py'}]"), ["py"]);
        assert_eq!(pyproject("[tool.hatch.build.targets.wheel]\npackages = ['source/a']"), ["source"]);
        assert_eq!(pyproject("[tool.pytest.ini_options]\npythonpath = ['.', 'app']"), [".", "app"]);
        assert_eq!(setup("setup(package_dir={\"\": \"lib\"}, packages=[])"), ["lib"]);
        assert_eq!(setup("[options]\npackage_dir =\n    = python\nx = 1"), ["python"]);
        assert!(setup("package_dir = find(here)").is_empty());
    }
}
