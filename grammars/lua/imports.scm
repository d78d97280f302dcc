(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @import.namespace)
    (expression_list
      . value: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import.module)))))
  (#eq? @_require "require")) @import
; `local ok, name = pcall(require, "module")`
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) . name: (identifier) @import.namespace)
    (expression_list
      . value: (function_call
        name: (identifier) @_pcall
        arguments: (arguments . (identifier) @_require . (string content: (string_content) @import.module)))))
  (#eq? @_pcall "pcall")
  (#eq? @_require "require")) @import
(chunk
  (assignment_statement
    (variable_list . name: (identifier) @import.namespace)
    (expression_list
      . value: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import.module))))) @import
  (#eq? @_require "require"))
(assignment_statement
  (variable_list . name: (dot_index_expression))
  (expression_list
    . value: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import.module))))
  (#eq? @_require "require")) @import

(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @import.alias)
    (expression_list
      . value: (dot_index_expression
        table: (function_call
          name: (identifier) @_require
          arguments: (arguments . (string content: (string_content) @import.module)))
        field: (identifier) @import.name)))
  (#eq? @_require "require")) @import

; As a statement, as an argument, and with a call on what it gives.
(chunk
  (function_call
    name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @import.module))) @import
  (#eq? @_require "require"))
(block
  (function_call
    name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @import.module))) @import
  (#eq? @_require "require"))
(arguments
  (function_call
    name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @import.module))) @import
  (#eq? @_require "require"))
(field
  value: (function_call
    name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @import.module))) @import
  (#eq? @_require "require"))
(function_call
  name: [
    (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import.module))) @import)
    (method_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import.module))) @import)
  ]
  (#eq? @_require "require"))

; What the file gives: one table, or names in one.
(chunk (return_statement "return" @import.alias (expression_list . (identifier) @import.name .)) @reexport)
(chunk
  (return_statement
    (expression_list
      . (table_constructor (field name: (identifier) @import.alias value: (identifier) @import.name) @reexport))))
