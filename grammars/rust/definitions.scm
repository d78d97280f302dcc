(function_item
  (visibility_modifier)? @visibility
  name: (identifier) @name
  return_type: (_)? @return
  body: (block) @body) @definition.function
(function_signature_item
  (visibility_modifier)? @visibility
  name: (identifier) @name
  return_type: (_)? @return) @definition.function

(struct_item
  (visibility_modifier)? @visibility
  name: (type_identifier) @name
  body: (field_declaration_list)? @body) @definition.struct
(union_item
  (visibility_modifier)? @visibility
  name: (type_identifier) @name
  body: (field_declaration_list) @body) @definition.struct
(enum_item
  (visibility_modifier)? @visibility
  name: (type_identifier) @name
  body: (enum_variant_list) @body) @definition.enum
(trait_item
  (visibility_modifier)? @visibility
  name: (type_identifier) @name
  bounds: (trait_bounds [(type_identifier) (generic_type) (scoped_type_identifier)] @base)?
  body: (declaration_list) @body) @definition.trait
(mod_item
  (visibility_modifier)? @visibility
  name: (identifier) @name
  body: (declaration_list) @body) @definition.module

(type_item (visibility_modifier)? @visibility name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(macro_definition name: (identifier) @name . _ @body) @definition.macro
(source_file
  (attribute_item (attribute (identifier) @export)) . (macro_definition name: (identifier) @name) @definition.macro
  (#eq? @export "macro_export"))

(source_file
  (const_item (visibility_modifier)? @visibility name: (identifier) @name) @definition.constant)
(source_file
  (static_item (visibility_modifier)? @visibility name: (identifier) @name) @definition.variable)
(declaration_list
  (const_item (visibility_modifier)? @visibility name: (identifier) @name) @definition.constant)
(declaration_list
  (static_item (visibility_modifier)? @visibility name: (identifier) @name) @definition.variable)

(struct_item body: (field_declaration_list
  (field_declaration (visibility_modifier)? @visibility name: (field_identifier) @name) @definition.variable))
(union_item body: (field_declaration_list
  (field_declaration (visibility_modifier)? @visibility name: (field_identifier) @name) @definition.variable))

; Members of an `impl` belong to its type; those of a trait are as visible as the trait.
(impl_item type: (_) @owner body: (declaration_list (function_item name: (identifier) @name) @definition.method))
(impl_item type: (_) @owner body: (declaration_list (const_item name: (identifier) @name) @definition.constant))
(impl_item type: (_) @owner body: (declaration_list (type_item name: (type_identifier) @name) @definition.type))
(impl_item
  trait: (_) @export
  body: (declaration_list (function_item name: (identifier) @name) @definition.method))
(trait_item
  (visibility_modifier) @export
  body: (declaration_list
    [(function_item name: (identifier) @name) (function_signature_item name: (identifier) @name)] @definition.method))

(impl_item trait: (_) @base type: (_) @owner)
