//! `graph` as a user meets it, and the questions behind it.

use expect_test::{Expect, expect};
use reporecall::engine::{EdgeFilter, Engine};
use reporecall::model::RelPath;
use reporecall::project::Project;
use reporecall::store::{Finish, Start, StorePaths, Writer};

use crate::edges::link;
use crate::goldens::check_shape;
use crate::project::TestProject;

const SHOP: &str = r#"//- shop/base.py
class Base:
    def save(self):
        pass
//- shop/cart.py
from .base import Base
from .prices import price_of as price

class Cart(Base):
    def __init__(self, items):
        self.items = items

    def save(self):
        self.total()

    def total(self):
        return sum(price(item) for item in self.items)

def _forgotten():
    return 1

def _looked_up():
    return {"again": _looked_up}

@app.route("/carts")
def carts():
    pass
//- shop/main.py
from .cart import Cart

def main():
    cart = Cart([])
    cart.total()
    cart.save()
    store(cart)
    store(cart)

def store(thing):
    thing.save()
    thing.prune()
//- shop/prices.py
def price_of(item):
    return lookup(item)

def lookup(item):
    return price_of(item)
//- tests/test_cart.py
from shop.cart import Cart

def test_total():
    Cart([]).total()
"#;

/// See [`link`].
const EDGES: &str = "\
shop/cart.py Cart : shop/base.py Base
shop/cart.py Cart.save total > shop/cart.py Cart.total self 95
shop/cart.py Cart.total sum > - external 0
shop/cart.py Cart.total price > shop/prices.py price_of import 97
shop/main.py main Cart > shop/cart.py Cart import 97
shop/main.py main total > shop/cart.py Cart.total receiver_type 93
shop/main.py main save > shop/cart.py Cart.save receiver_type 93
shop/main.py main store > shop/main.py store local 98
shop/main.py main store > shop/main.py store local 98
shop/main.py store save > shop/base.py Base.save receiver_type 90
shop/main.py store prune > - ambiguous 20
shop/prices.py price_of lookup > shop/prices.py lookup local 98
shop/prices.py lookup price_of > shop/prices.py price_of local 98
tests/test_cart.py test_total Cart > shop/cart.py Cart import 97
tests/test_cart.py test_total total > shop/cart.py Cart.total unique_name 55";

/// The shop with its edges, and the edge of each import.
fn shop() -> TestProject {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    link(
        &project,
        EDGES,
        &["shop/cart.py 0 shop/base.py", "shop/cart.py 1 shop/prices.py", "shop/main.py 0 shop/cart.py"],
    );
    project
}

fn check(project: &TestProject, args: &[&str], expected: &Expect) {
    expected.assert_eq(&project.run(&[&["graph"], args].concat()));
}

fn complaint(project: &TestProject, args: &[&str], code: i32) -> String {
    let failed = project.command(&[&["graph"], args].concat()).assert().code(code);
    String::from_utf8_lossy(&failed.get_output().stderr).into_owned()
}

#[test]
fn callers_and_callees_are_shown_as_trees() {
    let project = shop();
    check(
        &project,
        &["Cart.total"],
        &expect![[r#"
        shop/cart.py:11  method Cart.total
        callers (2)
        ├─ Cart.save  shop/cart.py:9  method  self 0.95
        │  └─ main  shop/main.py:6  function  receiver_type 0.93 ↑ shown elsewhere
        ├─ main  shop/main.py:5  function  receiver_type 0.93
        └─ … 1 unsure call (--all)
        callees (1)
        └─ price_of  shop/prices.py:1  function  import 0.97 at :12
           └─ lookup  shop/prices.py:4  function  local 0.98 at :2
    "#]],
    );
    check(
        &project,
        &["main", "--callees", "--depth", "1"],
        &expect![[r#"
        shop/main.py:3  function main
        callees (4)
        ├─ Cart  shop/cart.py:4  class  import 0.97 at :4
        ├─ Cart.total  shop/cart.py:11  method  receiver_type 0.93 at :5
        ├─ Cart.save  shop/cart.py:8  method  receiver_type 0.93 at :6
        └─ store  shop/main.py:10  function  local 0.98 at :7 ×2
    "#]],
    );
}

#[test]
fn unsure_edges_overriding_methods_and_outside_callees_are_shown_when_asked_for() {
    let project = shop();
    check(
        &project,
        &["Cart.save", "--callers", "--depth", "1"],
        &expect![[r#"
        shop/cart.py:8  method Cart.save
        callers (1)
        └─ main  shop/main.py:6  function  receiver_type 0.93
    "#]],
    );
    check(
        &project,
        &["Cart.save", "--callers", "--depth", "1", "--dispatch"],
        &expect![[r#"
        shop/cart.py:8  method Cart.save
        callers (2)
        ├─ main  shop/main.py:6  function  receiver_type 0.93
        └─ store  shop/main.py:11  function  dispatch 0.60
    "#]],
    );
    check(
        &project,
        &["store", "--callees", "--depth", "1"],
        &expect![[r#"
        shop/main.py:10  function store
        callees (1)
        ├─ Base.save  shop/base.py:2  method  receiver_type 0.90 at :11
        └─ … 1 unsure call (--all)
    "#]],
    );
    check(
        &project,
        &["store", "--callees", "--depth", "1", "--all"],
        &expect![[r#"
        shop/main.py:10  function store
        callees (3)
        ├─ Base.save  shop/base.py:2  method  receiver_type 0.90 at :11
        ├─ Cart.save  shop/cart.py:8  method  dispatch 0.60 at :11
        └─ thing.prune  ambiguous 0.20 at :12
    "#]],
    );
    check(
        &project,
        &["Cart.total", "--callers", "--depth", "1", "--min-confidence", "0.5"],
        &expect![[r#"
        shop/cart.py:11  method Cart.total
        callers (3)
        ├─ Cart.save  shop/cart.py:9  method  self 0.95
        ├─ main  shop/main.py:5  function  receiver_type 0.93
        └─ test_total  tests/test_cart.py:4  function  unique_name 0.55
    "#]],
    );
}

#[test]
fn calls_of_a_class_are_calls_of_its_constructor() {
    let project = shop();
    check(
        &project,
        &["Cart.__init__", "--callers", "--depth", "1"],
        &expect![[r#"
        shop/cart.py:5  method Cart.__init__
        callers (2)
        ├─ main  shop/main.py:4  function  import 0.97
        └─ test_total  tests/test_cart.py:4  function  import 0.97
    "#]],
    );
    check(
        &project,
        &["shop.Cart", "--callers"],
        &expect![[r#"
        shop/cart.py:4  class Cart
        callers (2)
        ├─ main  shop/main.py:4  function  import 0.97
        └─ test_total  tests/test_cart.py:4  function  import 0.97
    "#]],
    );
}

#[test]
fn without_room_a_tree_says_how_much_is_missing() {
    let project = shop();
    check(
        &project,
        &["main", "--callees", "--limit", "2"],
        &expect![[r#"
        shop/main.py:3  function main
        callees (4)
        ├─ Cart  shop/cart.py:4  class  import 0.97 at :4
        │  └─ … 2 more (--limit)
        ├─ store  shop/main.py:10  function  local 0.98 at :7 ×2
        │  └─ … 1 more (--limit), 1 unsure call (--all)
        └─ … 2 more (--limit)
    "#]],
    );
}

#[test]
fn cycles_are_marked_and_not_followed() {
    check(
        &shop(),
        &["lookup", "--callees", "--depth", "9"],
        &expect![[r#"
        shop/prices.py:4  function lookup
        callees (1)
        └─ price_of  shop/prices.py:1  function  local 0.98 at :5
           └─ lookup  shop/prices.py:4  function  local 0.98 at :2 ↺ cycle
    "#]],
    );
}

#[test]
fn trees_are_drawn_for_other_programs() {
    let project = shop();
    check(
        &project,
        &["lookup", "--format", "dot"],
        &expect![[r#"
        digraph calls {
          rankdir=LR;
          node [shape=box];
          n0 [label="lookup\nshop/prices.py:4"];
          n1 [label="price_of\nshop/prices.py:1"];
          n2 [label="Cart.total\nshop/cart.py:11"];
          n1 -> n0 [label="local 0.98"];
          n2 -> n1 [label="import 0.97"];
          n0 -> n1 [label="local 0.98"];
        }
    "#]],
    );
    check(
        &project,
        &["lookup", "--format", "mermaid"],
        &expect![[r#"
        flowchart LR
          n0["lookup<br/>shop/prices.py:4"]
          n1["price_of<br/>shop/prices.py:1"]
          n2["Cart.total<br/>shop/cart.py:11"]
          n1 -->|local 0.98| n0
          n2 -->|import 0.97| n1
          n0 -->|local 0.98| n1
    "#]],
    );
    let by_format = project.json(&["graph", "lookup", "--format", "json"]);
    assert_eq!(by_format, project.json(&["graph", "lookup", "--json"]));
    assert!(complaint(&project, &["--unused", "--format", "dot"], 2).contains("lists"));
}

#[test]
fn json_answers_keep_their_shape() {
    let project = shop();
    let cases: [(&str, &[&str]); 4] = [
        ("graph", &["Cart.total", "--all"]),
        ("graph-imports", &["--imports", "cart.py"]),
        ("graph-unused", &["--unused"]),
        ("graph-entry-points", &["--entry-points"]),
    ];
    for (name, args) in cases {
        check_shape(name, &project.json(&[&["graph", "--json"], args].concat()));
    }
}

#[test]
fn names_are_found_by_case_owner_and_path_or_told_back() {
    let project = shop();
    assert!(complaint(&project, &["save"], 2).contains("name one of shop/base.py:Base.save, shop/cart.py:Cart.save"));
    let found = |name: &str| project.json(&["graph", name, "--json"])["seed"][0]["qualifiedName"].clone();
    assert_eq!(["base.py:save", "Base::save", "base.save"].map(found), ["Base.save"; 3]);
    assert_eq!(["shop/cart.py:Cart", "shop.cart.Cart", "cart.Cart"].map(found), ["Cart"; 3]);
    assert!(complaint(&project, &["totla"], 2).contains("hint: near it are total"));
    assert!(complaint(&project, &["cart.py:price_of"], 2).contains("nothing is called"));
    assert!(complaint(&project, &["--imports", "shop/carts.py"], 2).contains("shop/cart.py"));
}

#[test]
fn imports_lead_both_ways() {
    check(
        &shop(),
        &["--imports", "cart.py"],
        &expect![[r#"
        shop/cart.py
        imports (2)
          :1     .base Base -> shop/base.py
          :2     .prices price_of as price -> shop/prices.py
        imported by (1)
          shop/main.py
    "#]],
    );
}

#[test]
fn what_nothing_leads_to_is_listed_with_its_doubts() {
    let project = shop();
    check(
        &project,
        &["--unused"],
        &expect![[r#"
        0.90 shop/cart.py:14  function _forgotten
        … 1 less sure or tests (--all)
    "#]],
    );
    check(
        &project,
        &["--unused", "--all"],
        &expect![[r#"
        0.90 shop/cart.py:14  function _forgotten
        0.50 shop/cart.py:17  function _looked_up  its name stands elsewhere in its file
    "#]],
    );
}

#[test]
fn entry_points_are_told_apart() {
    let project = shop();
    check(
        &project,
        &["--entry-points"],
        &expect![[r#"
        main     0.90 shop/main.py:3  function main
        exported 0.70 shop/cart.py:21  function carts
        … 1 less sure or tests (--all)
    "#]],
    );
    check(
        &project,
        &["--entry-points", "--all"],
        &expect![[r#"
        main     0.90 shop/main.py:3  function main
        exported 0.70 shop/cart.py:21  function carts
        test     0.90 tests/test_cart.py:3  function test_total
    "#]],
    );
}

#[test]
fn calls_are_told_site_by_site() {
    let project = shop();
    let engine = Engine::open(Project::at(project.root()).unwrap());
    let callers = engine.find_callers("shop/main.py:store", EdgeFilter::default(), 1).unwrap();
    assert_eq!((callers.calls.len(), callers.more, callers.hidden), (1, 1, 0));
    let everything = EdgeFilter { min_confidence: 0, dispatch: true, outside: true };
    let callees = engine.find_callees("store", everything, 20).unwrap();
    let rows = callees.calls.iter().map(|call| {
        let receiver = call.receiver.as_deref().unwrap_or("-");
        format!("{} {receiver} {} {} {}", call.line, call.callee.qualified(), call.resolution.as_str(), call.confidence)
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        ["11 thing Base.save receiver_type 90", "11 thing Cart.save dispatch 60", "12 thing thing.prune ambiguous 20"]
    );
    let symbols = engine.get_symbol("save").unwrap().matches;
    assert_eq!(
        symbols.iter().map(reporecall::engine::GraphNode::qualified).collect::<Vec<_>>(),
        ["Base.save", "Cart.save"]
    );
}

#[test]
fn an_answer_from_files_that_have_changed_is_called_stale() {
    let project = shop();
    assert_eq!(project.json(&["graph", "lookup", "--json"])["staleness"]["level"], "fresh");
    project.write("shop/prices.py", "def price_of(item):\n    return 2\n");
    assert!(project.run(&["graph", "price_of"]).contains("stale: changed since they were indexed: shop/prices.py"));
}

#[test]
fn edges_to_a_definition_that_is_gone_are_not_shown() {
    let project = shop();
    let paths = StorePaths::new(project.path(".memory"));
    let writer = Writer::open(&paths, Start::AsIs, || panic!("nobody else writes"), &|| false).unwrap();
    writer.remove(RelPath::new("shop/prices.py")).unwrap();
    writer.finish(Finish::default()).unwrap();
    let answer = project.json(&["graph", "Cart.total", "--callees", "--json"]);
    assert_eq!(answer["callees"]["nodes"].as_array().unwrap().len(), 0, "{answer}");
}
