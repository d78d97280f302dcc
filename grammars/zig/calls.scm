(call_expression function: (identifier) @callee) @call
(call_expression function: (field_expression object: (_)? @receiver member: (identifier) @callee)) @call

; A function passed by name, or put into a field.
(call_expression function: (_) (identifier) @callee @call.callback)
(call_expression function: (_) (unary_expression operator: "&" argument: (identifier) @callee) @call.callback)
(assignment_expression left: (field_expression !object) right: (identifier) @callee @call.callback)
(assignment_expression
  left: (field_expression !object)
  right: (unary_expression operator: "&" argument: (identifier) @callee) @call.callback)
