(class_declaration
  (modifiers)? @visibility
  declaration_kind: ["class" "actor"]
  name: (type_identifier) @name
  (inheritance_specifier inherits_from: (_) @base)?
  body: (_) @body) @definition.class
(class_declaration
  (modifiers)? @visibility
  declaration_kind: "struct"
  name: (type_identifier) @name
  (inheritance_specifier inherits_from: (_) @base)?
  body: (_) @body) @definition.struct
(class_declaration
  (modifiers)? @visibility
  declaration_kind: "enum"
  name: (type_identifier) @name
  (inheritance_specifier inherits_from: (_) @base)?
  body: (_) @body) @definition.enum
(protocol_declaration
  (modifiers)? @visibility
  name: (type_identifier) @name
  (inheritance_specifier inherits_from: (_) @base)?
  body: (_) @body) @definition.interface

; An extension is no definition: what it holds belongs to the extended type, which it gives bases.
(class_declaration
  (modifiers)? @visibility
  declaration_kind: "extension"
  name: (_) @owner
  body: (class_body [
    (function_declaration "func" . name: _ @name) @definition.method
    (init_declaration "init" @name) @definition.method
    (subscript_declaration "subscript" @name) @definition.method
    (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable
    (class_declaration name: (type_identifier) @name) @definition.class
    (typealias_declaration . (modifiers)? . (type_identifier) @name) @definition.type
  ]))
(class_declaration declaration_kind: "extension" name: (_) @owner (inheritance_specifier inherits_from: (_) @base))
(function_declaration (modifiers)? @visibility "func" . name: _ @name body: (function_body) @body) @definition.function
(function_declaration "func" . name: _ @name "->" . (_) @return) @definition.function
(protocol_function_declaration "func" . name: _ @name) @definition.method
(protocol_function_declaration "func" . name: _ @name "->" . (_) @return) @definition.method
(init_declaration (modifiers)? @visibility "init" @name body: (function_body)? @body) @definition.method
(deinit_declaration "deinit" @name body: (function_body) @body) @definition.method
(subscript_declaration
  (modifiers)? @visibility
  "subscript" @name
  "->" . (_) @return
  (computed_property)? @body) @definition.method
(macro_declaration (modifiers)? @visibility "macro" . (simple_identifier) @name) @definition.macro

(enum_entry (simple_identifier) @name) @definition.constant
(typealias_declaration (modifiers)? @visibility . (type_identifier) @name) @definition.type
(associatedtype_declaration (modifiers)? @visibility . (type_identifier) @name) @definition.type

; Properties with their types; those of functions are locals.
(source_file (property_declaration
  (modifiers)? @visibility
  (value_binding_pattern)
  name: (pattern bound_identifier: (simple_identifier) @name @var)
  . (type_annotation . (_) @type)?
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (constructor_expression constructed_type: (_) @ctor)
  ]?) @definition.variable @bind.local)
(source_file (property_declaration
  (value_binding_pattern mutability: "let")
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.constant)
(class_body (property_declaration
  (modifiers)? @visibility
  (value_binding_pattern)
  name: (pattern bound_identifier: (simple_identifier) @name @field)
  . (type_annotation . (_) @type)?
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (constructor_expression constructed_type: (_) @ctor)
    (simple_identifier) @value
    (navigation_expression) @value
  ]?
  computed_value: (_)? @body) @definition.variable @bind.field)
(enum_class_body (property_declaration
  (modifiers)? @visibility
  (value_binding_pattern)
  name: (pattern bound_identifier: (simple_identifier) @name @field)
  . (type_annotation . (_) @type)?
  computed_value: (_)? @body) @definition.variable @bind.field)
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name @field)
  (type_annotation . (_) @type)) @definition.variable @bind.field

; Cases and requirements are as public as what lists them.
(class_declaration
  . (modifiers (visibility_modifier "public") @export)
  body: (enum_class_body (enum_entry (simple_identifier) @name) @definition.constant))
(protocol_declaration
  . (modifiers (visibility_modifier "public") @export)
  body: (protocol_body [
    (protocol_function_declaration "func" . name: _ @name) @definition.method
    (protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable
  ]))

; Attributes stay out of the signature.
(class_declaration . (modifiers (attribute) @decorator) name: (type_identifier) @name) @definition.class
(protocol_declaration . (modifiers (attribute) @decorator) name: (type_identifier) @name) @definition.interface
(function_declaration . (modifiers (attribute) @decorator) "func" . name: _ @name) @definition.function
(init_declaration . (modifiers (attribute) @decorator) "init" @name) @definition.method
(macro_declaration . (modifiers (attribute) @decorator) "macro" . (simple_identifier) @name) @definition.macro
(class_body (property_declaration
  . (modifiers (attribute) @decorator)
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
