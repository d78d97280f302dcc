//! `reporecall benchmark` on suites of a project: where queries and corpora are looked for, what is written, what is refused.

use std::fs;

use crate::project::TestProject;

const PROJECT: &str = r#"
//- benchmark/queries/shop.jsonl
{"id": "a", "repo": "r", "name": "shop-1", "commit": "1", "query": "where is price_of defined?", "category": "exact_lookup", "expected_route": "R0", "relevant": [{"path": "prices.py", "symbol": "price_of", "start_line": 1, "end_line": 2, "grade": 3}]}
{"id": "b", "repo": "r", "name": "shop-1", "commit": "1", "query": "hello", "category": "skip", "expected_route": "skip", "relevant": []}
//- corpora/shop-1/prices.py
def price_of(item):
    return 1
//- corpora/shop-1/cart.py
def total(items):
    return len(items)
"#;

fn folder(project: &TestProject, name: &str) -> String {
    project.path(name).to_string_lossy().into_owned()
}

fn complaint(project: &TestProject, args: &[&str], code: i32) -> String {
    let failed = project.command(&[&["benchmark"], args].concat()).assert().code(code);
    String::from_utf8_lossy(&failed.get_output().stderr).into_owned()
}

#[test]
fn a_suite_is_asked_through_both_surfaces() {
    let project = TestProject::new(PROJECT);
    let table = |surface: &str| {
        let (corpora, out) = (folder(&project, "corpora"), folder(&project, "out.csv"));
        project.run(&["benchmark", "--suite", "shop", "--corpora", &corpora, "--surface", surface, "--csv", &out]);
        fs::read_to_string(project.path("out.csv")).expect("a table")
    };
    let header = "id,category,route,ndcg10,first,top\n";
    assert_eq!(table("search"), format!("{header}a,exact_lookup,,1.0000,1,prices.py\nb,skip,,,,\n"));
    assert_eq!(table("context"), format!("{header}a,exact_lookup,R0,1.0000,1,prices.py\nb,skip,skip,,,\n"));
}

#[test]
fn the_report_has_routes_and_what_was_searched_with() {
    let project = TestProject::new(PROJECT);
    let corpora = folder(&project, "corpora");
    let args = ["benchmark", "--suite", "registry", "--corpora", &corpora, "--surface", "context", "--json"];
    let report = project.json(&args);
    assert_eq!((&report["mode"], &report["queries"]), (&"keyword".into(), &2.into()), "{report}");
    assert_eq!(report["scores"]["route_acc"], 1.0, "{report}");
    assert_eq!(report["by_category"]["skip"]["ndcg10"], serde_json::Value::Null, "{report}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let project = TestProject::new(PROJECT);
    let (corpora, elsewhere) = (folder(&project, "corpora"), folder(&project, "benchmark"));
    let unknown = complaint(&project, &["--suite", "shoe", "--corpora", &corpora], 1);
    assert!(unknown.contains("hint: there are: registry, shop"), "{unknown}");
    let missing = complaint(&project, &["--suite", "shop", "--corpora", &elsewhere], 1);
    assert!(missing.contains("shop-1") && missing.contains("hint: `scripts/benchmark fetch`"), "{missing}");
    let mode = complaint(&project, &["--suite", "shop", "--mode", "vector"], 2);
    assert!(mode.contains("no vectors") && mode.contains("keyword"), "{mode}");
    let low = complaint(&project, &["--suite", "shop", "--corpora", &corpora, "--threshold", "1.1"], 1);
    assert!(low.contains("below the threshold 1.1"), "{low}");
}
