(function_definition) @scope
(lambda_expression) @scope
(compound_statement) @scope
(for_statement) @scope
(for_range_loop) @scope
(if_statement) @scope
(catch_clause) @scope
(field_declaration_list) @scope.class
; Names of the parameters of what is only declared.
(declaration (function_declarator parameters: (parameter_list) @scope))
(declaration (_ (function_declarator parameters: (parameter_list) @scope)))
(field_declaration (function_declarator parameters: (parameter_list) @scope))
(field_declaration (_ (function_declarator parameters: (parameter_list) @scope)))
(namespace_definition body: (declaration_list) @scope)
