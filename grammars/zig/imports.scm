((variable_declaration
  "pub"? @reexport
  "const" . (identifier) @import.namespace
  (builtin_function (builtin_identifier) @_import (arguments (string) @import.module))) @import
  (#eq? @_import "@import"))
((variable_declaration
  "pub"? @reexport
  "const" . (identifier) @import.alias
  (field_expression
    object: (builtin_function (builtin_identifier) @_import (arguments (string) @import.module))
    member: (identifier) @import.name)) @import
  (#eq? @_import "@import"))
((using_namespace_declaration
  "pub"? @reexport
  "usingnamespace" @import.wildcard
  (builtin_function (builtin_identifier) @_import (arguments (string) @import.module))) @import
  (#eq? @_import "@import"))
((builtin_function (builtin_identifier) @_include (arguments (string) @import.module)) @import
  (#eq? @_include "@cInclude"))
