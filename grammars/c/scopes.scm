(function_definition) @scope
(compound_statement) @scope
(for_statement) @scope
(field_declaration_list) @scope.class
