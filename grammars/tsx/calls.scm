; Components.
(jsx_opening_element name: (identifier) @callee (#match? @callee "^[A-Z]")) @call
(jsx_self_closing_element name: (identifier) @callee (#match? @callee "^[A-Z]")) @call
(jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @callee)) @call
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @callee)) @call
(jsx_attribute (jsx_expression (identifier) @callee @call.callback))
(jsx_attribute (jsx_expression (member_expression object: (this) @receiver property: (_) @callee) @call.callback))
