(function_declaration) @scope
(function_definition) @scope
(for_statement) @scope
(block) @scope
