(function_call_expression function: (name) @callee arguments: (_) @args) @call
(function_call_expression
  function: [
    (qualified_name prefix: (namespace_name)? @receiver (name) @callee)
    (relative_name prefix: (namespace_name)? @receiver (name) @callee)
  ]
  arguments: (_) @args) @call
(member_call_expression object: (_) @receiver name: (name) @callee arguments: (_) @args) @call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @callee arguments: (_) @args) @call
(scoped_call_expression scope: (_) @receiver name: (name) @callee arguments: (_) @args) @call

(object_creation_expression . (name) @callee (arguments)? @args) @call.new
(object_creation_expression
  . [
    (qualified_name prefix: (namespace_name)? @receiver (name) @callee)
    (relative_name prefix: (namespace_name)? @receiver (name) @callee)
  ]
  (arguments)? @args) @call.new

(attribute . (name) @callee parameters: (arguments)? @args) @call.decorator
(attribute
  . (qualified_name prefix: (namespace_name)? @receiver (name) @callee)
  parameters: (arguments)? @args) @call.decorator

; `[$this, 'method']` and `[Type::class, 'method']` as callables, `Type::class` handed to a call.
(argument
  (array_creation_expression
    . (array_element_initializer
      . [
        (variable_name) @receiver
        (class_constant_access_expression . [(name) (qualified_name) (relative_scope)] @receiver)
      ]
      .)
    . (array_element_initializer . (string (string_content) @callee) .)
    .)) @call.callback
(argument
  (class_constant_access_expression . (name) @callee (name) @_class)
  (#eq? @_class "class")) @call.callback
