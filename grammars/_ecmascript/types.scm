(variable_declarator name: (identifier) @var) @bind.local
(variable_declarator
  name: (identifier) @var
  value: [
    (new_expression constructor: (_) @ctor)
    (call_expression function: [(identifier) (member_expression)] @ctor)
    (await_expression (call_expression function: [(identifier) (member_expression)] @ctor))]) @bind.local
(variable_declarator name: (identifier) @var value: [(identifier) (member_expression) (this)] @value) @bind.local

(arrow_function parameter: (identifier) @var) @bind.param

(object_pattern
  [(shorthand_property_identifier_pattern) @local
   (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
   (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)])
(array_pattern [(identifier) @local (assignment_pattern left: (identifier) @local)])
(object_pattern (rest_pattern (identifier) @local))
(array_pattern (rest_pattern (identifier) @local))
(catch_clause parameter: (identifier) @local)
(for_in_statement kind: _ left: (identifier) @local)

(assignment_expression
  left: (member_expression object: (this) property: (_) @field)
  right: [
    (new_expression constructor: (_) @ctor)
    (call_expression function: [(identifier) (member_expression)] @ctor)
    (await_expression (call_expression function: [(identifier) (member_expression)] @ctor))]) @bind.field
(assignment_expression
  left: (member_expression object: (this) property: (_) @field)
  right: [(identifier) (member_expression)] @value) @bind.field
