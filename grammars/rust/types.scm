(self_parameter (self) @var @bind.param)
(parameter pattern: (identifier) @var type: (_) @type) @bind.param
(closure_parameters (identifier) @var @bind.param)
(type_parameters (type_parameter name: (type_identifier) @var bounds: (trait_bounds (_) @type)?) @bind.param)

(let_declaration pattern: (identifier) @var type: (_) @type) @bind.local
(let_declaration pattern: (identifier) @local)
(let_declaration pattern: (identifier) @var value: (_) @value) @bind.local
; What `Some(x)` and its like are taken from.
(let_condition
  pattern: (tuple_struct_pattern
    type: (_) @_shell
    . [(identifier) @var (ref_pattern [(identifier) @var (mut_pattern (identifier) @var)]) (mut_pattern (identifier) @var)] .)
  value: (_) @element
  (#any-of? @_shell "Some" "Ok")) @bind.local
(match_expression
  value: (_) @element
  body: (match_block (match_arm pattern: (match_pattern (tuple_struct_pattern
    type: (_) @_shell
    . [(identifier) @var (ref_pattern [(identifier) @var (mut_pattern (identifier) @var)]) (mut_pattern (identifier) @var)] .))))
  (#any-of? @_shell "Some" "Ok")) @bind.local

; What a variant holds, and the name that a pattern gives it.
(enum_variant name: (identifier) @field body: (ordered_field_declaration_list . type: (_) @type .)) @bind.field
(tuple_struct_pattern
  type: (scoped_identifier) @value
  . [(identifier) @var (ref_pattern [(identifier) @var (mut_pattern (identifier) @var)]) (mut_pattern (identifier) @var)] .) @bind.local

; What a closure is called with for each element (`xs.iter().map(|x| …)`).
(call_expression
  function: (field_expression value: (_) @element field: (field_identifier) @_each)
  arguments: (arguments . (closure_expression parameters: (closure_parameters . (identifier) @var .)))
  (#any-of? @_each "map" "for_each" "filter" "find" "any" "all" "flat_map" "filter_map" "position" "and_then" "map_or" "is_some_and" "retain" "inspect" "take_while" "skip_while" "max_by_key" "min_by_key" "sort_by_key" "retain_mut" "for_each" "fold" "partition" "find_map" "map_while" "is_none_or" "unwrap_or_else" "map_err" "cloned" "min_by" "scan")) @bind.param

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
(for_expression pattern: (identifier) @var value: (_) @element) @bind.local

(const_item name: (identifier) @var type: (_) @type) @bind.local
(static_item name: (identifier) @var type: (_) @type) @bind.local

(struct_item body: (field_declaration_list
  (field_declaration name: (field_identifier) @field type: (_) @type) @bind.field))
(union_item body: (field_declaration_list
  (field_declaration name: (field_identifier) @field type: (_) @type) @bind.field))
