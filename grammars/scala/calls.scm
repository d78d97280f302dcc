(call_expression
  function: (identifier) @callee
  arguments: [(arguments) @args (block) (case_block) (colon_argument)]) @call
(call_expression
  function: (field_expression value: (_) @receiver field: (identifier) @callee)
  arguments: [(arguments) @args (block) (case_block) (colon_argument)]) @call
(call_expression
  function: (generic_function function: (identifier) @callee)
  arguments: [(arguments) @args (block) (case_block) (colon_argument)]) @call
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (identifier) @callee))
  arguments: [(arguments) @args (block) (case_block) (colon_argument)]) @call
(infix_expression left: (_) @receiver operator: (identifier) @callee) @call

(instance_expression . (type_identifier) @callee arguments: (arguments)? @args) @call.new
(instance_expression . (generic_type type: (type_identifier) @callee) arguments: (arguments)? @args) @call.new
(instance_expression . (stable_type_identifier (_) @receiver (type_identifier) @callee .) arguments: (arguments)? @args) @call.new
(extends_clause type: (type_identifier) @callee . arguments: (arguments) @args) @call.new
(extends_clause type: (generic_type type: (type_identifier) @callee) . arguments: (arguments) @args) @call.new

(annotation name: (type_identifier) @callee arguments: (arguments)? @args) @call.decorator

; A method passed by name.
(arguments (identifier) @callee @call.callback (#not-eq? @callee "this"))
(method_value . (identifier) @callee) @call.callback
(method_value . (field_expression value: (_) @receiver field: (identifier) @callee)) @call.callback
(infix_expression operator: (identifier) right: (identifier) @callee @call.callback)
