(function_definition) @scope
(extension_definition) @scope
(lambda_expression) @scope
(block) @scope
(indented_block) @scope
(for_expression) @scope
(case_clause) @scope

(class_definition) @scope.class
(object_definition) @scope.class
(trait_definition) @scope.class
(enum_definition) @scope.class
(given_definition) @scope.class
(package_object) @scope.class
(instance_expression (template_body) @scope.class)
