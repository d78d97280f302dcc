(function_item) @scope
(closure_expression) @scope
(block) @scope
(for_expression) @scope
(while_expression) @scope
(if_expression) @scope
(match_arm) @scope
(impl_item body: (declaration_list) @scope.class)
(trait_item body: (declaration_list) @scope.class)
(struct_item body: (field_declaration_list) @scope.class)
(mod_item body: (declaration_list) @scope)
