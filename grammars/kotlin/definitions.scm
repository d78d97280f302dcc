; Anchors end the search at the first child that does not fit; without them a pattern is tried on all that a class holds.
(class_declaration
  (modifiers)? @visibility
  . (type_identifier) @name
  (delegation_specifier [
    (user_type) @base
    (constructor_invocation (user_type) @base)
    (explicit_delegation . (user_type) @base)
  ])*
  [(class_body) (enum_class_body)]? @body) @definition.class
(class_declaration . "interface" . (type_identifier) @name) @definition.interface
(class_declaration . (modifiers) . "interface" . (type_identifier) @name) @definition.interface
(class_declaration . "enum" . (type_identifier) @name) @definition.enum
(class_declaration . (modifiers) . "enum" . (type_identifier) @name) @definition.enum

(object_declaration
  (modifiers)? @visibility
  . (type_identifier) @name
  (delegation_specifier [
    (user_type) @base
    (constructor_invocation (user_type) @base)
    (explicit_delegation . (user_type) @base)
  ])*
  (class_body)? @body) @definition.class

; What an unnamed companion holds belongs to its class.
(companion_object
  (modifiers)? @visibility
  . (type_identifier) @name
  (delegation_specifier [(user_type) @base (constructor_invocation (user_type) @base)])*
  (class_body)? @body) @definition.class

; The receiver of an extension is its owner.
(function_declaration
  (modifiers)? @visibility
  . (type_parameters)?
  . (receiver_type)? @owner
  . (simple_identifier) @name
  (function_body)? @body) @definition.function
(function_declaration
  (modifiers)?
  . (type_parameters)?
  . (receiver_type)?
  . (simple_identifier) @name
  . (function_value_parameters)
  . [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @return) @definition.function
(enum_entry (class_body (function_declaration (simple_identifier) @name) @definition.method))
(object_literal (class_body (function_declaration (simple_identifier) @name) @definition.method))

(secondary_constructor
  (modifiers)? @visibility
  . "constructor" @name
  (statements)? @body) @definition.method

; Properties with their types; those of functions are locals.
(source_file (property_declaration
  (modifiers)? @visibility
  . (binding_pattern_kind)
  . (type_parameters)?
  . (receiver_type)? @owner
  . (variable_declaration . (simple_identifier) @name @var . (_)? @type)
  . (call_expression . [(simple_identifier) (navigation_expression)] @ctor)?) @definition.variable @bind.local)
(source_file (property_declaration
  (modifiers)? @visibility
  . (binding_pattern_kind)
  . (multi_variable_declaration (variable_declaration . (simple_identifier) @name))) @definition.variable)
(class_body (property_declaration
  (modifiers)? @visibility
  . (binding_pattern_kind)
  . (type_parameters)?
  . (receiver_type)? @owner
  . (variable_declaration . (simple_identifier) @name @field . (_)? @type)
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (simple_identifier) @value
    (navigation_expression) @value
  ]?) @definition.variable @bind.field)
(enum_class_body (property_declaration
  (modifiers)? @visibility
  . (binding_pattern_kind)
  . (variable_declaration . (simple_identifier) @name @field . (_)? @type)) @definition.variable @bind.field)
(source_file (property_declaration
  (modifiers)?
  . (binding_pattern_kind "val")
  . (variable_declaration (simple_identifier) @name)) @definition.constant)
(property_declaration
  . (modifiers (property_modifier "const"))
  . (binding_pattern_kind)
  . (variable_declaration (simple_identifier) @name)) @definition.constant
(class_parameter
  (modifiers)? @visibility
  . (binding_pattern_kind)
  . (simple_identifier) @name @field
  . (_) @type) @definition.variable @bind.field
(enum_entry (simple_identifier) @name (class_body)? @body) @definition.constant

(type_alias (modifiers)? @visibility (type_identifier) @name) @definition.type

; Annotations stay out of the signature.
(class_declaration . (modifiers (annotation) @decorator) . (type_identifier) @name) @definition.class
(object_declaration . (modifiers (annotation) @decorator) . (type_identifier) @name) @definition.class
(function_declaration
  . (modifiers (annotation) @decorator)
  . (type_parameters)?
  . (receiver_type)?
  . (simple_identifier) @name) @definition.function
(class_body (property_declaration
  . (modifiers (annotation) @decorator)
  . (binding_pattern_kind)
  . (variable_declaration (simple_identifier) @name)) @definition.variable)
