(class_declaration
  (modifier ["public" "protected"])? @export
  name: (identifier) @name
  (base_list [
    (identifier) @base
    (generic_name) @base
    (qualified_name) @base
    (primary_constructor_base_type type: (_) @base)
  ])?
  body: (declaration_list)? @body) @definition.class
(record_declaration
  (modifier ["public" "protected"])? @export
  name: (identifier) @name
  (base_list [
    (identifier) @base
    (generic_name) @base
    (qualified_name) @base
    (primary_constructor_base_type type: (_) @base)
  ])?
  body: (declaration_list)? @body) @definition.class
(record_declaration "struct" name: (identifier) @name) @definition.struct
(struct_declaration
  (modifier ["public" "protected"])? @export
  name: (identifier) @name
  (base_list [(identifier) @base (generic_name) @base (qualified_name) @base])?
  body: (declaration_list)? @body) @definition.struct
(interface_declaration
  (modifier ["public" "protected"])? @export
  name: (identifier) @name
  (base_list [(identifier) @base (generic_name) @base (qualified_name) @base])?
  body: (declaration_list)? @body) @definition.interface
(enum_declaration
  (modifier ["public" "protected"])? @export
  name: (identifier) @name
  body: (enum_member_declaration_list)? @body) @definition.enum
(enum_member_declaration name: (identifier) @name @export) @definition.constant
(delegate_declaration
  (modifier ["public" "protected"])? @export
  type: (_) @return
  name: (identifier) @name) @definition.type

(namespace_declaration name: (_) @name @export body: (declaration_list) @body) @definition.module
; A file-scoped namespace holds all of its file.
(compilation_unit
  (using_directive)* @decorator
  (file_scoped_namespace_declaration name: (_) @name @export)) @definition.module

(method_declaration
  (modifier ["public" "protected"])? @export
  returns: (_) @return
  name: (identifier) @name
  body: (_)? @body) @definition.method
(constructor_declaration
  (modifier ["public" "protected"])? @export
  name: (identifier) @name
  body: (_)? @body) @definition.method
(destructor_declaration name: (identifier) @name body: (_)? @body) @definition.method
(operator_declaration
  (modifier ["public" "protected"])? @export
  type: (_) @return
  operator: _ @name
  body: (_)? @body) @definition.method
(conversion_operator_declaration
  (modifier ["public" "protected"])? @export
  ["implicit" "explicit"] @name
  type: (_) @return
  body: (_)? @body) @definition.method
(local_function_statement
  type: (_) @return
  name: (identifier) @name
  body: (_) @body) @definition.function
(interface_declaration body: (declaration_list (method_declaration name: (identifier) @name @export) @definition.method))
(interface_declaration body: (declaration_list (property_declaration name: (identifier) @name @export) @definition.variable))

; Fields, properties and events with their types.
(field_declaration
  (modifier ["public" "protected"])? @export
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name @field))) @definition.variable @bind.field
(field_declaration
  (modifier "const")
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(property_declaration
  (modifier ["public" "protected"])? @export
  type: (_) @return @type
  name: (identifier) @name @field
  accessors: (accessor_list)? @body) @definition.variable @bind.field
(indexer_declaration
  (modifier ["public" "protected"])? @export
  type: (_) @return
  "this" @name
  accessors: (accessor_list)? @body) @definition.variable
(event_field_declaration
  (modifier ["public" "protected"])? @export
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name @field))) @definition.variable @bind.field
(event_declaration
  (modifier ["public" "protected"])? @export
  type: (_) @type
  name: (identifier) @name @field) @definition.variable @bind.field
(record_declaration (parameter_list
  (parameter type: (_) @type name: (identifier) @name @field @export) @definition.variable @bind.field))

; Attributes stay out of the signature.
(class_declaration . (attribute_list)+ @decorator name: (identifier) @name) @definition.class
(record_declaration . (attribute_list)+ @decorator name: (identifier) @name) @definition.class
(struct_declaration . (attribute_list)+ @decorator name: (identifier) @name) @definition.struct
(interface_declaration . (attribute_list)+ @decorator name: (identifier) @name) @definition.interface
(enum_declaration . (attribute_list)+ @decorator name: (identifier) @name) @definition.enum
(method_declaration . (attribute_list)+ @decorator name: (identifier) @name) @definition.method
(constructor_declaration . (attribute_list)+ @decorator name: (identifier) @name) @definition.method
(property_declaration . (attribute_list)+ @decorator name: (identifier) @name) @definition.variable
(field_declaration
  . (attribute_list)+ @decorator
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.variable
