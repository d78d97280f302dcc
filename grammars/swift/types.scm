(parameter name: (simple_identifier) @var . (parameter_modifiers)? . (_) @type) @bind.param
(lambda_parameter name: (simple_identifier) @var . (_)? @type) @bind.param

(statements (property_declaration
  (value_binding_pattern)
  name: (pattern bound_identifier: (simple_identifier) @var)
  . (type_annotation . (_) @type)?
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (constructor_expression constructed_type: (_) @ctor)
    (try_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @ctor))
    (await_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @ctor))
    (try_expression expr: (await_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @ctor)))
    (as_expression (as_operator) (_) @type)
    (simple_identifier) @value
    (navigation_expression) @value
  ]?) @bind.local)
(property_declaration name: (pattern (pattern (simple_identifier) @local)))

(if_statement
  bound_identifier: (simple_identifier) @var
  . "="
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (as_expression (as_operator) (_) @type)
    (simple_identifier) @value
    (navigation_expression) @value
  ]) @bind.local
(if_statement bound_identifier: (simple_identifier) @local)
(guard_statement
  bound_identifier: (simple_identifier) @var
  . "="
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (as_expression (as_operator) (_) @type)
    (simple_identifier) @value
    (navigation_expression) @value
  ]) @bind.local
(guard_statement bound_identifier: (simple_identifier) @local)
; `if let x` is `if let x = x`.
(if_statement bound_identifier: (simple_identifier) @var @value . ["{" ","]) @bind.local
(guard_statement bound_identifier: (simple_identifier) @var @value . [(else) ","]) @bind.local
(while_statement bound_identifier: (simple_identifier) @local)
(for_statement item: (pattern bound_identifier: (simple_identifier) @var) collection: (_) @element) @bind.local

; What a closure is called with for each element (`xs.map { x in … }`, `xs.map { $0 … }`).
(call_expression
  . (navigation_expression target: (_) @element suffix: (navigation_suffix suffix: (simple_identifier) @_each))
  . (call_suffix (lambda_literal type: (lambda_function_type
      (lambda_function_type_parameters . (lambda_parameter name: (simple_identifier) @var .) .))))
  (#any-of? @_each "map" "forEach" "filter" "first" "last" "contains" "allSatisfy" "flatMap" "compactMap" "firstIndex" "lastIndex" "removeAll" "drop" "prefix")) @bind.local
((call_expression
  . (navigation_expression target: (_) @element suffix: (navigation_suffix suffix: (simple_identifier) @_each))
  . (call_suffix (lambda_literal . (statements)) @var)) @bind.local
  (#any-of? @_each "map" "forEach" "filter" "first" "last" "contains" "allSatisfy" "flatMap" "compactMap" "firstIndex" "lastIndex" "removeAll" "drop" "prefix")
  (#set! bind.name "$0"))
; Each closure without parameters has a `$0` of its own.
((lambda_literal . (statements)) @var @bind.local (#set! bind.name "$0"))
(for_statement item: (pattern (pattern (simple_identifier) @local)))
(switch_pattern (pattern (value_binding_pattern) . (simple_identifier) @local))
(pattern (pattern (value_binding_pattern) . (simple_identifier) @local))
(pattern (value_binding_pattern) . (pattern bound_identifier: (simple_identifier) @var) . (_) @type) @bind.local
(catch_block error: (pattern (pattern (value_binding_pattern) . (simple_identifier) @var) . (_) @type)) @bind.local
