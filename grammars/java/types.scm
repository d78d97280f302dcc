(formal_parameter type: (_) @type name: (identifier) @var) @bind.param
(spread_parameter (_) @type . (variable_declarator name: (identifier) @var)) @bind.param
(lambda_expression parameters: (identifier) @var @bind.param)
(inferred_parameters (identifier) @var @bind.param)
(catch_formal_parameter (catch_type) @type name: (identifier) @var) @bind.param

(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @var)
  (#not-eq? @type "var")) @bind.local
(local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator name: (identifier) @var value: (object_creation_expression type: (_) @ctor))
  (#eq? @_var "var")) @bind.local
(local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator
    name: (identifier) @var
    value: [(identifier) (field_access) (method_invocation) (cast_expression)] @value)
  (#eq? @_var "var")) @bind.local
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))

(enhanced_for_statement type: (_) @type name: (identifier) @var (#not-eq? @type "var")) @bind.local
(enhanced_for_statement name: (identifier) @local)
(resource type: (_) @type name: (identifier) @var (#not-eq? @type "var")) @bind.local
(resource name: (identifier) @var value: (object_creation_expression type: (_) @ctor)) @bind.local
(resource name: (identifier) @var value: (_) @value) @bind.local
(instanceof_expression right: (_) @type name: (identifier) @var) @bind.local
(type_pattern (_) @type . (identifier) @var) @bind.local
(record_pattern_component (_) @type . (identifier) @var (#not-eq? @type "var")) @bind.local
(record_pattern_component (identifier) @local .)

(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @field)) @bind.field
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @field)) @bind.field
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @field) @bind.field))
