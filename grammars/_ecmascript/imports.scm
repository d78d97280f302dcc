(import_statement "import" . source: (string) @import.module) @import
(import_statement (import_clause (identifier) @import.default) source: (string) @import.module) @import
(import_statement
  (import_clause (namespace_import (identifier) @import.namespace))
  source: (string) @import.module) @import
(import_statement
  (import_clause (named_imports (import_specifier name: _ @import.name alias: (identifier)? @import.alias)))
  source: (string) @import.module) @import

(export_statement "*" @import.wildcard source: (string) @import.module) @reexport
(export_statement (namespace_export (_) @import.namespace) source: (string) @import.module) @reexport
(export_statement
  (export_clause (export_specifier name: _ @import.name alias: _? @import.alias))
  source: (string) @import.module) @reexport

; Names that the file gives out itself: a re-export without a module says under which name.
(export_statement
  (export_clause (export_specifier name: _ @import.name @export.default alias: _? @import.alias))
  !source) @reexport
(export_statement "default" @import.alias value: (identifier) @import.name @export.default) @reexport
(export_statement
  "default" @import.alias
  value: (call_expression arguments: (arguments . (identifier) @import.name @export.default))) @reexport
(export_statement
  "default" @import.alias @reexport
  declaration: (_ name: (_) @import.name @export.default))

; CommonJS.
(variable_declarator
  name: (identifier) @import.alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (#eq? @_require "require")) @import
(variable_declarator
  name: (object_pattern
    [(shorthand_property_identifier_pattern) @import.name
     (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)])
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (#eq? @_require "require")) @import
(variable_declarator
  name: (identifier) @import.alias
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
    property: (property_identifier) @import.name)
  (#eq? @_require "require")) @import
(assignment_expression
  left: (identifier) @import.alias
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (#eq? @_require "require")) @import
(expression_statement
  (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (#eq? @_require "require")) @import
(arguments
  (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)) @import
  (#eq? @_require "require"))
(call_expression
  function: [
    (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)) @import
    (member_expression
      object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)) @import)]
  (#eq? @_require "require"))

(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .) @import.wildcard)
  (#eq? @_module "module")
  (#eq? @_exports "exports")
  (#eq? @_require "require")) @reexport
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @import.namespace)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (#any-of? @_exports "exports" "module.exports")
  (#eq? @_require "require")) @reexport
(pair
  key: (property_identifier) @import.namespace
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (#eq? @_require "require")) @import

; `module.exports = A`, `module.exports = { a, b: c }`, `exports.a = b`.
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @import.alias)
  right: (identifier) @import.name @export.default
  (#eq? @_module "module")
  (#eq? @import.alias "exports")) @reexport
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object
    [(shorthand_property_identifier) @import.name @export.default @reexport
     (pair key: (property_identifier) @import.alias value: (identifier) @import.name @export.default) @reexport
     (pair key: (property_identifier) @export.default)
     (method_definition name: (property_identifier) @export.default)])
  (#eq? @_module "module")
  (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @import.alias)
  right: (identifier) @import.name @export.default
  (#any-of? @_exports "exports" "module.exports")) @reexport

; Dynamic import.
(call_expression function: (import) arguments: (arguments . (string) @import.module)) @import
(variable_declarator
  name: (identifier) @import.namespace
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module)))) @import
(variable_declarator
  name: (object_pattern
    [(shorthand_property_identifier_pattern) @import.name
     (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)])
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module)))) @import
