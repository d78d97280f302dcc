(function_definition
  name: (identifier) @name
  parameters: (parameters) @params
  return_type: (type)? @return
  body: (block) @body) @definition.function

(class_definition
  name: (identifier) @name
  superclasses: (argument_list [(identifier) (attribute) (subscript)] @base)?
  body: (block) @body) @definition.class

; The decorated node is the definition: its decorators belong to it.
(decorated_definition
  (decorator) @decorator
  definition: (function_definition name: (identifier) @name)) @definition.function
(decorated_definition
  (decorator) @decorator
  definition: (class_definition name: (identifier) @name)) @definition.class

(assignment left: (identifier) @name right: (lambda) @_lambda) @definition.function

(module (expression_statement (assignment left: (identifier) @name) @definition.constant))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @definition.constant))
(module (expression_statement (assignment right: (assignment left: (identifier) @name)) @definition.constant))
; Constants that depend on the platform or on what can be imported.
(module
  (if_statement
    [
      consequence: (block (expression_statement (assignment left: (identifier) @name) @definition.constant))
      alternative: (_ (block (expression_statement (assignment left: (identifier) @name) @definition.constant)))
    ]))
(module
  (try_statement
    [
      body: (block (expression_statement (assignment left: (identifier) @name) @definition.constant))
      (_ (block (expression_statement (assignment left: (identifier) @name) @definition.constant)))
    ]))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @definition.variable)))
(class_definition
  body: (block (expression_statement (assignment left: (pattern_list (identifier) @name)) @definition.variable)))
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @definition.type

; Names that the module says are public.
(module
  (expression_statement
    [
      (assignment left: (identifier) @_all right: [(list (string (string_content) @export.default)) (tuple (string (string_content) @export.default))])
      (augmented_assignment left: (identifier) @_all right: (list (string (string_content) @export.default)))
    ])
  (#eq? @_all "__all__"))
