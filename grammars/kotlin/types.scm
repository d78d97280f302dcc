(parameter . (simple_identifier) @var . (_) @type) @bind.param
(class_parameter . (modifiers)? . (simple_identifier) @var . (_) @type) @bind.param
(lambda_parameters (variable_declaration . (simple_identifier) @var . (_)? @type) @bind.param)
(parameter_with_optional_type (simple_identifier) @var) @bind.param
(catch_block (simple_identifier) @var . (_) @type) @bind.param

(statements (property_declaration
  (modifiers)?
  . (binding_pattern_kind)
  . (variable_declaration . (simple_identifier) @var . (_)? @type)
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (simple_identifier) @value
    (navigation_expression) @value
    (as_expression) @value
  ]?) @bind.local)

(multi_variable_declaration (variable_declaration . (simple_identifier) @local))
(for_statement . (variable_declaration . (simple_identifier) @var . (_)? @type) @bind.local)
(when_subject
  . (variable_declaration . (simple_identifier) @var . (_)? @type)
  . (call_expression . [(simple_identifier) (navigation_expression)] @ctor)?) @bind.local
