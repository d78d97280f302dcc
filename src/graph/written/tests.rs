//! Expressions and types as the languages write them, in short form.

use super::*;

/// Short form: `a.b()` for member and call, `'` for inner, `[]` for index, `:T` for a type.
fn show(expr: &Expr) -> String {
    match expr {
        Expr::Name(name) | Expr::Scope(name) => name.clone(),
        Expr::Member(object, name) => format!("{}.{name}", show(object)),
        Expr::Call(callee) => format!("{}()", show(callee)),
        Expr::New(made) => format!("new {}", show_type(made)),
        Expr::Cast(to) => format!(":{}", show_type(to)),
        Expr::Index(object) => format!("{}[]", show(object)),
        Expr::Inner(object) => format!("{}'", show(object)),
        Expr::Literal => "literal".into(),
        Expr::Unknown => "?".into(),
    }
}

fn show_type(written: &Written) -> String {
    let list = |all: &[Written], joint: &str| all.iter().map(show_type).collect::<Vec<_>>().join(joint);
    match written {
        Written::Named { path, args } if args.is_empty() => path.join("."),
        Written::Named { path, args } => format!("{}<{}>", path.join("."), list(args, ",")),
        Written::Any(all) => list(all, "|"),
        Written::Container(all) | Written::Tuple(all) => format!("[{}]", list(all, ",")),
        Written::TypeOf(name) => format!("typeof {name}"),
        Written::Unknown => "?".into(),
    }
}

#[test]
fn receivers_of_every_language() {
    for (text, expected) in [
        ("self", "self"),
        ("self.client.pool", "self.client.pool"),
        ("a.b()?.c", "a.b()'.c"),
        ("x?", "x'"),
        ("self.next()?.inner", "self.next()'.inner"),
        ("await load()", "load()'"),
        ("fut.await", "fut'"),
        ("new Foo<Bar>(a, b)", "new Foo<Bar>"),
        ("(new Foo())", "new Foo"),
        ("(x as Foo)", ":Foo"),
        ("((Foo) x)", ":Foo"),
        ("(<any>x)", ":any"),
        ("<T as Trait>", ":Trait"),
        ("std::vec::Vec::<u8>::new()", "std.vec.Vec.new()"),
        ("Foo<T>::make()", "Foo.make()"),
        ("xs[0].name", "xs[].name"),
        ("x.(Stopper)", ":Stopper"),
        ("p->next->prev", "p.next.prev"),
        ("$this->mailer", "$this.mailer"),
        ("@items", "@items"),
        ("App\\Model\\User", "App.Model.User"),
        ("\"text\"", "literal"),
        ("'a'.join()", "literal.join()"),
        ("[1, 2]", "literal"),
        ("a + b", "?"),
        ("a ?? b", "?"),
        ("x!", "x"),
        ("&mut self.heap", "self.heap"),
        ("this.#inner", "this.inner"),
        ("f(\")\")", "f()"),
        ("xs.filter {}.first() {}", "xs.filter().first()"),
        ("this@Outer.x", ":Outer.x"),
        ("x.asInstanceOf[T].y", ":T.y"),
        ("clone $this", "$this"),
    ] {
        assert_eq!(show(&expression(text)), expected, "{text}");
    }
}

#[test]
fn types_of_every_language() {
    for (text, expected) in [
        ("Foo", "Foo"),
        (": Foo", "Foo"),
        ("\"Foo\"", "Foo"),
        ("&'a mut Foo", "Foo"),
        ("Option<Box<dyn Foo + Send>>", "Option<Box<Foo|Send>>"),
        ("Optional[Foo]", "Optional<Foo>"),
        ("Foo | None", "Foo|None"),
        ("Foo?", "Foo"),
        ("Foo[]", "[Foo]"),
        ("[]*Foo", "[Foo]"),
        ("map[string]*Foo", "[string,Foo]"),
        ("[String: Foo]", "[String,Foo]"),
        ("(*Foo, error)", "[Foo,error]"),
        ("(foo *Foo, err error)", "[Foo,error]"),
        ("(a: Foo) => Bar", "?"),
        ("func(int) Foo", "?"),
        ("impl Iterator<Item = Foo>", "Iterator<Foo>"),
        ("typeof app", "typeof app"),
        ("a::b::Foo<T>", "a.b.Foo<T>"),
        ("const std::shared_ptr<Foo>&", "std.shared_ptr<Foo>"),
        ("Foo *", "Foo"),
        ("{ a: 1 }", "?"),
        ("...Foo", "Foo"),
    ] {
        assert_eq!(show_type(&written(text)), expected, "{text}");
    }
}

#[test]
fn the_parameter_of_the_only_callback_is_found() {
    let shown = |signature| callback_parameter(signature).map(|written| show_type(&written));
    assert_eq!(shown("indented(fn: (arg: Doc) => void): void").as_deref(), Some("Doc"));
    assert_eq!(shown("fun each(name: String, block: (Item) -> Unit)").as_deref(), Some("Item"));
    assert_eq!(shown("pair(a: (x: A) => void, b: (y: B) => void)"), None);
    assert_eq!(shown("plain(a: string)"), None);
}

#[test]
fn nesting_and_halves_end() {
    for text in ["(".repeat(10_000), "a<".repeat(10_000), "a.b(".to_owned(), "[".repeat(9_999), "&".repeat(10_000)] {
        expression(&text);
        written(&text);
    }
}
