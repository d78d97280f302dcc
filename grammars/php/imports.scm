(namespace_use_declaration
  (namespace_use_clause
    . [
      (name) @import.name
      (qualified_name prefix: (namespace_name)? @import.module (name) @import.name)
    ]
    alias: (name)? @import.alias)) @import

; `use A\{B, C as D, E\F}`: the module is the common prefix.
(namespace_use_declaration
  (namespace_name) @import.module
  body: (namespace_use_group
    (namespace_use_clause
      . [(name) (qualified_name)] @import.name
      alias: (name)? @import.alias))) @import

(require_once_expression
  [
    (string (string_content) @import.module)
    (binary_expression right: (string (string_content) @import.module))
    (parenthesized_expression (string (string_content) @import.module))
    (parenthesized_expression (binary_expression right: (string (string_content) @import.module)))
  ]) @import
(require_expression
  [
    (string (string_content) @import.module)
    (binary_expression right: (string (string_content) @import.module))
    (parenthesized_expression (string (string_content) @import.module))
    (parenthesized_expression (binary_expression right: (string (string_content) @import.module)))
  ]) @import
(include_once_expression
  [
    (string (string_content) @import.module)
    (binary_expression right: (string (string_content) @import.module))
    (parenthesized_expression (string (string_content) @import.module))
    (parenthesized_expression (binary_expression right: (string (string_content) @import.module)))
  ]) @import
(include_expression
  [
    (string (string_content) @import.module)
    (binary_expression right: (string (string_content) @import.module))
    (parenthesized_expression (string (string_content) @import.module))
    (parenthesized_expression (binary_expression right: (string (string_content) @import.module)))
  ]) @import
(namespace_definition name: (namespace_name) @package)
