//! One query match -> the facts it states, by the roles of its captures. Byte offsets only; nothing is looked up beyond the match.
//! Read [`Captured`] first.

use super::extract::{Extraction, RawDefinition};
use super::language::LanguageConfig;
use super::matcher::Captures;
use super::query::Role;
use super::tree::Node;
use super::value::Values;
use super::written::{bare_name, bare_type, shortened, symbol_name, unquoted, without_arguments};
use super::{names, value};
use crate::model::{
    Binding, BindingKind, BindingSource, Import, ImportKind, Inheritance, Reference, ReferenceKind, Scope, Span,
    SymbolKind,
};

/// The captures of one match, by role.
#[derive(Default)]
pub(super) struct Captured<'t> {
    definition: Option<(SymbolKind, Node<'t>)>,
    name: Option<Node<'t>>,
    owner: Vec<Node<'t>>,
    returns: Option<Node<'t>>,
    body: Option<Node<'t>>,
    visibility: Option<Node<'t>>,
    export: bool,
    bases: Vec<Node<'t>>,
    docs: Vec<Node<'t>>,
    decorators: Vec<Node<'t>>,
    call: Option<(ReferenceKind, Node<'t>)>,
    callee: Option<Node<'t>>,
    receiver: Vec<Node<'t>>,
    args: Option<Node<'t>>,
    import: Option<Node<'t>>,
    reexport: bool,
    import_parts: ImportParts<'t>,
    export_default: Option<Node<'t>>,
    bind: Option<BindingKind>,
    declarator: Option<Node<'t>>,
    /// The declarator is that of a function.
    prototype: bool,
    bind_name: Option<Node<'t>>,
    /// Name of what is bound without being written (`it`): `(#set! bind.name "it")`.
    pub(super) given_name: Option<&'t str>,
    bind_source: Option<(Role, Node<'t>)>,
    local: Option<Node<'t>>,
    package: Option<Node<'t>>,
    scope: Option<(bool, Node<'t>)>,
    comment: Option<Node<'t>>,
    attached: Option<Node<'t>>,
    wrapper: Option<Node<'t>>,
    skipped: Option<Node<'t>>,
    pub(super) injection_content: Option<Node<'t>>,
    pub(super) injection_language: Option<Node<'t>>,
}

#[derive(Default)]
struct ImportParts<'t> {
    module: Vec<Node<'t>>,
    name: Option<Node<'t>>,
    alias: Option<Node<'t>>,
    default: Option<Node<'t>>,
    namespace: Option<Node<'t>>,
    wildcard: Option<Node<'t>>,
}

impl<'t> Captured<'t> {
    pub(super) fn of(captures: &Captures<'t>, roles: &[Role]) -> Self {
        let mut captured = Self::default();
        for (capture, node) in captures {
            if let Some(&role) = roles.get(usize::from(*capture)) {
                captured.put(role, *node);
            }
        }
        if let Some(node) = captured.declarator {
            captured.take_apart(node);
        }
        if let Some(called) = captured.callee.filter(|callee| callee.size() > 1).and_then(names::named) {
            captured.callee = Some(called.name);
            captured.receiver.extend(called.path);
        }
        captured
    }

    /// What a declarator declares; a variable that turns out to be a function is its prototype, and no binding. Beside a type that
    /// is defined in the same statement stands the name alone; a type without a name of its own takes the declared one.
    fn take_apart(&mut self, node: Node<'t>) {
        let Some(declared) = names::named(node) else { return };
        if let (Some((kind, whole)), Some((_, written))) = (self.definition, self.bind_source)
            && let Some(body) = written.child_by_field("body")
        {
            if let Some(tag) = written.child_by_field("name") {
                self.definition = Some((kind, declared.name));
                self.bind_source = Some((Role::BindType, tag));
            } else if kind == SymbolKind::Type {
                let kind = if written.kind().starts_with("enum") { SymbolKind::Enum } else { SymbolKind::Struct };
                self.definition = Some((kind, whole));
                self.body = Some(body);
            }
        }
        self.name = Some(declared.name);
        self.bind_name = Some(declared.name);
        self.owner.extend(declared.path);
        if declared.returns && !declared.callable {
            self.bind_source = None;
        }
        if let Some((SymbolKind::Variable, node)) = self.definition
            && declared.callable
        {
            self.definition = Some((SymbolKind::Function, node));
            self.prototype = true;
            self.bind = None;
            self.returns = self.returns.or(self.bind_source.map(|(_, declared_type)| declared_type));
        }
    }

    fn put(&mut self, role: Role, node: Node<'t>) {
        match role {
            Role::Definition(kind) => self.definition = Some((kind, node)),
            Role::Name => self.name = Some(node),
            Role::Owner => self.owner.push(node),
            Role::Return => self.returns = Some(node),
            Role::Base => self.bases.push(node),
            Role::Body => self.body = Some(node),
            Role::Doc => self.docs.push(node),
            Role::Decorator => self.decorators.push(node),
            Role::Export => self.export = true,
            Role::Visibility => self.visibility = Some(node),
            Role::Call(kind) => self.call = Some((kind, node)),
            Role::Callee => self.callee = Some(node),
            Role::Receiver => self.receiver.push(node),
            Role::Args => self.args = Some(node),
            Role::Import => self.import = Some(node),
            Role::Reexport => {
                self.reexport = true;
                self.import = self.import.or(Some(node));
            }
            Role::ImportModule => self.import_parts.module.push(node),
            Role::ImportName => self.import_parts.name = Some(node),
            Role::ImportAlias => self.import_parts.alias = Some(node),
            Role::ImportDefault => self.import_parts.default = Some(node),
            Role::ImportNamespace => self.import_parts.namespace = Some(node),
            Role::ImportWildcard => self.import_parts.wildcard = Some(node),
            Role::ExportDefault => self.export_default = Some(node),
            Role::Bind(kind) => self.bind = Some(kind),
            Role::Declarator => self.declarator = Some(node),
            Role::BindName => self.bind_name = Some(node),
            // A declared type stands before the value and says more.
            Role::BindType | Role::BindCtor | Role::BindValue | Role::BindElement | Role::BindGiven => {
                self.bind_source.get_or_insert((role, node));
            }
            Role::Package => self.package = Some(node),
            Role::Local => self.local = Some(node),
            Role::Scope => self.scope = Some((false, node)),
            Role::ScopeClass => self.scope = Some((true, node)),
            Role::InjectionContent => self.injection_content = Some(node),
            Role::InjectionLanguage => self.injection_language = Some(node),
            Role::Comment => self.comment = Some(node),
            Role::Attached => self.attached = Some(node),
            Role::Wrapper => self.wrapper = Some(node),
            Role::Skipped => self.skipped = Some(node),
            // `@params` is part of the signature text; parameters are bindings of their own.
            Role::Params | Role::Private => {}
        }
    }

    pub(super) fn record(&self, config: &LanguageConfig, text: &str, found: &mut Extraction) {
        found.comments.extend(self.comment.map(span));
        found.attached.extend(self.attached.map(span));
        if let (Some(mark), None, None) = (self.visibility, self.definition, self.import) {
            found.marks.push((offset(mark.start_byte()), short_text(mark, text)));
        }
        found.wrappers.extend(self.wrapper.map(span));
        found.skipped.extend(self.skipped.map(span));
        if let Some(node) = self.package {
            found.add_package(node_text(node, text));
        }
        found.scopes.extend(self.scope.map(|(class, node)| Scope { span: span(node), class }));
        found.default_exports.extend(self.export_default.map(|node| node_text(node, text).to_owned()));
        if let (Some((kind, node)), Some(name)) = (self.definition, self.name) {
            found.define(self.definition_of(kind, node, name, text));
        } else if let (Some(owner), false) = (self.owner_name(text), self.bases.is_empty()) {
            let sub: Box<str> = owner.into();
            let bases = self.bases.iter().map(|base| bare_type(node_text(*base, text)).into());
            found.inherits.extend(bases.map(|base| Inheritance { sub: sub.clone(), base }));
        }
        if let (Some((kind, _)), Some(callee)) = (self.call, self.callee) {
            found.refs.push(self.reference(kind, callee, text));
        }
        if let Some(node) = self.import {
            found.import_spans.push(span(node));
            found.imports.extend(self.import_of(node, &config.module_separator, text));
        }
        if let (Some(BindingKind::Return), Some((_, node))) = (self.bind, self.bind_source) {
            found.binds.push(Binding { name: "".into(), ..self.binding(BindingKind::Return, node, config, text) });
        } else if let (Some(kind), Some(name)) = (self.bind, self.bind_name) {
            found.binds.push(self.binding(kind, name, config, text));
        } else if let Some(name) = self.local {
            found.binds.push(unknown_local(name, text));
        }
    }

    /// Qualified name of the owner; a path of several captures is joined. `None` where the type has no name (a slice, a tuple).
    fn owner_name(&self, text: &str) -> Option<String> {
        let parts: Vec<String> = self.owner.iter().map(|node| bare_type(node_text(*node, text))).collect();
        let joined = parts.join(".");
        (!joined.is_empty()).then_some(joined)
    }

    fn definition_of(&self, kind: SymbolKind, node: Node<'t>, name: Node<'t>, text: &str) -> RawDefinition {
        RawDefinition {
            kind,
            span: span(node),
            name: bare_name(name_text(name, text)).to_owned(),
            name_at: offset(name.start_byte()),
            owner: self.owner_name(text),
            body: self.body.map(span),
            prototype: self.prototype,
            returns: self.returns.map(|node| short_text(node, text)),
            bases: self.bases.iter().map(|base| (offset(base.start_byte()), short_text(*base, text))).collect(),
            docs: self.docs.iter().map(|doc| span(*doc)).collect(),
            decorators: self.decorators.iter().map(|node| span(*node)).collect(),
            marked_export: self.export,
            visibility: self.visibility.map(|node| (offset(node.start_byte()), short_text(node, text))),
        }
    }

    fn reference(&self, kind: ReferenceKind, callee: Node<'t>, text: &str) -> Reference {
        Reference {
            at: offset(callee.start_byte()),
            line: line_of(callee),
            kind,
            callee: name_text(callee, text).into(),
            receiver: self.receiver_text(text).map(Into::into),
            from: None,
            args: self.args.map(|node| u8::try_from(node.named_child_count()).unwrap_or(u8::MAX)),
        }
    }

    /// Several captures are the parts of one path: the text from the first to the last.
    fn receiver_text(&self, text: &str) -> Option<String> {
        let (first, last) = (self.receiver.first()?, self.receiver.last()?);
        let written = text.get(first.start_byte()..last.end_byte()).unwrap_or_default();
        let mut receiver = shortened(&without_arguments(written));
        // A path names a module or a type, never a variable.
        if text.get(last.end_byte()..).is_some_and(|rest| rest.starts_with("::")) {
            receiver.push_str("::");
        }
        Some(receiver)
    }

    /// Several module captures are the parts of one path, outer groups first; so is what stands before the last separator of the name.
    fn import_of(&self, node: Node<'t>, separator: &str, text: &str) -> Option<Import> {
        let parts = &self.import_parts;
        let mut path: Vec<&str> = parts.module.iter().map(|node| unquoted(node_text(*node, text))).collect();
        let written = parts.name.map(|node| unquoted(node_text(node, text)));
        let name = match written.and_then(|name| name.rsplit_once(separator)) {
            Some((before, name)) if !separator.is_empty() => {
                path.push(before);
                Some(name.trim())
            }
            _ => written,
        };
        let module = (!path.is_empty()).then(|| path.join(separator));
        let named = |node: Option<Node<'t>>| node.map(|node| Box::<str>::from(unquoted(name_text(node, text))));
        let (kind, name, alias) = if parts.wildcard.is_some() {
            (ImportKind::Wildcard, None, None)
        } else if parts.namespace.is_some() {
            (ImportKind::Namespace, None, named(parts.namespace))
        } else if parts.default.is_some() {
            (ImportKind::Default, Some("default".into()), named(parts.default))
        } else if parts.name.is_some() {
            (ImportKind::Named, name.map(Into::into), named(parts.alias).filter(|alias| Some(alias.as_ref()) != name))
        } else {
            module.as_ref()?;
            (ImportKind::Module, None, named(parts.alias))
        };
        let module = module.unwrap_or_default().into();
        let at = offset(node.start_byte());
        Some(Import {
            at,
            line: line_of(node),
            kind,
            module,
            name: name.unwrap_or_default(),
            alias,
            reexport: self.reexport,
        })
    }

    fn binding(&self, kind: BindingKind, name: Node<'t>, config: &LanguageConfig, text: &str) -> Binding {
        let told = match self.bind_source {
            Some((Role::BindType, node)) if config.values.inferred.iter().any(|kind| kind == node.kind()) => None,
            Some((Role::BindValue, node)) if config.values != Values::default() => {
                value::telling_part(node, &config.values)
            }
            told => told,
        };
        let source = match told {
            Some((Role::BindType, node)) => BindingSource::Type(short_text(node, text).into()),
            Some((Role::BindCtor, node)) => BindingSource::Ctor(value_text(node, text).into()),
            Some((Role::BindGiven, node)) => BindingSource::Given(value_text(node, text).into()),
            Some((Role::BindElement, node)) => BindingSource::Element(value_text(node, text).into()),
            Some((_, node)) => BindingSource::Value(value_text(node, text).into()),
            None => BindingSource::Unknown,
        };
        let written = self.given_name.unwrap_or_else(|| node_text(name, text));
        Binding { at: offset(name.start_byte()), kind, name: written.into(), source, within: None }
    }
}

pub(super) fn node_text<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

fn unknown_local(name: Node<'_>, text: &str) -> Binding {
    Binding {
        at: offset(name.start_byte()),
        kind: BindingKind::Local,
        name: node_text(name, text).into(),
        source: BindingSource::Unknown,
        within: None,
    }
}

fn line_of(node: Node<'_>) -> u32 {
    offset(node.row()) + 1
}

fn span(node: Node<'_>) -> Span {
    Span { start: offset(node.start_byte()), end: offset(node.end_byte()) }
}

/// Files are capped far below 4 GiB before they get here.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A name as written; a symbol literal (`:name`) names what follows its colon.
fn name_text<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    let written = node_text(node, text);
    if node.kind().ends_with("_symbol") { symbol_name(written) } else { written }
}

/// The same without the arguments of calls: they say nothing of what the expression is.
fn value_text(node: Node<'_>, text: &str) -> String {
    shortened(&without_arguments(node_text(node, text)))
}

/// Text of a node on one line, cut where it is too long.
fn short_text(node: Node<'_>, text: &str) -> String {
    shortened(node_text(node, text))
}
