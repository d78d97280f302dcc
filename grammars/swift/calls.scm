; Square brackets make the same nodes as parentheses.
(call_expression . (simple_identifier) @callee . (call_suffix (value_arguments "(") @args)) @call
(call_expression . (simple_identifier) @callee . (call_suffix . (lambda_literal))) @call
(call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee))
  . (call_suffix (value_arguments "(") @args)) @call
(call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee))
  . (call_suffix . (lambda_literal))) @call
; The grammar takes a sum, a product or a negation for what is called after its last operand.
(call_expression
  . [
    (additive_expression rhs: (simple_identifier) @callee)
    (multiplicative_expression rhs: (simple_identifier) @callee)
    (prefix_expression operation: (bang) target: (simple_identifier) @callee)
  ]
  . (call_suffix (value_arguments "(") @args)) @call
(call_expression
  . [
    (additive_expression rhs: (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee)))
    (multiplicative_expression rhs: (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee)))
    (prefix_expression operation: (bang) target: (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee)))
  ]
  . (call_suffix (value_arguments "(") @args)) @call
(call_expression
  . (navigation_expression
    target: (call_expression
      . [(additive_expression rhs: (_) @receiver) (multiplicative_expression rhs: (_) @receiver) (prefix_expression operation: (bang) target: (_) @receiver)]
      . (call_suffix) @receiver)
    suffix: (navigation_suffix suffix: (simple_identifier) @callee))
  . (call_suffix (value_arguments "(") @args)) @call
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
