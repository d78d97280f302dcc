(invocation_expression function: (identifier) @callee arguments: (argument_list) @args) @call
(invocation_expression function: (generic_name . (identifier) @callee) arguments: (argument_list) @args) @call
(invocation_expression
  function: (member_access_expression
    expression: _ @receiver
    name: [(identifier) @callee (generic_name . (identifier) @callee)])
  arguments: (argument_list) @args) @call
(invocation_expression
  function: (conditional_access_expression
    condition: [
      (identifier) (member_access_expression) (invocation_expression) (element_access_expression) (parenthesized_expression)
      (conditional_access_expression) "this"
    ] @receiver
    (member_binding_expression name: [(identifier) @callee (generic_name . (identifier) @callee)]))
  arguments: (argument_list) @args) @call
; The grammar takes all that stands before `?.`.
(invocation_expression
  function: (conditional_access_expression
    condition: (binary_expression right: (_) @receiver)
    (member_binding_expression name: [(identifier) @callee (generic_name . (identifier) @callee)]))
  arguments: (argument_list) @args) @call
(constructor_initializer ["base" "this"] @callee (argument_list) @args) @call

(object_creation_expression
  type: [(identifier) @callee (generic_name . (identifier) @callee)]
  arguments: (argument_list)? @args) @call.new
(object_creation_expression
  type: (qualified_name
    qualifier: (_) @receiver
    name: [(identifier) @callee (generic_name . (identifier) @callee)])
  arguments: (argument_list)? @args) @call.new
(base_list [(identifier) @callee (generic_name . (identifier) @callee)] . (argument_list) @args) @call.new
(primary_constructor_base_type
  type: [(identifier) @callee (generic_name . (identifier) @callee)]
  (argument_list) @args) @call.new

(attribute name: [(identifier) @callee (generic_name . (identifier) @callee)] (attribute_argument_list)? @args) @call.decorator
(attribute
  name: (qualified_name qualifier: (_) @receiver name: (identifier) @callee)
  (attribute_argument_list)? @args) @call.decorator

; A method passed by name, or put on an event.
(argument !name (identifier) @callee @call.callback)
(argument name: (identifier) . (identifier) @callee @call.callback)
(assignment_expression "+=" right: (identifier) @callee @call.callback)
