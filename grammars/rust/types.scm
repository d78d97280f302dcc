(self_parameter (self) @var @bind.param)
(parameter pattern: (identifier) @var type: (_) @type) @bind.param
(closure_parameters (identifier) @var @bind.param)
(type_parameters (type_parameter name: (type_identifier) @var bounds: (trait_bounds (_) @type)?) @bind.param)

(let_declaration pattern: (identifier) @var type: (_) @type) @bind.local
(let_declaration pattern: (identifier) @local)
(let_declaration pattern: (identifier) @var value: (_) @value) @bind.local
; What `Some(x)` and its like are taken from.
(let_condition pattern: (tuple_struct_pattern type: (_) . (identifier) @var .) value: (_) @value) @bind.local

; Names bound by patterns.
(tuple_pattern (identifier) @local (#match? @local "^[a-z_]"))
(tuple_struct_pattern type: (_) (identifier) @local (#match? @local "^[a-z_]"))
(match_pattern . (identifier) @local (#match? @local "^[a-z_]"))
(slice_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
(ref_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)

(const_item name: (identifier) @var type: (_) @type) @bind.local
(static_item name: (identifier) @var type: (_) @type) @bind.local

(struct_item body: (field_declaration_list
  (field_declaration name: (field_identifier) @field type: (_) @type) @bind.field))
(union_item body: (field_declaration_list
  (field_declaration name: (field_identifier) @field type: (_) @type) @bind.field))
