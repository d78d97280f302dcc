((function_declaration
  ["pub" "export"]? @export
  name: (identifier) @name
  type: (_) @return
  body: (block)? @body) @definition.function
  (#not-eq? @return "type"))
; A function that returns a type is a generic type.
((function_declaration
  ["pub" "export"]? @export
  name: (identifier) @name
  type: (builtin_type) @return
  body: (block) @body) @definition.struct
  (#eq? @return "type"))

(test_declaration [(string) (identifier)] @name (block) @body) @definition.function

(variable_declaration
  "pub"? @export
  "const" . (identifier) @name
  [(struct_declaration) (union_declaration) (opaque_declaration)] @body) @definition.struct
(variable_declaration
  "pub"? @export
  "const" . (identifier) @name
  [(enum_declaration) (error_set_declaration)] @body) @definition.enum

; Those inside functions are bindings only, imported files are imports.
((variable_declaration ["pub" "export"]? @export "const" . (identifier) @name) @definition.constant
  (#not-match? @definition.constant "^(pub )?const [^=]*= @import[(][^)]*[)]([.][A-Za-z_0-9]+)?;"))
(variable_declaration ["pub" "export"]? @export "var" . (identifier) @name) @definition.variable
(container_field name: (identifier) @name @field type: (_) @type) @definition.variable @bind.field @export
