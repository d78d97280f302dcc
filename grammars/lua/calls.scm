(function_call
  name: (identifier) @callee
  arguments: (arguments) @args
  (#not-eq? @callee "require")) @call
(function_call
  name: [
    (dot_index_expression table: (_) @receiver field: (identifier) @callee)
    (method_index_expression table: (_) @receiver method: (identifier) @callee)
  ]
  arguments: (arguments) @args) @call

(arguments (identifier) @callee @call.callback)
(field value: (identifier) @callee @call.callback)
