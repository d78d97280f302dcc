(method_invocation !object name: (identifier) @callee arguments: (argument_list) @args) @call
(method_invocation object: (_) @receiver name: (identifier) @callee arguments: (argument_list) @args) @call
(explicit_constructor_invocation constructor: (_) @callee arguments: (argument_list) @args) @call

(object_creation_expression type: (type_identifier) @callee arguments: (argument_list) @args) @call.new
(object_creation_expression type: (generic_type . (type_identifier) @callee) arguments: (argument_list) @args) @call.new
(object_creation_expression
  type: (scoped_type_identifier (_) @receiver (type_identifier) @callee .)
  arguments: (argument_list) @args) @call.new
(object_creation_expression
  type: (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @callee .))
  arguments: (argument_list) @args) @call.new

(marker_annotation name: (identifier) @callee) @call.decorator
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @callee)) @call.decorator
(annotation name: (identifier) @callee arguments: (_) @args) @call.decorator
(annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @callee) arguments: (_) @args) @call.decorator

; A plain name that is passed is a variable, never a method: only method references are callbacks.
(method_reference . (_) @receiver (identifier) @callee .) @call.callback
(method_reference . (identifier) @callee "new") @call.callback
(method_reference . (generic_type . (type_identifier) @callee) "new") @call.callback
