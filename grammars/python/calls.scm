(call function: (identifier) @callee arguments: [(argument_list) @args (generator_expression)]) @call
(call
  function: (attribute object: (_) @receiver attribute: (identifier) @callee)
  arguments: [(argument_list) @args (generator_expression)]) @call
(decorator (identifier) @callee) @call.decorator
(decorator (attribute object: (_) @receiver attribute: (identifier) @callee)) @call.decorator

; A function passed by name.
(call arguments: (argument_list (identifier) @callee @call.callback))
(call arguments: (argument_list (keyword_argument value: (identifier) @callee @call.callback)))
(call
  arguments: (argument_list
    (attribute object: (identifier) @receiver attribute: (identifier) @callee) @call.callback))
(call
  arguments: (argument_list
    (keyword_argument
      value: (attribute object: (identifier) @receiver attribute: (identifier) @callee) @call.callback)))
