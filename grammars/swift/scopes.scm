(function_declaration) @scope
(init_declaration) @scope
(deinit_declaration) @scope
(subscript_declaration) @scope
(lambda_literal) @scope
(statements) @scope
(if_statement) @scope
(while_statement) @scope
(for_statement) @scope
(catch_block) @scope
(switch_entry) @scope

(class_declaration) @scope.class
(protocol_declaration) @scope.class
