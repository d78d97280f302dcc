(call_expression function: (identifier) @callee arguments: (_) @args) @call
(call_expression
  function: (field_expression argument: (_) @receiver field: (field_identifier) @callee)
  arguments: (_) @args) @call
(call_expression
  function: (parenthesized_expression (pointer_expression argument: (identifier) @callee))
  arguments: (_) @args) @call

; A function passed by name, or put into a table or a field.
(call_expression arguments: (argument_list (identifier) @callee @call.callback))
(call_expression arguments: (argument_list (pointer_expression "&" argument: (identifier) @callee) @call.callback))
(initializer_pair value: (identifier) @callee @call.callback)
(initializer_list (identifier) @callee @call.callback)
(assignment_expression left: (field_expression) right: (identifier) @callee @call.callback)
