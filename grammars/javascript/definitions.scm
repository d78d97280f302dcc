; Here decorators and members differ from TypeScript's grammar.
(class_declaration
  decorator: (decorator)* @decorator
  name: (identifier) @name
  (class_heritage (_) @base)) @definition.class
(variable_declarator name: (identifier) @name value: (class (class_heritage (_) @base))) @definition.class
(expression_statement
  (assignment_expression
    left: (member_expression property: (property_identifier) @name)
    right: (class !name (class_heritage (_) @base)))) @definition.class
(return_statement (class name: (identifier) @name (class_heritage (_) @base))) @definition.class
(export_statement "default" @name value: (class (class_heritage (_) @base))) @definition.class
(method_definition decorator: (decorator)+ @decorator name: (_) @name) @definition.method
(field_definition decorator: (decorator)* @decorator property: (_) @name) @definition.variable
(field_definition
  property: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @definition.method
