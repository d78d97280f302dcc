((import_declaration . path: (identifier)+ @import.module . path: (identifier) @import.name .) @import
  (#not-match? @import ","))
; Of a list the first path and, where there are two, the last: no node holds one whole.
(import_declaration . path: (identifier)+ @import.module . path: (identifier) @import.name . ",") @import
((import_declaration "," . path: (identifier)+ @import.module . path: (identifier) @import.name .) @import
  (#not-match? @import ",.*,"))
(import_declaration . path: (identifier)+ @import.module . (namespace_wildcard) @import.wildcard) @import
(import_declaration
  . path: (identifier)+ @import.module
  . (as_renamed_identifier name: (identifier) @import.name alias: (identifier) @import.alias)) @import
(import_declaration
  . path: (identifier)+ @import.module
  . (namespace_selectors [
    (identifier) @import.name
    (arrow_renamed_identifier name: (identifier) @import.name alias: (identifier) @import.alias)
    (as_renamed_identifier name: (identifier) @import.name alias: (identifier) @import.alias)
    (namespace_wildcard) @import.wildcard
  ])) @import

(export_declaration . path: (identifier)+ @import.module . path: (identifier) @import.name .) @reexport
(export_declaration . path: (identifier)+ @import.module . (namespace_wildcard) @import.wildcard) @reexport
(export_declaration
  . path: (identifier)+ @import.module
  . (namespace_selectors [
    (identifier) @import.name
    (arrow_renamed_identifier name: (identifier) @import.name alias: (identifier) @import.alias)
    (as_renamed_identifier name: (identifier) @import.name alias: (identifier) @import.alias)
    (namespace_wildcard) @import.wildcard
  ])) @reexport
(package_clause name: (package_identifier) @package !body)
