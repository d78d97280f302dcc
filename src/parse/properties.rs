//! What holds for every text in every language, tried with random ones. It knows no language. Read [`holds`] first.

use proptest::prelude::*;

use super::{languages, parse, plain};
use crate::model::{ContentHash, Lang, ParsedFile, RelPath, SourceFile, Span};

/// What code is made of, in pieces that seldom fit.
const PIECES: &str = "(|)|{|}|[|]|<|>|;|:|::|,|.|=|=>|->|#|@|\\|\"|'|`|\"\"\"|'''|```|~~~|//|/*|*/|--|<!--|-->|<script>|</script>|\
     <style>|</style>|<template>|<?php|#!/bin/sh|#if|#endif|#define|class|struct|enum|interface|trait|impl|fn|def|func|function|fun|\
     end|do|if|else|begin|module|namespace|import|from|export|default|const|let|var|val|public|static|return|async|type|new|package|\
     use|pub|mod|template|typename|describe|it|test|A_B|Name|other|é|数|\u{1f600}|\u{feff}|\u{2028}|0|1.5|defmodule|local|then|\
     # Title|=====|\r";

fn soup() -> impl Strategy<Value = String> {
    let pieces: Vec<&'static str> = PIECES.split('|').collect();
    let gap = prop::sample::select(vec!["", " ", "\n", "\n\n", "\n  ", "\r\n", "\t"]);
    prop::collection::vec((prop::sample::select(pieces), gap), 0..120)
        .prop_map(|parts| parts.into_iter().flat_map(|(piece, gap)| [piece, gap]).collect())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![4 => soup(), 1 => any::<String>(), 1 => "\\PC{0,200}", 1 => "[ \\n\\t\\r\\x00-\\x7f]{0,200}"]
}

fn all() -> impl Iterator<Item = Lang> {
    languages().into_iter().chain(plain::FORMS.iter().map(|form| form.lang))
}

/// All chunks together are the text without its white space, once; no language leaves a kind of node out.
fn holds(file: &ParsedFile, text: &str) -> Result<(), TestCaseError> {
    let lang = file.lang.0;
    let fits = |span: &Span| {
        let slice = text.get(span.start as usize..span.end as usize);
        prop_assert!(slice.is_some(), "{lang}: {span:?} is no piece of {text:?}");
        Ok(())
    };
    for (at, symbol) in file.symbols.iter().enumerate() {
        fits(&symbol.span)?;
        prop_assert!(symbol.parent.is_none_or(|parent| (parent as usize) < at), "{lang}: {symbol:?} of {text:?}");
    }
    file.docs.iter().chain(&file.import_spans).try_for_each(fits)?;
    let mut spans: Vec<Span> = file.chunks.iter().flat_map(|chunk| chunk.spans.clone()).collect();
    spans.iter().try_for_each(fits)?;
    spans.sort_unstable();
    let mut end = 0;
    for span in &spans {
        prop_assert!(end <= span.start, "{lang}: {span:?} is twice in the chunks of {text:?}");
        let between = text.get(end as usize..span.start as usize).unwrap_or_default();
        prop_assert!(between.trim().is_empty(), "{lang}: {between:?} is in no chunk of {text:?}");
        end = span.end;
    }
    let rest = text.get(end as usize..).unwrap_or_default();
    prop_assert!(rest.trim().is_empty(), "{lang}: {rest:?} is in no chunk of {text:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_text_is_taken_apart_without_loss(text in any_text()) {
        for lang in all() {
            let source = SourceFile { path: RelPath::new("a"), lang, text: text.clone(), hash: ContentHash(0) };
            holds(&parse(&source), &text)?;
        }
    }
}
