//! Names that stand deep inside a node: the C family writes a declaration around the name it declares (`char *(*f)(int)`), to any
//! depth, which no query can follow, and a query that spells out each form of a path costs more to compile than to run.
//! What the declaration or call means is not decided here. Read [`Named`] first.

use super::tree::Node;

/// A name and what stands around it.
pub(super) struct Named<'t> {
    pub(super) name: Node<'t>,
    /// Qualifiers before the name (`A::B::name`), outermost first.
    pub(super) path: Vec<Node<'t>>,
    /// Declares a function, not a pointer to one.
    pub(super) callable: bool,
    /// The type beside it is what a function gives, its own or that of one it points to.
    pub(super) returns: bool,
}

/// Follows a declarator or a path to its name; `None` when it has none or several.
pub(super) fn named(outer: Node<'_>) -> Option<Named<'_>> {
    let mut found = Named { name: outer, path: Vec::new(), callable: false, returns: false };
    loop {
        let node = found.name;
        let inner = match node.kind() {
            "init_declarator" => node.child_by_field("declarator"),
            "function_declarator" => {
                found.callable = true;
                found.returns = true;
                node.child_by_field("declarator")
            }
            "pointer_declarator" | "array_declarator" => {
                found.callable = false;
                node.child_by_field("declarator")
            }
            "reference_declarator" => {
                found.callable = false;
                declaring_child(node)
            }
            "variadic_declarator" | "parenthesized_declarator" | "attributed_declarator" => declaring_child(node),
            "operator_cast" => {
                found.callable = true;
                node.children().next().filter(|operator| operator.kind() == "operator")
            }
            "qualified_identifier" => {
                found.path.extend(node.child_by_field("scope"));
                node.child_by_field("name")
            }
            "scoped_identifier" | "scoped_type_identifier" => {
                found.path.extend(node.child_by_field("path"));
                node.child_by_field("name")
            }
            "template_function" | "template_method" | "template_type" => node.child_by_field("name"),
            "dependent_name" => node.named_children().next(),
            kind => return is_name(kind).then_some(found),
        };
        found.name = inner?;
    }
}

fn is_name(kind: &str) -> bool {
    kind.ends_with("identifier") || kind.ends_with("name") || kind == "operator"
}

/// The child that declares; attributes and qualifiers stand before it.
fn declaring_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_children().filter(|child| child.kind().ends_with("declarator") || is_name(child.kind())).last()
}
