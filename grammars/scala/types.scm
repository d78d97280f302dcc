(parameter name: (_) @var type: (_) @type) @bind.param
(binding name: (identifier) @var type: (_)? @type) @bind.param
(lambda_expression parameters: (identifier) @var @bind.param)
(colon_argument lambda_start: (identifier) @var @bind.param)

(block (val_definition
  pattern: (identifier) @var
  type: (_)? @type
  value: [
    (call_expression function: [(identifier) (field_expression)] @ctor)
    (instance_expression . (_) @ctor)
    (identifier) @value
    (field_expression) @value
    (_)
  ]) @bind.local)
(block (var_definition
  pattern: (identifier) @var
  type: (_)? @type
  value: [
    (call_expression function: [(identifier) (field_expression)] @ctor)
    (instance_expression . (_) @ctor)
    (_)
  ]) @bind.local)
(indented_block (val_definition
  pattern: (identifier) @var
  type: (_)? @type
  value: [
    (call_expression function: [(identifier) (field_expression)] @ctor)
    (instance_expression . (_) @ctor)
    (identifier) @value
    (field_expression) @value
    (_)
  ]) @bind.local)
(indented_block (var_definition
  pattern: (identifier) @var
  type: (_)? @type
  value: [
    (call_expression function: [(identifier) (field_expression)] @ctor)
    (instance_expression . (_) @ctor)
    (_)
  ]) @bind.local)
(case_clause body: (val_definition pattern: (identifier) @local))

(enumerator . (identifier) @var "<-" (_) @element) @bind.local
(enumerator . (identifier) @local)
; What a function is called with for each element (`xs.map(x => …)`).
(call_expression
  function: (field_expression value: (_) @element field: (identifier) @_each)
  arguments: [
    (arguments . (lambda_expression parameters: (identifier) @var) .)
    (block . (lambda_expression parameters: (identifier) @var) .)
  ]
  (#any-of? @_each "map" "foreach" "filter" "filterNot" "find" "exists" "forall" "flatMap" "collectFirst" "count" "sortBy" "groupBy" "partition" "takeWhile" "dropWhile" "maxBy" "minBy" "withFilter" "indexWhere" "tapEach" "distinctBy")) @bind.param
(typed_pattern pattern: (identifier) @var type: (_) @type) @bind.local
(capture_pattern name: (identifier) @local)
; A capital letter names a constant in a pattern.
(tuple_pattern (identifier) @local (#match? @local "^[a-z_]"))
(case_class_pattern pattern: (identifier) @local (#match? @local "^[a-z_]"))
(infix_pattern (identifier) @local (#match? @local "^[a-z_]"))
(case_clause pattern: (identifier) @local (#match? @local "^[a-z_]"))
