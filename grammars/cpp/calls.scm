; `a::b::f(…)`, `x.f<T>(…)`: the path is taken apart, arguments of templates are left out.
(call_expression function: [(identifier) (qualified_identifier) (template_function)] @callee arguments: (_) @args) @call
(call_expression
  function: (field_expression argument: (_) @receiver field: (_) @callee)
  arguments: (_) @args) @call

; Construction: `new T(…)`, `T{…}`, `T x(…);`, `make_unique<T>(…)`.
(new_expression type: [(type_identifier) (template_type) (qualified_identifier)] @callee arguments: (_)? @args) @call.new
(compound_literal_expression
  type: [(type_identifier) (template_type) (qualified_identifier)] @callee
  value: (_) @args) @call.new
(declaration
  type: [(type_identifier) (template_type) (qualified_identifier)] @callee
  declarator: (init_declarator value: [(argument_list) (initializer_list)] @args)) @call.new
((template_function
  name: (identifier) @_make
  arguments: (template_argument_list . (type_descriptor
    type: [(type_identifier) (template_type) (qualified_identifier)] @callee))) @call.new
  (#any-of? @_make "make_unique" "make_shared"))

; A function passed by name, or put into a table or a field.
(call_expression arguments: (argument_list [(identifier) (qualified_identifier)] @callee @call.callback))
(call_expression arguments: (argument_list
  (pointer_expression "&" argument: [(identifier) (qualified_identifier)] @callee) @call.callback))
(initializer_pair value: (identifier) @callee @call.callback)
(initializer_list (identifier) @callee @call.callback)
(assignment_expression left: (field_expression) right: (identifier) @callee @call.callback)
