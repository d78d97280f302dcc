(import_declaration (scoped_identifier scope: (_) @import.module name: (identifier) @import.name) .) @import
(import_declaration (identifier) @import.name .) @import
(import_declaration (_) @import.module (asterisk) @import.wildcard) @import
(package_declaration [(identifier) (scoped_identifier)] @package)
