; Square brackets make the same nodes as parentheses.
(call_expression . (simple_identifier) @callee . (call_suffix (value_arguments "(") @args)) @call
(call_expression . (simple_identifier) @callee . (call_suffix . (lambda_literal))) @call
(call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee))
  . (call_suffix (value_arguments "(") @args)) @call
(call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee))
  . (call_suffix . (lambda_literal))) @call
; A member of the type that is expected (`.make()`).
(call_expression
  . (prefix_expression operation: "." @receiver target: (simple_identifier) @callee)
  . (call_suffix (value_arguments "(") @args)) @call

(constructor_expression
  constructed_type: (user_type (type_identifier) @callee . (type_arguments)? .)
  (constructor_suffix (value_arguments)? @args)) @call.new
(macro_invocation (simple_identifier) @callee (call_suffix (value_arguments) @args)?) @call.macro
(attribute (user_type (type_identifier) @callee .)) @call.decorator

; A function passed by name.
(value_argument value: (simple_identifier) @callee @call.callback)
(selector_expression (simple_identifier) @callee) @call.callback
(selector_expression
  (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee))) @call.callback
