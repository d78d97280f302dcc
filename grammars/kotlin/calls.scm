(call_expression . (simple_identifier) @callee . (call_suffix (value_arguments) @args)) @call
(call_expression . (simple_identifier) @callee . (call_suffix . (type_arguments)? . (annotated_lambda))) @call
(call_expression
  . (navigation_expression . (_) @receiver . (navigation_suffix (simple_identifier) @callee))
  . (call_suffix (value_arguments) @args)) @call
(call_expression
  . (navigation_expression . (_) @receiver . (navigation_suffix (simple_identifier) @callee))
  . (call_suffix . (type_arguments)? . (annotated_lambda))) @call
(infix_expression . (_) @receiver . (simple_identifier) @callee) @call

(constructor_delegation_call ["super" "this"] @callee (value_arguments) @args) @call
(delegation_specifier . (constructor_invocation
  . (user_type (type_identifier) @callee . (type_arguments)? .)
  . (value_arguments) @args)) @call.new

(annotation (user_type (type_identifier) @callee . (type_arguments)? .)) @call.decorator
(annotation (constructor_invocation
  . (user_type (type_identifier) @callee . (type_arguments)? .)
  . (value_arguments) @args)) @call.decorator

; A plain name that is passed is a variable, never a function: only references are callbacks.
(callable_reference . (simple_identifier) @callee) @call.callback
(callable_reference . (type_identifier) @receiver . (simple_identifier) @callee) @call.callback
(navigation_expression . (_) @receiver . (navigation_suffix "::" (simple_identifier) @callee)) @call.callback
