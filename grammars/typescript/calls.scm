; `f!()` and `a.f!()`.
(call_expression function: (non_null_expression (identifier) @callee) arguments: (arguments) @args) @call
(call_expression
  function: (non_null_expression (member_expression object: (_) @receiver property: (_) @callee))
  arguments: (arguments) @args) @call
; The grammar reads `await f<T>(x)` as a call of `await f`.
(call_expression function: (await_expression (identifier) @callee) arguments: (arguments) @args) @call
(call_expression
  function: (await_expression (member_expression object: (_) @receiver property: (_) @callee))
  arguments: (arguments) @args) @call
