(function_definition) @scope
(lambda_expression) @scope
(compound_statement) @scope
(for_statement) @scope
(for_range_loop) @scope
(if_statement) @scope
(catch_clause) @scope
(field_declaration_list) @scope.class
