(function_declaration) @scope
(secondary_constructor) @scope
(anonymous_function) @scope
(lambda_literal) @scope
(statements) @scope
(for_statement) @scope
(when_expression) @scope
(catch_block) @scope
(setter) @scope

(class_declaration) @scope.class
(object_declaration) @scope.class
(companion_object) @scope.class
(object_literal) @scope.class
