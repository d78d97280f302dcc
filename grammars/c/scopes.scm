(function_definition) @scope
(compound_statement) @scope
(for_statement) @scope
(field_declaration_list) @scope.class
; Names of the parameters of what is only declared.
(declaration (function_declarator parameters: (parameter_list) @scope))
(declaration (_ (function_declarator parameters: (parameter_list) @scope)))
(field_declaration (function_declarator parameters: (parameter_list) @scope))
(field_declaration (_ (function_declarator parameters: (parameter_list) @scope)))
