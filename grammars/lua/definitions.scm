(function_declaration
  "local"? @visibility
  name: (identifier) @name
  parameters: (parameters) @params
  body: (block)? @body) @definition.function
(function_declaration
  name: [
    (dot_index_expression table: (_) @owner field: (identifier) @name)
    (method_index_expression table: (_) @owner method: (identifier) @name)
  ]
  parameters: (parameters) @params
  body: (block)? @body) @definition.method

; Functions given to a name.
(variable_declaration
  "local"? @visibility
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_definition body: (block)? @body)))) @definition.function
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (block)? @body))) @definition.function
(assignment_statement
  (variable_list
    . name: [
      (dot_index_expression table: (_) @owner field: (identifier) @name)
      (bracket_index_expression table: (_) @owner field: (string content: (string_content) @name))
    ])
  (expression_list . value: (function_definition body: (block)? @body))) @definition.method
(field
  name: [(identifier) @name (string content: (string_content) @name)]
  value: (function_definition body: (block)? @body)) @definition.method

; Values of the file; a name that is only an import or an alias of one is none.
(chunk
  (variable_declaration
    "local"? @visibility
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list
        . value: [
          (table_constructor) (string) (number) (true) (false) (nil) (binary_expression) (unary_expression)
          (parenthesized_expression)
        ]))) @definition.variable)
(chunk
  (variable_declaration
    "local"? @visibility
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list . value: (function_call name: (_) @_made)))) @definition.variable
  (#not-any-of? @_made "require" "pcall"))
(chunk
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (_))) @definition.variable)
(chunk
  (assignment_statement
    (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
    (expression_list . value: (_))) @definition.variable
  (#not-eq? @name "__index"))

; A table that falls back on another inherits from it.
(function_call
  name: (identifier) @_set
  arguments: (arguments
    . (identifier) @owner
    . (table_constructor (field name: (identifier) @_index value: [(identifier) (dot_index_expression)] @base)))
  (#eq? @_set "setmetatable")
  (#eq? @_index "__index"))
(assignment_statement
  (variable_list . name: (identifier) @owner)
  (expression_list
    . value: (function_call
      name: (identifier) @_set
      arguments: (arguments
        . (table_constructor)
        . (table_constructor (field name: (identifier) @_index value: [(identifier) (dot_index_expression)] @base)))))
  (#eq? @_set "setmetatable")
  (#eq? @_index "__index"))
(assignment_statement
  (variable_list . name: (identifier) @owner)
  (expression_list
    . value: (function_call
      name: [
        (method_index_expression table: (_) @base method: (identifier) @_extend)
        (dot_index_expression table: (_) @base field: (identifier) @_extend)
      ]))
  (#any-of? @_extend "extend" "subclass" "derive"))

; Groups and cases of a specification.
(function_call
  name: (identifier) @_group
  arguments: (arguments . (string content: (string_content) @name) . (function_definition body: (block)? @body))
  (#any-of? @_group "describe" "context")) @definition.section
(function_call
  name: (identifier) @_case
  arguments: (arguments . (string content: (string_content) @name) . (function_definition body: (block)? @body))
  (#any-of? @_case "it" "test")) @definition.function
