(call_expression
  function: (identifier) @callee
  arguments: [(arguments) @args (template_string)]) @call
(call_expression
  function: (member_expression object: (_) @receiver property: (_) @callee)
  arguments: [(arguments) @args (template_string)]) @call
(call_expression function: (super) @callee arguments: (arguments) @args) @call

(new_expression constructor: (identifier) @callee arguments: (arguments)? @args) @call.new
(new_expression
  constructor: (member_expression object: (_) @receiver property: (_) @callee)
  arguments: (arguments)? @args) @call.new

; `f.call(this)`, `A.prototype.f.apply(this, args)`, `this.f.bind(this)` hand a function to what calls it.
(call_expression
  function: (member_expression object: (identifier) @callee property: (property_identifier) @_how)
  (#any-of? @_how "call" "apply" "bind")) @call.callback
(call_expression
  function: (member_expression
    object: (member_expression object: (_) @receiver property: (_) @callee)
    property: (property_identifier) @_how)
  (#any-of? @_how "call" "apply" "bind")) @call.callback

(decorator (identifier) @callee) @call.decorator
(decorator (member_expression object: (_) @receiver property: (_) @callee)) @call.decorator

; Functions passed by name.
(arguments (identifier) @callee @call.callback)
(arguments (member_expression object: (this) @receiver property: (_) @callee) @call.callback)
(pair value: (identifier) @callee @call.callback)
