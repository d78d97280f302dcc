(import_header (identifier . (simple_identifier)+ @import.module . (simple_identifier) @import.name .) .) @import
(import_header (identifier . (simple_identifier) @import.name .) .) @import
(import_header
  (identifier . (simple_identifier)+ @import.module . (simple_identifier) @import.name .)
  (import_alias (type_identifier) @import.alias)) @import
(import_header (identifier) @import.module (wildcard_import) @import.wildcard) @import
(package_header (identifier) @package)
