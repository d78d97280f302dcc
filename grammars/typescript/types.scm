(required_parameter pattern: [(identifier) (this)] @var) @bind.param
(required_parameter pattern: [(identifier) (this)] @var type: (type_annotation (_) @type)) @bind.param
(required_parameter pattern: (rest_pattern (identifier) @var) type: (type_annotation (_) @type)?) @bind.param
(required_parameter
  pattern: (identifier) @var
  !type
  value: [
    (new_expression constructor: (_) @ctor)
    (call_expression function: [(identifier) (member_expression)] @ctor)]) @bind.param
(required_parameter pattern: (identifier) @var !type value: [(identifier) (member_expression)] @value) @bind.param
(optional_parameter pattern: (identifier) @var type: (type_annotation (_) @type)?) @bind.param

(variable_declarator name: (identifier) @var type: (type_annotation (_) @type)) @bind.local
(variable_declarator
  name: (identifier) @var
  value: [
    (as_expression (_) (_) @type)
    (non_null_expression [(identifier) (member_expression)] @value)
    (satisfies_expression (new_expression constructor: (_) @ctor))]) @bind.local

(public_field_definition name: (_) @field) @bind.field
(public_field_definition name: (_) @field type: (type_annotation (_) @type)) @bind.field
(public_field_definition
  name: (_) @field
  value: [
    (new_expression constructor: (_) @ctor)
    (call_expression function: [(identifier) (member_expression)] @ctor)]) @bind.field
(public_field_definition name: (_) @field value: [(identifier) (member_expression)] @value) @bind.field
(property_signature name: (_) @field type: (type_annotation (_) @type)) @bind.field

; A constructor's parameter with a modifier is a field as well.
(required_parameter
  (accessibility_modifier)
  pattern: (identifier) @field
  type: (type_annotation (_) @type)?) @bind.field
(required_parameter "readonly" pattern: (identifier) @field type: (type_annotation (_) @type)?) @bind.field
(optional_parameter
  (accessibility_modifier)
  pattern: (identifier) @field
  type: (type_annotation (_) @type)?) @bind.field

(type_parameter name: (type_identifier) @var constraint: (constraint (_) @type)?) @bind.param

; What a function is called with for each element.
(call_expression
  function: (member_expression object: (_) @element property: (property_identifier) @_each)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @var !type))))
  (#any-of? @_each "map" "forEach" "filter" "find" "some" "every" "flatMap" "findIndex" "then")) @bind.param
(call_expression
  function: [(identifier) (member_expression)] @given
  arguments: (arguments (arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @var !type))))) @bind.param
