(function_definition) @scope
(subshell) @scope
