((import_declaration (identifier) @import.module) @import
  (#not-match? @import "import\\s+(struct|class|enum|protocol|func|var|let|typealias)\\s"))
(import_declaration
  ["struct" "class" "enum" "protocol" "func" "var" "let" "typealias"]
  (identifier . (simple_identifier)+ @import.module . (simple_identifier) @import.name .)) @import
(import_declaration
  . (modifiers (attribute (user_type (type_identifier) @_attribute)))
  . (identifier) @import.module
  (#eq? @_attribute "_exported")) @reexport
