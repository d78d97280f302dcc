(parameters name: (identifier) @var @bind.param)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)

(variable_declaration (variable_list name: (identifier) @local))
; A name given to a module is an import.
(variable_declaration
  (assignment_statement
    (variable_list name: (identifier) @local)
    (expression_list . value: (_) @_value))
  (#not-match? @_value "^(pcall\\()?require\\b"))
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @var)
    (expression_list
      . value: (function_call
        name: [(identifier) (dot_index_expression) (method_index_expression)] @ctor)))
  (#not-any-of? @ctor "require" "pcall" "setmetatable")) @bind.local
; An object of the table that it falls back on.
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @var)
    (expression_list
      . value: (function_call
        name: (identifier) @_set
        arguments: (arguments . (_) . [(identifier) (dot_index_expression)] @value .))))
  (#eq? @_set "setmetatable")) @bind.local
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @var)
    (expression_list . value: [(identifier) (dot_index_expression)] @value))
  (#not-match? @value "^require\\b")) @bind.local

(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @_self field: (identifier) @field))
  (expression_list
    . value: (function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @ctor))
  (#eq? @_self "self")) @bind.field
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @_self field: (identifier) @field))
  (expression_list . value: [(identifier) (dot_index_expression)] @value)
  (#eq? @_self "self")) @bind.field
