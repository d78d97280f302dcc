//! Throw-away projects for tests, and the binary run on them.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with files of the test's own making.
pub(crate) struct TestProject {
    dir: TempDir,
}

impl TestProject {
    /// Files from a text: `//- path` starts a file.
    pub(crate) fn new(fixture: &str) -> Self {
        let project = Self { dir: TempDir::new().expect("a temporary folder") };
        for part in fixture.split("//- ").filter(|part| !part.trim().is_empty()) {
            let (path, text) = part.split_once('\n').expect("a path and a text");
            project.write(path.trim(), text);
        }
        project
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("inside the project")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// The binary with this project, and with nothing of the tester's environment that could change its answers.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.arg("--project").arg(self.root()).args(args).env("NO_COLOR", "1").env("HOME", self.root());
        // As installed: by its name.
        command.env("PATH", binary().parent().expect("a folder"));
        command.env_remove("RUST_LOG").env_remove("XDG_CONFIG_HOME");
        command
    }

    /// Standard output of a run that must succeed.
    pub(crate) fn run(&self, args: &[&str]) -> String {
        let output = self.command(args).assert().success().get_output().stdout.clone();
        String::from_utf8(output).expect("UTF-8")
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.run(args)).expect("JSON")
    }

    /// Paths of the results of a query, best first.
    pub(crate) fn found(&self, query: &str) -> Vec<String> {
        let answer = self.json(&["search", "--json", query]);
        let results = answer["results"].as_array().expect("results").clone();
        results.iter().map(|hit| hit["filePath"].as_str().expect("a path").to_owned()).collect()
    }
}

pub(crate) fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_reporecall"))
}

/// A small project in three languages.
pub(crate) const SHOP: &str = r#"//- src/cart.py
"""Shopping carts."""
from .prices import price_of

class Cart:
    """Holds the items of one customer."""

    def add_item(self, item, count=1):
        self.items.append((item, count))

    def total_price(self):
        """Sum of all items with discounts."""
        return sum(price_of(item) * count for item, count in self.items)
//- src/prices.py
def price_of(item):
    """Price of one item in cents."""
    return TABLE[item]

TABLE = {}
//- web/checkout.ts
import { Cart } from "./cart";

export async function submitOrder(cart: Cart): Promise<void> {
  await fetch("/orders", { body: JSON.stringify(cart) });
}
//- core/ledger.rs
/// Books one payment.
pub fn book_payment(amount: u64) -> u64 {
    amount + 1
}
//- tests/test_cart.py
from src.cart import Cart

def test_total_price():
    assert Cart().total_price() == 0
//- README.md
# Shop

How carts and orders work.
"#;
