(class
  name: [(constant) @name (scope_resolution scope: (_)? @owner name: (constant) @name)]
  superclass: (superclass (_) @base)?
  body: (body_statement)? @body) @definition.class
(module
  name: [(constant) @name (scope_resolution scope: (_)? @owner name: (constant) @name)]
  body: (body_statement)? @body) @definition.module

; What a type mixes in.
(class
  name: [(constant) @name (scope_resolution name: (constant) @name)]
  body: (body_statement
    (call
      !receiver
      method: (identifier) @_mixin
      arguments: (argument_list [(constant) (scope_resolution)] @base)))
  (#any-of? @_mixin "include" "extend" "prepend")) @definition.class
(module
  name: [(constant) @name (scope_resolution name: (constant) @name)]
  body: (body_statement
    (call
      !receiver
      method: (identifier) @_mixin
      arguments: (argument_list [(constant) (scope_resolution)] @base)))
  (#any-of? @_mixin "include" "extend" "prepend")) @definition.module

(method name: (_) @name parameters: (method_parameters)? @params body: (_)? @body) @definition.function
(module body: (body_statement (method name: (_) @name) @definition.method))
(singleton_class body: (body_statement (method name: (_) @name) @definition.method))
(singleton_method
  object: [(self) (constant) @owner (scope_resolution) @owner (identifier)]
  name: (_) @name
  parameters: (method_parameters)? @params
  body: (_)? @body) @definition.method

; `private def x`, and every method below a bare `private`.
(call
  method: (identifier) @visibility
  arguments: (argument_list
    . [(method name: (_) @name) (singleton_method name: (_) @name)])) @definition.function
(body_statement
  (identifier) @visibility
  (method name: (_) @name) @definition.function
  (#any-of? @visibility "private" "protected"))

(call
  method: (identifier) @_definer
  arguments: (argument_list . [(simple_symbol) (string . (string_content) .)] @name)
  block: (_) @body
  (#any-of? @_definer "define_method" "define_singleton_method")) @definition.method
(call
  method: (identifier) @_definer
  arguments: (argument_list . [(simple_symbol) (string . (string_content) .)] @name . (_))
  (#any-of? @_definer "define_method" "define_singleton_method" "alias_method")) @definition.method
(alias name: [(identifier) (setter) (operator) (constant)] @name) @definition.method
(call
  !receiver
  method: (identifier) @_accessor
  arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_accessor
    "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "mattr_accessor" "class_attribute" "delegate"))
  @definition.variable
(call
  !receiver
  method: (identifier) @_delegators
  arguments: (argument_list . (_) (simple_symbol) @name)
  (#eq? @_delegators "def_delegators")) @definition.variable

(assignment left: [(constant) @name (scope_resolution scope: (_)? @owner name: (constant) @name)]) @definition.constant
(operator_assignment left: (constant) @name) @definition.constant
(assignment left: (left_assignment_list (constant) @name)) @definition.constant
(assignment left: (constant) @name right: (lambda body: (_) @body)) @definition.function

; Types made by a call.
(assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    block: (_)? @body)
  (#any-of? @_maker "Struct" "Data")
  (#any-of? @_new "new" "define")) @definition.struct
(assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    arguments: (argument_list . [(constant) (scope_resolution)] @base .)?
    block: (_)? @body)
  (#eq? @_maker "Class")
  (#eq? @_new "new")) @definition.class
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_new block: (_)? @body)
  (#eq? @_maker "Module")
  (#eq? @_new "new")) @definition.module
; A refinement reopens the type it names.
(call
  !receiver
  method: (identifier) @_refine
  arguments: (argument_list . [(constant) @name (scope_resolution name: (constant) @name)] .)
  block: (_) @body
  (#eq? @_refine "refine")) @definition.class

(program (assignment left: [(identifier) (global_variable)] @name) @definition.variable)
(class body: (body_statement (assignment left: (class_variable) @name) @definition.variable))

; Groups and cases of a specification, and Rake tasks.
(call
  method: (identifier) @_group
  arguments: (argument_list . (string . (string_content) @name))
  block: (_) @body
  (#any-of? @_group "describe" "context" "feature" "shared_examples" "shared_context")) @definition.section
(call
  !receiver
  method: (identifier) @_case
  arguments: (argument_list . (string . (string_content) @name))
  block: (_) @body
  (#any-of? @_case "it" "specify" "scenario" "test")) @definition.function
(call
  !receiver
  method: (identifier) @_namespace
  arguments: (argument_list . [(simple_symbol) (string . (string_content) .)] @name)
  block: (_) @body
  (#eq? @_namespace "namespace")) @definition.section
(call
  !receiver
  method: (identifier) @_task
  arguments: (argument_list . [(simple_symbol) @name (string) @name (pair key: (_) @name)])
  block: (_) @body
  (#eq? @_task "task")) @definition.function
