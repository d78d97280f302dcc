//! The table of a run that is kept under version control: one line a query and no times, so that a changed ranking shows up as changed
//! lines. Read [`csv`] first.

use super::Answered;

const HEADER: &str = "id,category,route,ndcg10,first,top\n";

/// Lines in the order of the corpora and their queries. `ndcg10` is the graded one, `first` the rank of the first relevant result, `top` the
/// path of the best result; empty where there is none.
pub(super) fn csv(answered: &[Answered]) -> String {
    let lines = answered.iter().map(line);
    std::iter::once(HEADER.to_owned()).chain(lines).collect()
}

fn line(row: &Answered) -> String {
    let ndcg = row.scores.get("ndcg10_graded").map(|value| format!("{value:.4}")).unwrap_or_default();
    let first = row.scores.get("mrr").filter(|mrr| *mrr > 0.0).map(|mrr| format!("{:.0}", 1.0 / mrr));
    let top = row.result.results.first().map(|best| field(&best.path)).unwrap_or_default();
    let category = field(row.query.category.as_deref().unwrap_or_default());
    let (id, route) = (field(&row.query.id), row.result.route.unwrap_or_default());
    format!("{id},{category},{route},{ndcg},{},{top}\n", first.unwrap_or_default())
}

/// As RFC 4180 has it.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{ResultItem, ResultRow, judged};

    fn answered(query: &str, paths: &[&str]) -> Answered {
        let query = serde_json::from_str(query).expect("a query row");
        let results = paths
            .iter()
            .map(|path| ResultItem { path: (*path).to_owned(), start_line: 1, end_line: 9, symbol: None, score: 1.0 })
            .collect();
        judged((query, ResultRow { id: String::new(), route: Some("R0"), tokens: Some(9), ms: 1.5, results }))
    }

    #[test]
    fn a_line_has_the_figures_of_its_query_and_no_time() {
        let row = answered(
            r#"{"id": "q1", "repo": "r", "commit": "c", "query": "x", "category": "flow", "relevant": [{"path": "b.rs", "grade": 3}]}"#,
            &["a, b.rs", "b.rs"],
        );
        assert_eq!(csv(&[row]), "id,category,route,ndcg10,first,top\nq1,flow,R0,0.6309,2,\"a, b.rs\"\n");
    }

    #[test]
    fn what_is_not_there_is_left_empty() {
        let row = answered(r#"{"id": "q2", "repo": "r", "commit": "c", "query": "hello"}"#, &[]);
        assert_eq!(csv(&[row]).lines().last(), Some("q2,,R0,,,"));
    }
}
