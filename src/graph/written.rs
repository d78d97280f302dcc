//! Expressions and types as a source writes them -> small trees, in one grammar wide enough for all languages. What does not fit
//! is [`Expr::Unknown`]: nothing is guessed from half an expression. Text only, no names are looked up.
//! Read [`Expr`] and [`Written`] first.

mod annotation;

/// An expression that something is called on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expr {
    Name(String),
    /// A name before `::`: a module or a type, never a variable.
    Scope(String),
    /// `object.name`, `Type::name`, `pointer->name`.
    Member(Box<Expr>, String),
    Call(Box<Expr>),
    /// `new T(…)`.
    New(Written),
    /// `(T) x`, `x as T`.
    Cast(Written),
    /// `xs[i]`.
    Index(Box<Expr>),
    /// What is inside an option, a result or a promise: `x?`, `await x`.
    Inner(Box<Expr>),
    Literal,
    Unknown,
}

impl Expr {
    /// The names of a path (`a.b.C`).
    pub(super) fn path(&self) -> Option<Vec<&str>> {
        match self {
            Self::Name(name) | Self::Scope(name) => Some(vec![name]),
            Self::Member(object, name) => {
                let mut path = object.path()?;
                path.push(name);
                Some(path)
            }
            Self::Call(_)
            | Self::New(_)
            | Self::Cast(_)
            | Self::Index(_)
            | Self::Inner(_)
            | Self::Literal
            | Self::Unknown => None,
        }
    }
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written {
    Named {
        path: Vec<String>,
        args: Vec<Written>,
    },
    /// One of several: a union, an intersection.
    Any(Vec<Written>),
    /// Arrays and maps written with signs.
    Container(Vec<Written>),
    Tuple(Vec<Written>),
    /// `typeof x`.
    TypeOf(String),
    Unknown,
}

/// Deepest nesting that is looked into.
const MOST_DEPTH: u8 = 24;

/// Words before an expression that do not change what it is.
const EXPRESSION_WORDS: [&str; 8] = ["clone", "mut", "try", "try!", "try?", "yield", "move", "comptime"];

/// Words before a type that do not change which it is.
const TYPE_WORDS: [&str; 27] = [
    "mut", "const", "dyn", "impl", "readonly", "final", "volatile", "struct", "enum", "union", "class", "typename",
    "unsigned", "ref", "out", "in", "params", "inout", "some", "any", "sealed", "static", "weak", "lazy", "unique",
    "keyof", "chan",
];

/// Expression of the text of a receiver or value.
pub(super) fn expression(text: &str) -> Expr {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let found = reader.expression();
    reader.blanks();
    match (reader.rest().is_empty(), reader.word_as()) {
        (true, _) => found,
        (false, true) => Expr::Cast(written(reader.rest())),
        (false, false) => Expr::Unknown,
    }
}

/// Type of the text of an annotation.
pub(super) fn written(text: &str) -> Written {
    let text = text.trim();
    let bare = text.trim_start_matches("->").trim_start_matches(':').trim();
    let unquoted = ['"', '\''].iter().find_map(|quote| bare.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(bare);
    Reader { text: unquoted, at: 0, depth: 0 }.written()
}

/// `f(name: string, each: (item: T) => void)` -> `T`: the first parameter of the only function among the parameters.
pub(super) fn callback_parameter(signature: &str) -> Option<Written> {
    let open = signature.find('(')?;
    let list = signature.get(open..)?;
    let inside = list.get(1..closing(list)?)?;
    let mut callbacks = parts(inside).filter_map(|part| {
        let (_, given) = part.split_once(": ")?;
        let given = given.trim();
        let close = closing(given).filter(|_| given.starts_with('('))?;
        let arrow = given.get(close + 1..)?.trim_start();
        (arrow.starts_with("=>") || arrow.starts_with("->")).then(|| given.get(1..close).map(str::to_owned))?
    });
    let only = callbacks.next().filter(|_| callbacks.next().is_none())?;
    let first = parts(&only).next()?;
    Some(written(unnamed(&first)))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: u8,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    /// The keyword `as` stands next; it is eaten.
    fn word_as(&mut self) -> bool {
        self.blanks();
        ["as! ", "as? ", "as ", "satisfies "].iter().any(|word| self.eat(word))
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        let marks = rest.len() - rest.trim_start_matches(['@', '$', '#']).len();
        let bare = rest.get(marks..)?;
        let len = bare.find(|c: char| !is_name(c)).unwrap_or(bare.len());
        // A raw name (`r#type`, `` `type` ``) is the name.
        if len == 0 {
            return None;
        }
        self.at += marks + len;
        let name = rest.get(..marks + len)?;
        Some(name.trim_start_matches('#').to_owned())
    }

    /// The text between a bracket and the one that closes it; both are eaten.
    fn group(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let close = closing(rest)?;
        self.at += close + 1;
        rest.get(1..close)
    }

    fn expression(&mut self) -> Expr {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Expr::Unknown;
        }
        let found = self.primary();
        let found = self.postfix(found);
        self.depth -= 1;
        found
    }

    fn primary(&mut self) -> Expr {
        self.blanks();
        if EXPRESSION_WORDS.iter().any(|word| self.eat_word(word)) {
            return self.expression();
        }
        if self.eat_word("await") {
            return Expr::Inner(Box::new(self.expression()));
        }
        if self.eat_word("new") {
            return self.new_object();
        }
        match self.peek() {
            Some('&' | '*' | '!' | '-' | '~') => {
                self.at += 1;
                self.expression()
            }
            Some('(') => self.parenthesized(),
            Some('<') => self.qualified(),
            Some('"' | '\'' | '`' | '{' | '[' | '0'..='9') => self.literal(),
            _ => match self.name() {
                Some(name) if matches!(self.peek(), Some('"' | '\'')) && name.len() <= 2 => self.literal(),
                Some(name) if name == "this" && self.peek() == Some('@') => self.outer_object(),
                Some(name) => Expr::Name(name),
                None => Expr::Unknown,
            },
        }
    }

    /// `this@Outer`.
    fn outer_object(&mut self) -> Expr {
        self.at += 1;
        self.name().map_or(Expr::Unknown, |outer| Expr::Cast(written(&outer)))
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let after = self.rest().strip_prefix(word);
        let found =
            after.is_some_and(|after| after.starts_with([' ', '(']) && !(after.starts_with('(') && word != "await"));
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn new_object(&mut self) -> Expr {
        self.blanks();
        let made = self.one_type();
        self.blanks();
        if self.peek() == Some('(') {
            self.group();
        }
        self.blanks();
        if self.peek() == Some('{') {
            self.group();
        }
        Expr::New(made)
    }

    /// `(x)`, `(T) x`, `(x as T)`.
    fn parenthesized(&mut self) -> Expr {
        let Some(inside) = self.group() else { return Expr::Unknown };
        self.blanks();
        let casts = self.peek().is_some_and(|c| is_name(c) || matches!(c, '(' | '"' | '@' | '$'))
            && !self.rest().starts_with("as");
        if casts && self.peek() != Some('(') {
            self.expression();
            return Expr::Cast(written(inside));
        }
        expression(inside)
    }

    /// `<T as Trait>::f`, `<T>::f`, `<T>x`.
    fn qualified(&mut self) -> Expr {
        let Some(inside) = self.group() else { return Expr::Unknown };
        let named = inside.rsplit_once(" as ").map_or(inside, |(_, interface)| interface);
        if self.peek().is_some_and(is_name) {
            self.expression();
        }
        Expr::Cast(written(named))
    }

    fn literal(&mut self) -> Expr {
        match self.peek() {
            Some(quote @ ('"' | '\'' | '`')) => {
                let rest = self.rest();
                let end = rest.char_indices().skip(1).find(|(_, c)| *c == quote).map_or(rest.len(), |(at, _)| at + 1);
                self.at += end;
            }
            Some('{' | '[') => {
                if self.group().is_none() {
                    return Expr::Unknown;
                }
            }
            _ => {
                let rest = self.rest();
                self.at += rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            }
        }
        Expr::Literal
    }

    fn postfix(&mut self, mut object: Expr) -> Expr {
        loop {
            self.blanks();
            object = match self.peek() {
                Some('(') => {
                    if self.group().is_none() {
                        return Expr::Unknown;
                    }
                    Expr::Call(Box::new(object))
                }
                Some('[') => {
                    let Some(inside) = self.group() else { return Expr::Unknown };
                    let casts = matches!(&object, Expr::Member(_, method) if method == "asInstanceOf");
                    if casts { Expr::Cast(written(inside)) } else { Expr::Index(Box::new(object)) }
                }
                Some('<') if self.skip_generics() => object,
                Some('<') => return object,
                // A function as the last argument, or what a new object holds.
                Some('{') if self.eat("{}") => {
                    let called = matches!(object, Expr::Name(_) | Expr::Member(..));
                    if called { Expr::Call(Box::new(object)) } else { object }
                }
                Some('!') if !self.rest().starts_with("!=") => {
                    self.at += 1;
                    object
                }
                _ => match self.member(object) {
                    Ok(member) => member,
                    Err(object) => return object,
                },
            };
        }
    }

    /// Type arguments before a call or at the end; a comparison is none.
    fn skip_generics(&mut self) -> bool {
        let before = self.at;
        let closed = self.group().is_some();
        let follows = self.rest().is_empty() || self.rest().starts_with(['(', ':', '.', '{']);
        if !(closed && follows) {
            self.at = before;
        }
        closed && follows
    }

    fn member(&mut self, object: Expr) -> Result<Expr, Expr> {
        let before = self.at;
        if self.rest().starts_with('?') && !self.rest().starts_with("??") {
            self.at += 1;
            return Ok(Expr::Inner(Box::new(object)));
        }
        let separators = [".", "->", "::", "\\", ":"];
        let Some(separator) = separators.iter().find(|separator| self.eat(separator)) else { return Err(object) };
        let object = scoped(object, separator);
        self.blanks();
        if *separator == "::" && self.rest().is_empty() {
            return Ok(object);
        }
        if self.peek() == Some('<') && self.skip_generics() {
            return Ok(object);
        }
        if self.peek() == Some('*') {
            self.at += 1;
            return Ok(object);
        }
        // What an optional holds (`x.?`).
        if *separator == "." && self.eat("?") {
            return Ok(Expr::Inner(Box::new(object)));
        }
        if self.eat_word("await") || (self.rest() == "await" && self.eat("await")) || self.eat("await.") && self.back()
        {
            return Ok(Expr::Inner(Box::new(object)));
        }
        match self.name() {
            Some(name) => Ok(Expr::Member(Box::new(object), name)),
            // A type assertion (`x.(T)`).
            None if self.peek() == Some('(') => {
                Ok(self.group().map_or(Expr::Unknown, |inside| Expr::Cast(written(inside))))
            }
            None => {
                self.at = before;
                Err(Expr::Unknown)
            }
        }
    }

    /// The dot after `await` belongs to what follows.
    fn back(&mut self) -> bool {
        self.at -= 1;
        true
    }
}

/// What stands before `::` is no variable.
fn scoped(object: Expr, separator: &str) -> Expr {
    match object {
        Expr::Name(name) if separator == "::" => Expr::Scope(name),
        Expr::Name(_)
        | Expr::Scope(_)
        | Expr::Member(..)
        | Expr::Call(_)
        | Expr::New(_)
        | Expr::Cast(_)
        | Expr::Index(_)
        | Expr::Inner(_)
        | Expr::Literal
        | Expr::Unknown => object,
    }
}

/// `Item = T` -> `T`, `T: Bound` -> `Bound`, `in T` -> `T`.
fn assigned(argument: &str) -> &str {
    match argument.split_once('=') {
        Some((_, given)) if !given.starts_with('>') => given.trim(),
        _ => argument,
    }
}

/// `name Type` and `name: Type` -> `Type`, as results and tuples have them.
fn unnamed(part: &str) -> &str {
    let after_colon = part.split_once(": ").map_or(part, |(_, written)| written);
    match after_colon.split_once(' ') {
        Some((name, rest))
            if name.chars().all(is_name) && !rest.starts_with(['|', '&', '=']) && !TYPE_WORDS.contains(&name) =>
        {
            rest
        }
        _ => after_colon,
    }
}

/// Parts between commas that stand in no bracket.
fn parts(text: &str) -> impl Iterator<Item = String> {
    let (mut depth, mut part, mut all) = (0_i32, String::new(), Vec::new());
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth <= 0 { all.push(std::mem::take(&mut part)) } else { part.push(c) }
    }
    all.push(part);
    all.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty())
}

/// Byte offset of the bracket that closes the first character.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut quote = None;
    let mut before = ' ';
    let angled = text.starts_with('<');
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) => quote = (open != c || before == '\\').then_some(open),
            (None, '"' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, '<') if angled => depth += 1,
            (None, '>') if angled && before != '-' && before != '=' => depth -= 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) => {}
        }
        if depth == 0 && quote.is_none() {
            return Some(at);
        }
        before = c;
    }
    None
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests;
