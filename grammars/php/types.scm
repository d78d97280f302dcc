(simple_parameter type: (_)? @type name: (variable_name) @var) @bind.param
(variadic_parameter type: (_)? @type name: (variable_name) @var) @bind.param
; A promoted parameter is a field as well.
(property_promotion_parameter type: (_)? @type name: (variable_name) @var) @bind.param
(property_promotion_parameter type: (_)? @type name: (variable_name (name) @field)) @bind.field
(property_declaration
  type: (_)? @type
  (property_element name: (variable_name (name) @field))) @bind.field

(assignment_expression
  left: (variable_name) @var
  right: (object_creation_expression . [(name) (qualified_name) (relative_name)] @ctor)) @bind.local
(assignment_expression
  left: (variable_name) @var
  right: (function_call_expression function: [(name) (qualified_name) (relative_name)] @ctor)) @bind.local
(assignment_expression
  left: (variable_name) @var
  right: [
    (variable_name)
    (member_access_expression)
    (nullsafe_member_access_expression)
    (member_call_expression)
    (nullsafe_member_call_expression)
    (scoped_call_expression)
    (scoped_property_access_expression)
    (clone_expression)
  ] @value) @bind.local
(assignment_expression left: (variable_name) @local)
(list_literal (variable_name) @local)
(foreach_statement . (_) . (variable_name) @local)
(foreach_statement (by_ref (variable_name) @local))
(pair (variable_name) @local)
(static_variable_declaration name: (variable_name) @local)
(global_declaration (variable_name) @local)
(catch_clause type: (type_list) @type name: (variable_name) @var) @bind.local
(anonymous_function_use_clause (variable_name) @local)
(anonymous_function_use_clause (by_ref (variable_name) @local))

(assignment_expression
  left: (member_access_expression object: (variable_name) @_this name: (name) @field)
  right: (object_creation_expression . [(name) (qualified_name) (relative_name)] @ctor)
  (#eq? @_this "$this")) @bind.field
(assignment_expression
  left: (member_access_expression object: (variable_name) @_this name: (name) @field)
  right: (function_call_expression function: [(name) (qualified_name) (relative_name)] @ctor)
  (#eq? @_this "$this")) @bind.field
(assignment_expression
  left: (member_access_expression object: (variable_name) @_this name: (name) @field)
  right: [(variable_name) (member_access_expression) (member_call_expression) (scoped_call_expression)] @value
  (#eq? @_this "$this")) @bind.field
