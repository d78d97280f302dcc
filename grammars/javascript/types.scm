(formal_parameters (identifier) @var @bind.param)
(formal_parameters (assignment_pattern left: (identifier) @var) @bind.param)
(formal_parameters
  (assignment_pattern
    left: (identifier) @var
    right: [(new_expression constructor: (_) @ctor) (call_expression function: [(identifier) (member_expression)] @ctor)]) @bind.param)
(formal_parameters
  (assignment_pattern left: (identifier) @var right: [(identifier) (member_expression)] @value) @bind.param)
(formal_parameters (rest_pattern (identifier) @var) @bind.param)

(field_definition property: (_) @field) @bind.field
(field_definition
  property: (_) @field
  value: [
    (new_expression constructor: (_) @ctor)
    (call_expression function: [(identifier) (member_expression)] @ctor)]) @bind.field
(field_definition property: (_) @field value: [(identifier) (member_expression)] @value) @bind.field

(call_expression
  function: (member_expression object: (_) @element property: (property_identifier) @_each)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (identifier) @var)))
  (#any-of? @_each "map" "forEach" "filter" "find" "some" "every" "flatMap" "findIndex" "then")) @bind.param
