(parameters (identifier) @var @bind.param)
(lambda_parameters (identifier) @var @bind.param)
(parameters [(list_splat_pattern (identifier) @var) (dictionary_splat_pattern (identifier) @var)] @bind.param)
(lambda_parameters [(list_splat_pattern (identifier) @var) (dictionary_splat_pattern (identifier) @var)] @bind.param)
(default_parameter name: (identifier) @var value: (_) @value) @bind.param
(typed_parameter
  . [
    (identifier) @var
    (list_splat_pattern (identifier) @var)
    (dictionary_splat_pattern (identifier) @var)
  ]
  type: (type) @type) @bind.param
(typed_default_parameter name: (identifier) @var type: (type) @type) @bind.param

(assignment left: (identifier) @local)
(assignment left: (identifier) @var type: (type) @type) @bind.local
(assignment
  left: (identifier) @var
  right: [
    (call function: [(identifier) (attribute)] @ctor)
    (await (call function: [(identifier) (attribute)] @ctor))
    (boolean_operator right: (call function: [(identifier) (attribute)] @ctor))
    (conditional_expression . (call function: [(identifier) (attribute)] @ctor))
    (identifier) @value
    (attribute) @value
  ]) @bind.local
(named_expression
  name: (identifier) @var
  value: [(call function: [(identifier) (attribute)] @ctor) (identifier) @value (attribute) @value]) @bind.local
(named_expression name: (identifier) @local)
(pattern_list [(identifier) @local (list_splat_pattern (identifier) @local)])
(tuple_pattern [(identifier) @local (list_splat_pattern (identifier) @local)])
(list_pattern [(identifier) @local (list_splat_pattern (identifier) @local)])
(for_statement left: (identifier) @var right: (_) @element) @bind.local
(for_in_clause left: (identifier) @var right: (_) @element) @bind.local

(with_item value: (as_pattern (call function: (_) @ctor) alias: (as_pattern_target (identifier) @var))) @bind.local
(as_pattern_target [(identifier) @local (tuple (identifier) @local)])
(except_clause value: (as_pattern (_) @type alias: (as_pattern_target (identifier) @var)) @bind.local)

; What a pattern of `match` binds.
(case_pattern (dotted_name . (identifier) @local .))
(keyword_pattern (dotted_name . (identifier) @local .))
(splat_pattern (identifier) @local)
(as_pattern
  (case_pattern (class_pattern . (dotted_name) @type))
  (identifier) @var) @bind.local
(as_pattern (case_pattern) (identifier) @local)

(class_definition
  body: (block
    (expression_statement
      (assignment left: (identifier) @field type: (type) @type) @bind.field)))
(class_definition
  body: (block
    (expression_statement
      (assignment left: (identifier) @field right: (call function: [(identifier) (attribute)] @ctor)) @bind.field)))
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @field)
  right: [
    (call function: [(identifier) (attribute)] @ctor)
    (await (call function: [(identifier) (attribute)] @ctor))
    (boolean_operator right: (call function: [(identifier) (attribute)] @ctor))
    (conditional_expression . (call function: [(identifier) (attribute)] @ctor))
    (identifier) @value
    (attribute) @value
  ]
  (#any-of? @_self "self" "cls")) @bind.field
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @field)
  type: (type) @type
  (#any-of? @_self "self" "cls")) @bind.field

; `a = b = f`, `a, b = f, g`.
(assignment left: (identifier) @var right: (assignment right: [(call function: [(identifier) (attribute)] @ctor) (identifier) @value (attribute) @value])) @bind.local
(assignment
  left: [(pattern_list . (identifier) @var) (tuple_pattern . (identifier) @var)]
  right: [(expression_list . [(call function: (_) @ctor) (identifier) @value]) (tuple . [(call function: (_) @ctor) (identifier) @value])]) @bind.local
(assignment
  left: [(pattern_list . (_) . (identifier) @var) (tuple_pattern . (_) . (identifier) @var)]
  right: [(expression_list . (_) . [(call function: (_) @ctor) (identifier) @value]) (tuple . (_) . [(call function: (_) @ctor) (identifier) @value])]) @bind.local
(assignment
  left: [(pattern_list . (_) . (_) . (identifier) @var) (tuple_pattern . (_) . (_) . (identifier) @var)]
  right: [(expression_list . (_) . (_) . [(call function: (_) @ctor) (identifier) @value]) (tuple . (_) . (_) . [(call function: (_) @ctor) (identifier) @value])]) @bind.local

(return_statement [(call function: [(identifier) (attribute)] @ctor) (identifier) @value (attribute) @value]) @bind.return
