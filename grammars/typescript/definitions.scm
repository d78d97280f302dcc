; Classes: what they extend and implement.
(class_declaration
  decorator: (decorator)* @decorator
  name: (type_identifier) @name
  (class_heritage
    (extends_clause value: (_) @base)?
    (implements_clause (_)+ @base)?)) @definition.class
(abstract_class_declaration
  decorator: (decorator)* @decorator
  name: (type_identifier) @name
  (class_heritage
    (extends_clause value: (_) @base)?
    (implements_clause (_)+ @base)?)?
  body: (class_body) @body) @definition.class
(variable_declarator
  name: (identifier) @name
  value: (class
    (class_heritage
      (extends_clause value: (_) @base)?
      (implements_clause (_)+ @base)?))) @definition.class
(expression_statement
  (assignment_expression
    left: (member_expression property: (property_identifier) @name)
    right: (class
      !name
      (class_heritage
        (extends_clause value: (_) @base)?
        (implements_clause (_)+ @base)?)))) @definition.class
(return_statement
  (class
    name: (type_identifier) @name
    (class_heritage
      (extends_clause value: (_) @base)?
      (implements_clause (_)+ @base)?))) @definition.class
(export_statement
  "default" @name
  value: (class
    (class_heritage
      (extends_clause value: (_) @base)?
      (implements_clause (_)+ @base)?))) @definition.class

(interface_declaration
  name: (type_identifier) @name
  (extends_type_clause type: (_)+ @base)?
  body: (interface_body) @body) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(type_alias_declaration name: (type_identifier) @name value: (object_type) @body) @definition.type
(enum_declaration name: (identifier) @name body: (enum_body) @body) @definition.enum
(enum_body name: (_) @name @definition.constant)
(enum_body (enum_assignment name: (_) @name) @definition.constant)

(module name: (_) @name body: (statement_block) @body) @definition.module
(internal_module name: (_) @name body: (statement_block) @body) @definition.module
(expression_statement (internal_module name: (_) @name)) @definition.module

; Signatures without a body.
(function_signature name: (identifier) @name) @definition.function
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method

; `declare …`; kinds are those of the bare patterns.
(ambient_declaration (_ name: (_) @name)) @definition.variable
(ambient_declaration
  [(lexical_declaration . (variable_declarator name: (identifier) @name) .)
   (variable_declaration . (variable_declarator name: (identifier) @name) .)]) @definition.constant
(ambient_declaration
  [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)
   (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant)])
(export_statement
  declaration: (ambient_declaration
    [(lexical_declaration (variable_declarator name: (identifier) @name))
     (variable_declaration (variable_declarator name: (identifier) @name))])) @definition.constant @export
(export_statement declaration: (ambient_declaration (_ name: (_) @name))) @definition.variable @export
(internal_module
  body: (statement_block (lexical_declaration . (variable_declarator name: (identifier) @name) .) @definition.constant))
(internal_module
  body: (statement_block (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)))

; Fields.
(public_field_definition
  decorator: (decorator)* @decorator
  (accessibility_modifier)? @visibility
  name: (_) @name) @definition.variable
(public_field_definition
  name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @definition.method
(method_definition (accessibility_modifier) @visibility name: (_) @name) @definition.method
(interface_body (property_signature name: (_) @name) @definition.variable)
(interface_body (property_signature name: (_) @name type: (type_annotation (function_type))) @definition.method)
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @definition.variable))

; What is returned.
(function_declaration
  name: (identifier) @name
  return_type: (_ (_) @return)) @definition.function
(generator_function_declaration name: (identifier) @name return_type: (type_annotation (_) @return)) @definition.function
(function_signature name: (identifier) @name return_type: (_ (_) @return)) @definition.function
(method_definition name: (_) @name return_type: (_ (_) @return)) @definition.method
(method_signature name: (_) @name return_type: (_ (_) @return)) @definition.method
(abstract_method_signature name: (_) @name return_type: (_ (_) @return)) @definition.method
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function return_type: (_ (_) @return))
    (function_expression return_type: (_ (_) @return))]) @definition.function
(public_field_definition
  name: (_) @name
  value: (arrow_function return_type: (_ (_) @return))) @definition.method
