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
(for_in_statement kind: _ left: (identifier) @var operator: "of" right: (_) @element) @bind.local

(assignment_expression
  left: (member_expression object: (this) property: (_) @field)
  right: [
    (new_expression constructor: (_) @ctor)
    (call_expression function: [(identifier) (member_expression)] @ctor)
    (await_expression (call_expression function: [(identifier) (member_expression)] @ctor))]) @bind.field
(assignment_expression
  left: (member_expression object: (this) property: (_) @field)
  right: [(identifier) (member_expression)] @value) @bind.field

; What a function is called with for each element (`xs.map(x => …)`, `promise.then(x => …)`).
(call_expression
  function: (member_expression object: (_) @element property: (property_identifier) @_each)
  arguments: (arguments . (arrow_function parameter: (identifier) @var))
  (#any-of? @_each "map" "forEach" "filter" "find" "some" "every" "flatMap" "findIndex" "then")) @bind.param

; What a function with a name gives back at its end; those without a name inside it have returns of their own.
([
  (function_declaration body: (statement_block (return_statement [
    (new_expression constructor: (_) @ctor)
    (call_expression function: [(identifier) (member_expression)] @ctor)
    (ternary_expression alternative: (new_expression constructor: (_) @ctor))
    (identifier) @value
    (this) @value])))
  (method_definition body: (statement_block (return_statement [
    (new_expression constructor: (_) @ctor)
    (call_expression function: [(identifier) (member_expression)] @ctor)
    (ternary_expression alternative: (new_expression constructor: (_) @ctor))
    (identifier) @value
    (this) @value])))
  (variable_declarator value: [
    (arrow_function body: (statement_block (return_statement [
      (new_expression constructor: (_) @ctor)
      (call_expression function: [(identifier) (member_expression)] @ctor)
      (identifier) @value])))
    (arrow_function body: [
      (new_expression constructor: (_) @ctor)
      (call_expression function: [(identifier) (member_expression)] @ctor)])])
]) @bind.return
