(import_statement (import_require_clause (identifier) @import.alias source: (string) @import.module)) @import
(import_alias
  (identifier) @import.alias
  (nested_identifier object: (_) @import.module property: (_) @import.name)) @import
(export_statement "=" (identifier) @import.name @export.default) @reexport
