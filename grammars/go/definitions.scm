(function_declaration
  name: (identifier) @name
  result: (_)? @return
  body: (block)? @body) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name
  result: (_)? @return
  body: (block)? @body) @definition.method

; A declaration of one type is the definition, keyword included; in a block each entry is one.
((type_declaration [(type_spec name: (_) @name) (type_alias name: (_) @name)]) @definition.type
  (#not-match? @definition.type "^type\\s*[(]"))
(type_alias name: (type_identifier) @name) @definition.type
(type_spec name: (type_identifier) @name) @definition.type
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface

; Embedded types.
(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base)))) @definition.struct
(type_spec
  name: (type_identifier) @name
  type: (interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .))) @definition.interface

(method_elem name: (field_identifier) @name result: (_)? @return) @definition.method
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @name) @definition.variable)))

; Those inside functions are bindings only.
(source_file (const_declaration (const_spec name: (identifier) @name) @definition.constant))
((const_declaration (const_spec name: (identifier) @name)) @definition.constant
  (#not-match? @definition.constant "^const\\s*[(]"))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))
((var_declaration (var_spec name: (identifier) @name)) @definition.variable
  (#not-match? @definition.variable "^var\\s*[(]"))
((var_declaration (var_spec
  name: (identifier) @name
  value: (expression_list . (func_literal result: (_)? @return body: (block) @body) .))) @definition.function
  (#not-match? @definition.function "^var\\s*[(]"))
