(parameter_declaration name: (identifier) @var type: (_) @type) @bind.param
(variadic_parameter_declaration name: (identifier) @var type: (_) @type) @bind.param
(type_parameter_declaration name: (identifier) @var type: (_) @type) @bind.param

(var_spec name: (identifier) @var type: (_) @type) @bind.local
(var_spec name: (identifier) @local)
(const_spec name: (identifier) @var type: (_) @type) @bind.local
(const_spec name: (identifier) @local)
(var_spec . name: (identifier) @var . value: (expression_list . (_) @value .)) @bind.local

(short_var_declaration left: (expression_list (identifier) @local))
(short_var_declaration
  left: (expression_list . (identifier) @var)
  right: (expression_list . (_) @value)) @bind.local
(short_var_declaration
  left: (expression_list . (_) . (identifier) @var)
  right: (expression_list . (_) . (_) @value)) @bind.local
; `new(T)` and `make(T)` are the only calls with a type as argument.
(short_var_declaration
  left: (expression_list . (identifier) @var)
  right: (expression_list . (call_expression arguments: (argument_list . [
    (type_identifier) (qualified_type) (generic_type) (map_type) (slice_type) (channel_type)
  ] @type)))) @bind.local

(range_clause left: (expression_list (identifier) @local))
(range_clause left: (expression_list (_) . (identifier) @var) right: (_) @element) @bind.local
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))

(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @field type: (_) @type) @bind.field)))
; An embedded type is a field of its own name.
(type_spec type: (struct_type (field_declaration_list
  (field_declaration !name type: [
    (type_identifier) @field @type
    (qualified_type name: (type_identifier) @field) @type
    (generic_type type: (type_identifier) @field) @type
  ]) @bind.field)))
