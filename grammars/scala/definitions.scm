(class_definition
  (modifiers)? @visibility
  name: (_) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)?
  body: (template_body)? @body) @definition.class
(object_definition
  (modifiers)? @visibility
  name: (_) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)?
  body: (template_body)? @body) @definition.class
(trait_definition
  (modifiers)? @visibility
  name: (_) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)?
  body: (template_body)? @body) @definition.trait
(enum_definition
  (modifiers)? @visibility
  name: (_) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)?
  body: (enum_body) @body) @definition.enum
(enum_case_definitions (simple_enum_case name: (_) @name) @definition.constant)
(enum_case_definitions (full_enum_case name: (_) @name) @definition.constant)
(package_object name: (_) @name body: (template_body)? @body) @definition.module
(package_clause name: (_) @name body: (template_body) @body) @definition.module

(function_definition
  (modifiers)? @visibility
  name: (_) @name
  return_type: (_)? @return
  body: (_) @body) @definition.function
(function_declaration
  (modifiers)? @visibility
  name: (_) @name
  return_type: (_)? @return) @definition.function

; The extended type owns the methods of an extension.
(extension_definition
  (parameters . (parameter type: (_) @owner))
  (function_definition name: (_) @name) @definition.method)
(extension_definition
  (parameters . (parameter type: (_) @owner))
  (function_declaration name: (_) @name) @definition.method)

; An instance with members is a class of its own, named by its type where it has no name.
(given_definition
  (modifiers)? @visibility
  name: (_) @name
  return_type: (_) @base
  body: (with_template_body) @body) @definition.class
(given_definition
  !name
  return_type: [(type_identifier) @name @base (generic_type type: (type_identifier) @name) @base]
  body: (with_template_body) @body) @definition.class
(given_definition (modifiers)? @visibility name: (_) @name) @definition.constant
(given_definition
  !name
  return_type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]) @definition.constant

; Values with their types; those of functions are locals.
(compilation_unit (val_definition
  (modifiers)? @visibility
  pattern: (identifier) @name @var
  type: (_)? @type
  value: [
    (call_expression function: [(identifier) (field_expression)] @ctor)
    (instance_expression . (_) @ctor)
    (identifier) @value
    (field_expression) @value
    (_)
  ]) @definition.constant @bind.local)
(compilation_unit (var_definition
  (modifiers)? @visibility
  pattern: (identifier) @name @var
  type: (_)? @type) @definition.variable @bind.local)
(template_body (val_definition
  (modifiers)? @visibility
  pattern: (identifier) @name @field
  type: (_)? @type
  value: [
    (call_expression function: [(identifier) (field_expression)] @ctor)
    (instance_expression . (_) @ctor)
    (identifier) @value
    (field_expression) @value
    (_)
  ]) @definition.variable @bind.field)
(template_body (var_definition
  (modifiers)? @visibility
  pattern: (identifier) @name @field
  type: (_)? @type
  value: [
    (call_expression function: [(identifier) (field_expression)] @ctor)
    (instance_expression . (_) @ctor)
    (_)
  ]) @definition.variable @bind.field)
(template_body (val_definition (modifiers)? @visibility pattern: (tuple_pattern (identifier) @name)) @definition.variable)
(template_body (var_definition (modifiers)? @visibility pattern: (tuple_pattern (identifier) @name)) @definition.variable)
(enum_body (val_definition (modifiers)? @visibility pattern: (identifier) @name @field type: (_)? @type) @definition.variable @bind.field)
(with_template_body (val_definition (modifiers)? @visibility pattern: (identifier) @name @field type: (_)? @type) @definition.variable @bind.field)
(val_declaration (modifiers)? @visibility name: (_) @name @field type: (_) @type) @definition.variable @bind.field
(var_declaration (modifiers)? @visibility name: (_) @name @field type: (_) @type) @definition.variable @bind.field
(class_parameter (modifiers)? @visibility name: (_) @name @field type: (_)? @type) @definition.variable @bind.field

(type_definition (modifiers)? @visibility name: (_) @name) @definition.type

; Annotations stay out of the signature.
(class_definition . (annotation)+ @decorator name: (_) @name) @definition.class
(object_definition . (annotation)+ @decorator name: (_) @name) @definition.class
(trait_definition . (annotation)+ @decorator name: (_) @name) @definition.trait
(function_definition . (annotation)+ @decorator name: (_) @name) @definition.function
