(class_declaration
  (modifiers)? @visibility
  name: (identifier) @name
  superclass: (superclass (_) @base)?
  interfaces: (super_interfaces (type_list (_) @base))?
  body: (class_body) @body) @definition.class

(interface_declaration
  (modifiers)? @visibility
  name: (identifier) @name
  (extends_interfaces (type_list (_) @base))?
  body: (interface_body) @body) @definition.interface

(annotation_type_declaration
  (modifiers)? @visibility
  name: (identifier) @name
  body: (annotation_type_body) @body) @definition.interface

(enum_declaration
  (modifiers)? @visibility
  name: (identifier) @name
  interfaces: (super_interfaces (type_list (_) @base))?
  body: (enum_body) @body) @definition.enum

(record_declaration
  (modifiers)? @visibility
  name: (identifier) @name
  interfaces: (super_interfaces (type_list (_) @base))?
  body: (class_body) @body) @definition.class

(module_declaration name: (_) @name body: (module_body) @body) @definition.module

(method_declaration
  (modifiers)? @visibility
  type: (_) @return
  name: (identifier) @name
  body: (block)? @body) @definition.method

(constructor_declaration
  (modifiers)? @visibility
  name: (identifier) @name
  body: (constructor_body) @body) @definition.method

(compact_constructor_declaration
  (modifiers)? @visibility
  name: (identifier) @name
  body: (block) @body) @definition.method

(annotation_type_element_declaration
  type: (_) @return
  name: (identifier) @name @export) @definition.method

; What an interface or an enum lists is public without saying so.
(interface_body (method_declaration name: (identifier) @name @export) @definition.method)
(constant_declaration declarator: (variable_declarator name: (identifier) @name @export)) @definition.constant
(enum_constant name: (identifier) @name @export body: (class_body)? @body) @definition.constant

(field_declaration
  (modifiers)? @visibility
  declarator: (variable_declarator name: (identifier) @name)) @definition.variable

(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name @export) @definition.variable))

; Annotations stay out of the signature.
(class_declaration . (modifiers [(annotation) (marker_annotation)] @decorator) name: (identifier) @name) @definition.class
(interface_declaration . (modifiers [(annotation) (marker_annotation)] @decorator) name: (identifier) @name) @definition.interface
(annotation_type_declaration . (modifiers [(annotation) (marker_annotation)] @decorator) name: (identifier) @name) @definition.interface
(enum_declaration . (modifiers [(annotation) (marker_annotation)] @decorator) name: (identifier) @name) @definition.enum
(record_declaration . (modifiers [(annotation) (marker_annotation)] @decorator) name: (identifier) @name) @definition.class
(method_declaration . (modifiers [(annotation) (marker_annotation)] @decorator) name: (identifier) @name) @definition.method
(constructor_declaration . (modifiers [(annotation) (marker_annotation)] @decorator) name: (identifier) @name) @definition.method
(field_declaration
  . (modifiers [(annotation) (marker_annotation)] @decorator)
  declarator: (variable_declarator name: (identifier) @name)) @definition.variable
