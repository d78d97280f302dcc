; The path before a name is its receiver.
(call_expression function: [(identifier) (scoped_identifier)] @callee arguments: (_) @args) @call
(call_expression
  function: (field_expression value: (_) @receiver field: (field_identifier) @callee)
  arguments: (_) @args) @call
(call_expression function: (generic_function function: [(identifier) (scoped_identifier)] @callee) arguments: (_) @args) @call
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @callee))
  arguments: (_) @args) @call

(macro_invocation macro: [(identifier) (scoped_identifier)] @callee) @call.macro

; What a macro is given is tokens: a name before parentheses is a call there, too (`all(…)` in a `cfg` is none).
((token_tree (identifier) @callee . (token_tree) @_given) @call
  (#match? @_given "^[(]")
  (#not-any-of? @callee "all" "any" "not"))
((token_tree (_) @receiver . ["." "::"] . (identifier) @callee . (token_tree) @_given) @call
  (#match? @_given "^[(]"))
(token_tree (identifier) @callee . "!" . (token_tree)) @call.macro

(attribute_item (attribute [(identifier) (scoped_identifier)] @callee)) @call.decorator

; A function passed by name.
(arguments [(identifier) (scoped_identifier)] @callee @call.callback)
(arguments (generic_function function: (identifier) @callee) @call.callback)
