//! Retrieval metrics: NDCG (Järvelin and Kekäläinen 2002), MRR, MAP, precision, recall, and accuracy over whole answers. A target
//! counts at the rank of the first result that hits it. Read [`score`] first.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::rows::{ResultItem, Target};

/// Metric name -> value in 0..=1; a metric that does not apply to a query is absent from it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Scores(pub BTreeMap<&'static str, f64>);

impl Scores {
    /// Each metric's mean over the queries that have it.
    #[must_use]
    pub fn mean(all: impl Iterator<Item = Self>) -> Self {
        let mut sums: BTreeMap<&'static str, (f64, u32)> = BTreeMap::new();
        for (name, value) in all.flat_map(|scores| scores.0) {
            let sum = sums.entry(name).or_default();
            *sum = (sum.0 + value, sum.1 + 1);
        }
        Self(sums.into_iter().map(|(name, (sum, count))| (name, sum / f64::from(count))).collect())
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.get(name).copied()
    }
}

const DEPTH: usize = 10;

/// Scores of one query; empty when nothing is judged.
#[must_use]
pub fn score(targets: &[Target], results: &[ResultItem]) -> Scores {
    let mut scores = Scores::default();
    if targets.is_empty() {
        return scores;
    }
    let ranks: Vec<Option<usize>> =
        targets.iter().map(|t| results.iter().position(|r| hit(r, t)).map(|at| at + 1)).collect();
    ranked(&mut scores.0, targets, &ranks);
    files_ranked(&mut scores.0, targets, results);
    file_accuracy(&mut scores.0, targets, results);
    function_accuracy(&mut scores.0, targets, results);
    scores
}

fn ranked(scores: &mut BTreeMap<&'static str, f64>, targets: &[Target], ranks: &[Option<usize>]) {
    let gain = |target: &Target| f64::from(2_u32.saturating_pow(target.grade).saturating_sub(1));
    let mut binary = [0.0; DEPTH];
    let mut graded = [0.0_f64; DEPTH];
    for (rank, target) in ranks.iter().zip(targets) {
        if let Some(at) = rank.map(|r| r - 1).filter(|at| *at < DEPTH) {
            binary[at] = 1.0;
            graded[at] = graded[at].max(gain(target));
        }
    }
    let mut ideal: Vec<f64> = targets.iter().map(gain).collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    ideal.truncate(DEPTH);
    let first = ranks.iter().flatten().min();
    let within = |k: usize| ranks.iter().flatten().filter(|rank| **rank <= k).count();
    let distinct = |k: usize| binary.iter().take(k).filter(|gain| **gain > 0.0).count();
    scores.insert("ndcg10", dcg(&binary) / dcg(&vec![1.0; targets.len().min(DEPTH)]));
    scores.insert("ndcg10_graded", dcg(&graded) / dcg(&ideal));
    scores.insert("mrr", first.map_or(0.0, |rank| 1.0 / count(*rank)));
    scores.insert("map", average_precision(ranks));
    scores.insert("p5", count(distinct(5)) / 5.0);
    scores.insert("p10", count(distinct(10)) / 10.0);
    if targets.iter().any(|target| target.path.is_none()) {
        scores.insert("p10_symbols", count(distinct(10)) / 10.0);
    }
    scores.insert("recall5", count(within(5)) / count(targets.len()));
    scores.insert("recall10", count(within(10)) / count(targets.len()));
}

/// `ndcg10` over the right files, whatever of them is found: comparable with sets whose targets are files.
fn files_ranked(scores: &mut BTreeMap<&'static str, f64>, targets: &[Target], results: &[ResultItem]) {
    let files: BTreeSet<&str> = targets.iter().filter_map(|target| target.path.as_deref()).collect();
    if files.is_empty() {
        return;
    }
    let mut gains = [0.0; DEPTH];
    for file in &files {
        let rank = results.iter().position(|result| same_path(&result.path, file));
        if let Some(gain) = rank.and_then(|at| gains.get_mut(at)) {
            *gain = 1.0;
        }
    }
    scores.insert("ndcg10_files", dcg(&gains) / dcg(&vec![1.0; files.len().min(DEPTH)]));
}

fn average_precision(ranks: &[Option<usize>]) -> f64 {
    let mut found: Vec<usize> = ranks.iter().flatten().copied().collect();
    found.sort_unstable();
    let precision = found.iter().enumerate().map(|(before, rank)| count(before + 1) / count(*rank));
    precision.sum::<f64>() / count(ranks.len())
}

fn file_accuracy(scores: &mut BTreeMap<&'static str, f64>, targets: &[Target], results: &[ResultItem]) {
    let gold: Vec<&str> = targets.iter().filter_map(|t| t.path.as_deref()).collect();
    if gold.is_empty() {
        return;
    }
    let mut files: Vec<&str> = Vec::new();
    for result in results {
        if !files.contains(&result.path.as_str()) {
            files.push(&result.path);
        }
    }
    for (name, k) in [("file_acc@1", 1), ("file_acc@3", 3), ("file_acc@5", 5), ("file_acc@10", 10)] {
        let all = gold.iter().all(|gold| files.iter().take(k).any(|file| same_path(file, gold)));
        scores.insert(name, f64::from(u8::from(all)));
    }
}

fn function_accuracy(scores: &mut BTreeMap<&'static str, f64>, targets: &[Target], results: &[ResultItem]) {
    let functions: Vec<&Target> = targets.iter().filter(|t| t.symbol.is_some() && t.path.is_some()).collect();
    if functions.is_empty() {
        return;
    }
    for (name, k) in [("func_acc@5", 5), ("func_acc@10", 10)] {
        let all = functions.iter().all(|target| results.iter().take(k).any(|result| hit(result, target)));
        scores.insert(name, f64::from(u8::from(all)));
    }
}

fn dcg(gains: &[f64]) -> f64 {
    gains.iter().enumerate().map(|(at, gain)| gain / count(at + 2).log2()).sum()
}

#[expect(clippy::cast_precision_loss, reason = "ranks and counts are far below 2^52")]
fn count(n: usize) -> f64 {
    n as f64
}

fn hit(result: &ResultItem, target: &Target) -> bool {
    let Some(path) = &target.path else {
        return target.symbol.as_deref().is_some_and(|symbol| same_symbol(result.symbol.as_deref(), symbol));
    };
    if !same_path(&result.path, path) {
        return false;
    }
    let (Some(start), Some(end)) = (target.start_line, target.end_line) else { return true };
    result.start_line <= end && result.end_line >= start
}

fn same_path(a: &str, b: &str) -> bool {
    let (a, b) = (a.replace('\\', "/"), b.replace('\\', "/"));
    a == b || a.ends_with(&format!("/{b}")) || b.ends_with(&format!("/{a}"))
}

fn same_symbol(a: Option<&str>, b: &str) -> bool {
    let dotted = |s: &str| s.replace("::", ".").replace('#', ".");
    let (a, b) = (dotted(a.unwrap_or_default()), dotted(b));
    !a.is_empty() && (a == b || a.ends_with(&format!(".{b}")) || b.ends_with(&format!(".{a}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(path: &str, grade: u32) -> Target {
        Target { path: Some(path.to_owned()), symbol: None, start_line: None, end_line: None, grade }
    }

    fn result(path: &str) -> ResultItem {
        ResultItem { path: path.to_owned(), start_line: 1, end_line: 9, symbol: None, score: 1.0 }
    }

    fn close(scores: &Scores, name: &str, expected: f64) {
        let value = scores.get(name).expect(name);
        assert!((value - expected).abs() < 1e-9, "{name}: {value} instead of {expected}");
    }

    #[test]
    fn a_target_counts_at_its_first_hit_only() {
        let scores = score(&[target("a.rs", 2), target("b.rs", 1)], &[result("x.rs"), result("a.rs"), result("a.rs")]);
        close(&scores, "ndcg10", (1.0 / 3f64.log2()) / (1.0 + 1.0 / 3f64.log2()));
        close(&scores, "ndcg10_graded", (3.0 / 3f64.log2()) / (3.0 + 1.0 / 3f64.log2()));
        close(&scores, "mrr", 0.5);
        close(&scores, "map", 0.25);
        close(&scores, "recall10", 0.5);
        close(&scores, "file_acc@5", 0.0);
    }

    #[test]
    fn files_are_ranked_by_the_first_hit_of_any_part() {
        let mut elsewhere = target("a.rs", 3);
        (elsewhere.start_line, elsewhere.end_line) = (Some(20), Some(30));
        let scores = score(&[elsewhere, target("a.rs", 1), target("b.rs", 1)], &[result("x.rs"), result("a.rs")]);
        close(&scores, "ndcg10_files", (1.0 / 3f64.log2()) / (1.0 + 1.0 / 3f64.log2()));
    }

    #[test]
    fn lines_must_overlap_where_they_are_judged() {
        let mut judged = target("a.rs", 1);
        (judged.start_line, judged.end_line) = (Some(10), Some(12));
        assert!(!hit(&result("src/a.rs"), &judged));
        judged.start_line = Some(9);
        assert!(hit(&result("src/a.rs"), &judged));
    }

    #[test]
    fn a_target_without_a_path_is_any_definition_of_that_name() {
        let mut judged = target("", 1);
        (judged.path, judged.symbol) = (None, Some("Store.open".to_owned()));
        let mut found = result("x.rs");
        found.symbol = Some("code::Store::open".to_owned());
        assert!(hit(&found, &judged));
        close(&score(&[judged], &[result("y.rs"), found]), "p10_symbols", 0.1);
    }
}
