(method_declaration) @scope
(constructor_declaration) @scope
(compact_constructor_declaration) @scope
(lambda_expression) @scope
(block) @scope
(for_statement) @scope
(enhanced_for_statement) @scope
(try_with_resources_statement) @scope
(catch_clause) @scope
(switch_rule) @scope
(switch_block_statement_group) @scope

(class_declaration) @scope.class
(record_declaration) @scope.class
(enum_declaration) @scope.class
(interface_declaration) @scope.class
(annotation_type_declaration) @scope.class
(object_creation_expression (class_body) @scope.class)
(enum_constant body: (class_body) @scope.class)
