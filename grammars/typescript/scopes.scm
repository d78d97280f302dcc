(internal_module body: (statement_block) @scope)
(module body: (statement_block) @scope)
(interface_body) @scope.class
