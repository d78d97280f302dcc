(method_parameters (identifier) @var @bind.param)
(lambda_parameters (identifier) @var @bind.param)
(block_parameters (identifier) @var @bind.param)
(destructured_parameter (identifier) @var @bind.param)
(optional_parameter name: (identifier) @var value: (_) @value) @bind.param
(keyword_parameter name: (identifier) @var value: (_)? @value) @bind.param
(splat_parameter name: (identifier) @var) @bind.param
(hash_splat_parameter name: (identifier) @var) @bind.param
(block_parameter name: (identifier) @var) @bind.param

(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(assignment
  left: (identifier) @var
  right: (call receiver: [(constant) (scope_resolution)] @ctor method: (identifier) @_new)
  (#eq? @_new "new")) @bind.local
(assignment
  left: (identifier) @var
  right: [(call) (identifier) (constant) (scope_resolution) (instance_variable) (self)] @value) @bind.local
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(rest_assignment (identifier) @local)
(rescue
  exceptions: (exceptions . (_) @type)?
  variable: (exception_variable (identifier) @var)) @bind.local
(for pattern: (identifier) @local)
(in_clause pattern: (identifier) @local)
(array_pattern (identifier) @local)
(find_pattern (identifier) @local)
(as_pattern value: [(constant) (scope_resolution)] @type name: (identifier) @var) @bind.local
(as_pattern name: (identifier) @local)
(keyword_pattern key: (hash_key_symbol) @local !value)
(keyword_pattern value: (identifier) @local)

(assignment
  left: [(instance_variable) (class_variable)] @field
  right: (call receiver: [(constant) (scope_resolution)] @ctor method: (identifier) @_new)
  (#eq? @_new "new")) @bind.field
(assignment
  left: [(instance_variable) (class_variable)] @field
  right: [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @value) @bind.field
(operator_assignment
  left: [(instance_variable) (class_variable)] @field
  right: (call receiver: [(constant) (scope_resolution)] @ctor method: (identifier) @_new)
  (#eq? @_new "new")) @bind.field
(operator_assignment
  left: [(instance_variable) (class_variable)] @field
  right: [(call) (identifier) (constant)] @value) @bind.field
