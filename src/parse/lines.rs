//! Byte offsets and line numbers of one text, and the small questions about white space that chunks ask. It knows no grammar.

use crate::model::{Lines, Span};

/// Starts of all lines of a text.
pub(super) struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<u32>,
    comments: Vec<Span>,
}

impl<'t> LineIndex<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').filter_map(|(at, _)| u32::try_from(at + 1).ok()),
        );
        if starts.len() > 1 && starts.last().is_some_and(|&last| last as usize == text.len()) {
            starts.pop();
        }
        Self { text, starts, comments: Vec::new() }
    }

    /// Tells which spans are comments.
    pub(super) fn with_comments(mut self, mut comments: Vec<Span>) -> Self {
        comments.sort_unstable();
        self.comments = comments;
        self
    }

    pub(super) fn is_comment(&self, span: Span) -> bool {
        self.comments.binary_search(&span).is_ok()
    }

    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// 1-based line of a byte offset.
    pub(super) fn line(&self, at: u32) -> u32 {
        u32::try_from(self.starts.partition_point(|&start| start <= at)).unwrap_or(u32::MAX)
    }

    /// First and last line of a span; the line break at its end is not a line of its own.
    pub(super) fn range(&self, span: Span) -> Lines {
        let start = self.line(span.start);
        let end = self.line(span.end.saturating_sub(1).max(span.start));
        Lines { start, end: end.max(start) }
    }

    /// Offset of the first byte of a 1-based line; the end of the text past the last.
    pub(super) fn start_of(&self, line: u32) -> u32 {
        self.starts.get(line.saturating_sub(1) as usize).copied().unwrap_or_else(|| self.len())
    }

    /// Offset after the last byte of a line, its line break included.
    pub(super) fn end_of(&self, line: u32) -> u32 {
        self.start_of(line + 1)
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    pub(super) fn is_blank(&self, span: Span) -> bool {
        self.slice(span).trim().is_empty()
    }

    /// `span` without the white space at its end.
    pub(super) fn trimmed(&self, span: Span) -> Span {
        let kept = self.slice(span).trim_end().len();
        Span { start: span.start, end: span.start + u32::try_from(kept).unwrap_or(0) }
    }

    /// Nothing but white space, comments and the ends of statements.
    pub(super) fn holds_no_code(&self, span: Span) -> bool {
        let first = self.comments.partition_point(|comment| comment.start < span.start);
        let mut from = span.start;
        for comment in self.comments.iter().skip(first).take_while(|comment| comment.end <= span.end) {
            if !self.is_separator(Span { start: from, end: comment.start }) {
                return false;
            }
            from = comment.end;
        }
        self.is_separator(Span { start: from, end: span.end })
    }

    /// Only white space and at most one line break (two after a documentation comment in a block) stand between `span` and `at`,
    /// and `span` does not trail code on its own line.
    pub(super) fn joined(&self, span: Span, at: u32) -> bool {
        let between = self.slice(Span { start: span.end, end: at });
        let text = self.slice(span);
        // A line comment's node may hold its own line break.
        // Most often code stands between, and far away: that is seen at its first character.
        let allowed = if text.starts_with("/**") { 2 } else { 1 };
        between.trim_start().is_empty()
            && between.matches('\n').count() + usize::from(text.ends_with('\n')) <= allowed
            && self.starts_line(span.start)
    }

    /// `span` widened to whole lines where only white space and the `;` that ends it are added.
    pub(super) fn whole_lines(&self, span: Span) -> Span {
        let start = if self.starts_line(span.start) { self.start_of(self.line(span.start)) } else { span.start };
        let last = self.range(span).end;
        let end = self.end_of(last);
        let rest = self.slice(Span { start: span.end.min(end), end });
        let rest_blank = rest.trim().trim_matches(';').is_empty();
        Span { start, end: if rest_blank { end.max(span.end) } else { span.end } }
    }

    /// The string literal that a body starts with: a docstring.
    pub(super) fn leading_string(&self, body: Span) -> Option<Span> {
        let text = self.slice(body);
        let skipped = text.len() - text.trim_start().len();
        let start = body.start + u32::try_from(skipped).ok()?;
        let literal = text.trim_start().trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B']);
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| literal.starts_with(quote))?;
        let prefix = text.trim_start().len() - literal.len();
        let inner = literal.get(quote.len()..)?;
        let length = prefix + quote.len() + inner.find(quote)? + quote.len();
        Some(Span { start, end: start + u32::try_from(length).ok()? })
    }

    fn is_separator(&self, span: Span) -> bool {
        self.slice(span).trim_matches(|c: char| c.is_whitespace() || c == ';').is_empty()
    }

    fn starts_line(&self, at: u32) -> bool {
        let start = self.start_of(self.line(at));
        self.is_blank(Span { start, end: at })
    }
}
