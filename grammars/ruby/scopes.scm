(method) @scope
(singleton_method) @scope
(block) @scope
(do_block) @scope
(lambda) @scope
(class) @scope.class
(module) @scope.class
(singleton_class) @scope.class
