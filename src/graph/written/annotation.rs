//! The types among what a source writes: the other half of the reader. Read [`Reader::written`] first.

use super::{MOST_DEPTH, Reader, TYPE_WORDS, Written, assigned, is_name, parts, unnamed, written};

impl Reader<'_> {
    /// Types joined by `|` and `&`.
    pub(super) fn written(&mut self) -> Written {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Written::Unknown;
        }
        let mut all = vec![self.one_type()];
        loop {
            self.blanks();
            let joined = !self.rest().starts_with("||") && (self.eat("|") || self.eat("&") || self.eat("+ "));
            if !joined || self.rest().trim().is_empty() {
                break;
            }
            all.push(self.one_type());
        }
        self.depth -= 1;
        if all.len() == 1 { all.pop().unwrap_or(Written::Unknown) } else { Written::Any(all) }
    }

    pub(super) fn one_type(&mut self) -> Written {
        self.prefixes();
        if self.eat("typeof ") || self.eat("keyof typeof ") {
            let rest = self.rest();
            self.at = self.text.len();
            return Written::TypeOf(rest.trim().to_owned());
        }
        let found = match self.peek() {
            Some('[') => self.bracketed(),
            Some('(') => self.tuple(),
            Some('{' | '"' | '\'' | '`' | '0'..='9') => Written::Unknown,
            _ => self.named_type(),
        };
        self.suffixes(found)
    }

    fn prefixes(&mut self) {
        loop {
            self.blanks();
            let rest = self.rest();
            if rest.starts_with(['&', '*', '^', '?', '!']) || rest.starts_with("...") || rest.starts_with("<-") {
                let signs = rest.len() - rest.trim_start_matches(['&', '*', '^', '?', '!', '.', '<', '-']).len();
                self.at += signs;
            } else if let Some(lifetime) = rest.strip_prefix('\'').filter(|rest| !rest.trim_end().ends_with('\'')) {
                let len = lifetime.find(|c: char| !is_name(c)).unwrap_or(lifetime.len());
                self.at += 1 + len;
            } else if let Some(word) =
                TYPE_WORDS.iter().find(|word| rest.strip_prefix(**word).is_some_and(|rest| rest.starts_with(' ')))
            {
                self.at += word.len();
            } else {
                return;
            }
        }
    }

    /// `[]T`, `[4]T`, `[T]`, `[T; 4]`, `[K: V]`, `[A, B]`.
    fn bracketed(&mut self) -> Written {
        let Some(inside) = self.group() else { return Written::Unknown };
        self.blanks();
        let follows = self.peek().is_some_and(|c| is_name(c) || matches!(c, '*' | '[' | '(' | '&' | '?'));
        if follows {
            return Written::Container(vec![self.one_type()]);
        }
        let inside = inside.split(';').next().unwrap_or_default();
        Written::Container(parts(&inside.replace(": ", ", ")).map(|part| written(&part)).collect())
    }

    /// `(A, B)`, `(T)`, `(name: A) => B`.
    fn tuple(&mut self) -> Written {
        let Some(inside) = self.group() else { return Written::Unknown };
        self.blanks();
        if self.rest().starts_with("=>") || self.rest().starts_with("->") {
            self.at = self.text.len();
            return Written::Unknown;
        }
        let mut all: Vec<Written> = parts(inside).map(|part| written(unnamed(&part))).collect();
        if all.len() == 1 { all.pop().unwrap_or(Written::Unknown) } else { Written::Tuple(all) }
    }

    fn named_type(&mut self) -> Written {
        let mut path = Vec::new();
        let mut args = Vec::new();
        self.eat("::");
        self.eat("\\");
        while let Some(name) = self.name() {
            path.push(name);
            if self.rest().starts_with("::<") {
                self.eat("::");
            }
            if self.peek() == Some('<')
                || (self.peek() == Some('[')
                    && !self.rest().starts_with("[]")
                    && path.last().is_some_and(|name| name != "map"))
            {
                let Some(inside) = self.group() else { return Written::Unknown };
                args =
                    parts(inside).filter(|part| !part.starts_with('\'')).map(|part| written(assigned(&part))).collect();
            }
            if path == ["map"] && self.peek() == Some('[') {
                let key = self.group().map_or(Written::Unknown, written);
                return Written::Container(vec![key, self.one_type()]);
            }
            if !["::", ".", "\\"].iter().any(|separator| self.eat(separator)) {
                break;
            }
        }
        if path == ["func"]
            || path == ["fn"]
            || path == ["Fn"]
            || path == ["FnMut"]
            || path == ["FnOnce"]
            || path.is_empty()
        {
            self.at = self.text.len();
            return Written::Unknown;
        }
        Written::Named { path, args }
    }

    fn suffixes(&mut self, mut found: Written) -> Written {
        loop {
            if self.eat("[]") {
                found = Written::Container(vec![found]);
            } else if !(self.eat("?")
                || self.eat("!")
                || self.eat("*")
                || self.eat(" *")
                || self.eat(" &") && !self.rest().starts_with(' '))
            {
                return found;
            }
        }
    }
}
