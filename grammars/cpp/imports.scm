(preproc_include path: (_) @import.module) @import
(using_declaration ["namespace" "enum"] @import.wildcard (_) @import.module) @import
((using_declaration (qualified_identifier) @import.name) @import
  (#not-match? @import "^using (namespace|enum) "))
(namespace_alias_definition
  name: (namespace_identifier) @import.namespace
  [(namespace_identifier) (nested_namespace_specifier)] @import.module .) @import
