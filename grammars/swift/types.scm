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
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (as_expression (as_operator) (_) @type)
    (simple_identifier) @value
    (navigation_expression) @value
  ]?) @bind.local
(guard_statement
  bound_identifier: (simple_identifier) @var
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (as_expression (as_operator) (_) @type)
    (simple_identifier) @value
    (navigation_expression) @value
  ]?) @bind.local
(while_statement bound_identifier: (simple_identifier) @local)
(for_statement item: (pattern bound_identifier: (simple_identifier) @local))
(for_statement item: (pattern (pattern (simple_identifier) @local)))
(switch_pattern (pattern (value_binding_pattern) . (simple_identifier) @local))
(pattern (pattern (value_binding_pattern) . (simple_identifier) @local))
(pattern (value_binding_pattern) . (pattern bound_identifier: (simple_identifier) @var) . (_) @type) @bind.local
(catch_block error: (pattern (pattern (value_binding_pattern) . (simple_identifier) @var) . (_) @type)) @bind.local
