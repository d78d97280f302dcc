(call_expression function: (identifier) @callee arguments: (_) @args) @call
(call_expression
  function: (selector_expression operand: (_) @receiver field: (field_identifier) @callee)
  arguments: (_) @args) @call
(call_expression function: (parenthesized_expression (identifier) @callee) arguments: (_) @args) @call
; Instantiated: `Map[int, string](…)`; with one type argument it reads as an index.
(call_expression function: (index_expression operand: (identifier) @callee) arguments: (_) @args) @call
(call_expression
  function: (index_expression operand: (selector_expression operand: (_) @receiver field: (field_identifier) @callee))
  arguments: (_) @args) @call

; A function passed by name or as a method value.
(argument_list (identifier) @callee @call.callback)
(argument_list (selector_expression operand: (_) @receiver field: (field_identifier) @callee) @call.callback)
(argument_list (type_instantiation_expression type: (type_identifier) @callee) @call.callback)
(argument_list (index_expression operand: (identifier) @callee) @call.callback)
(keyed_element value: (literal_element (identifier) @callee @call.callback))
(keyed_element
  value: (literal_element (selector_expression operand: (_) @receiver field: (field_identifier) @callee) @call.callback))
