(call
  !receiver
  method: [(identifier) (constant)] @callee
  arguments: (argument_list)? @args
  (#not-any-of? @callee
    "require" "require_relative" "autoload" "include" "extend" "prepend" "attr_accessor" "attr_reader" "attr_writer" "private"
    "protected" "public" "module_function" "alias_method")) @call
(call
  receiver: (_) @receiver
  method: [(identifier) (constant)] @callee
  arguments: (argument_list)? @args
  (#not-eq? @callee "new")) @call
(call
  receiver: [(identifier) (self) (call) (instance_variable) (class_variable)] @receiver
  method: (identifier) @callee
  arguments: (argument_list)? @args
  (#eq? @callee "new")) @call
(call
  receiver: [
    (constant) @callee
    (scope_resolution scope: (_)? @receiver name: (constant) @callee)
  ]
  method: (identifier) @_new
  arguments: (argument_list)? @args
  (#eq? @_new "new")) @call.new

(super) @callee @call

; A name alone is a call unless it is a local variable.
(body_statement
  (identifier) @callee @call
  (#not-any-of? @callee "private" "protected" "public" "module_function"))
(program (identifier) @callee @call)
(block_body (identifier) @callee @call)
(then (identifier) @callee @call)
(else (identifier) @callee @call)
(method body: (identifier) @callee @call)
(call receiver: (identifier) @callee @call)
(assignment right: (identifier) @callee @call)
(operator_assignment right: (identifier) @callee @call)
(if condition: (identifier) @callee @call)
(unless condition: (identifier) @callee @call)
(if_modifier [body: (identifier) condition: (identifier)] @callee @call)
(unless_modifier [body: (identifier) condition: (identifier)] @callee @call)
(interpolation (identifier) @callee @call)
(binary (identifier) @callee @call)
(unary operand: (identifier) @callee @call)
(element_reference object: (identifier) @callee @call)
(return (argument_list (identifier) @callee @call))

(argument_list (identifier) @callee @call.callback)
(pair value: (identifier) @callee @call.callback)
; `&:name`, `method(:name)` and hooks that name a method.
(argument_list (block_argument (simple_symbol) @callee) @receiver @call.callback)
(call
  !receiver
  method: (identifier) @_hook
  arguments: (argument_list (simple_symbol) @callee @call.callback)
  (#match? @_hook "^(before|after|around)_[a-z_]+$|^validate$|^helper_method$"))
