(namespace_definition name: (namespace_name) @name body: (compound_statement)? @body) @definition.module

(function_definition
  attributes: (attribute_list)? @decorator
  name: (name) @name
  parameters: (formal_parameters) @params
  return_type: (_)? @return
  body: (compound_statement) @body) @definition.function

(method_declaration
  attributes: (attribute_list)? @decorator
  (visibility_modifier)? @visibility
  name: (name) @name
  parameters: (formal_parameters) @params
  return_type: (_)? @return
  body: (compound_statement)? @body) @definition.method

; A closure under a name at top level.
(program (expression_statement
  (assignment_expression
    left: (variable_name (name) @name)
    right: [(anonymous_function body: (_) @body) (arrow_function)])) @definition.function)

(class_declaration
  attributes: (attribute_list)? @decorator
  name: (name) @name
  body: (declaration_list) @body) @definition.class
(class_declaration
  name: (name) @name
  [(base_clause (_) @base) (class_interface_clause (_) @base)]) @definition.class
(class_declaration
  name: (name) @name
  body: (declaration_list (use_declaration [(name) (qualified_name) (relative_name)] @base))) @definition.class

(interface_declaration
  attributes: (attribute_list)? @decorator
  name: (name) @name
  body: (declaration_list) @body) @definition.interface
(interface_declaration name: (name) @name (base_clause (_) @base)) @definition.interface

(trait_declaration
  attributes: (attribute_list)? @decorator
  name: (name) @name
  body: (declaration_list) @body) @definition.trait
(trait_declaration
  name: (name) @name
  body: (declaration_list (use_declaration [(name) (qualified_name) (relative_name)] @base))) @definition.trait

(enum_declaration
  attributes: (attribute_list)? @decorator
  name: (name) @name
  body: (enum_declaration_list) @body) @definition.enum
(enum_declaration name: (name) @name (class_interface_clause (_) @base)) @definition.enum
(enum_declaration
  name: (name) @name
  body: (enum_declaration_list (use_declaration [(name) (qualified_name) (relative_name)] @base))) @definition.enum
(enum_case attributes: (attribute_list)? @decorator name: (name) @name) @definition.constant

(const_declaration (visibility_modifier)? @visibility (const_element . (name) @name)) @definition.constant
(expression_statement
  (function_call_expression
    function: (name) @_define
    arguments: (arguments . (argument (string (string_content) @name))))
  (#eq? @_define "define")) @definition.constant

(property_declaration
  attributes: (attribute_list)? @decorator
  (property_element name: (variable_name (name) @name))
  (property_hook_list)? @body) @definition.variable
; `private(set)` says nothing of reading.
(property_declaration
  (visibility_modifier) @visibility
  (property_element name: (variable_name (name) @name))
  (#not-match? @visibility "\\(")) @definition.variable

(program (expression_statement
  (assignment_expression left: (variable_name (name) @name))) @definition.variable)
(namespace_definition body: (compound_statement (expression_statement
  (assignment_expression left: (variable_name (name) @name))) @definition.variable))
