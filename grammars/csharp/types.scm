(parameter type: (_) @type name: (identifier) @var) @bind.param
(parameter !type name: (identifier) @var) @bind.param
(parameter_list type: (_) @type name: (identifier) @var) @bind.param
(implicit_parameter) @var @bind.param
(catch_declaration type: (_) @type name: (identifier) @var) @bind.param

(local_declaration_statement (variable_declaration
  type: [
    (identifier) (generic_name) (qualified_name) (alias_qualified_name) (predefined_type) (nullable_type) (array_type)
    (tuple_type) (pointer_type) (ref_type)
  ] @type
  (variable_declarator name: (identifier) @var))) @bind.local
(local_declaration_statement (variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @var
    [
      (object_creation_expression type: (_) @ctor)
      (invocation_expression function: [(identifier) (member_access_expression) (generic_name)] @ctor)
      (await_expression (invocation_expression function: [(identifier) (member_access_expression) (generic_name)] @ctor))
      (cast_expression type: (_) @type)
      (as_expression right: (_) @type)
      (identifier) @value
      (member_access_expression) @value
    ]))) @bind.local
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(local_declaration_statement (variable_declaration (variable_declarator (tuple_pattern (identifier) @local))))

(using_statement (variable_declaration
  (variable_declarator
    name: (identifier) @var
    [
      (object_creation_expression type: (_) @ctor)
      (invocation_expression function: [(identifier) (member_access_expression)] @ctor)
    ]?))) @bind.local
(for_statement initializer: (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement
  type: [(identifier) (generic_name) (qualified_name) (predefined_type) (nullable_type) (array_type) (tuple_type)] @type
  left: (identifier) @var) @bind.local
(foreach_statement type: (implicit_type) left: (identifier) @var right: (_) @element) @bind.local
(foreach_statement left: (identifier) @local)
; What a lambda is called with for each element (`xs.Where(x => …)`).
(invocation_expression
  function: (member_access_expression expression: (_) @element name: (identifier) @_each)
  arguments: (argument_list . (argument (lambda_expression parameters: (implicit_parameter) @var)))
  (#any-of? @_each "Select" "Where" "Any" "All" "First" "FirstOrDefault" "Single" "SingleOrDefault" "Last" "LastOrDefault" "OrderBy" "OrderByDescending" "ThenBy" "SelectMany" "GroupBy" "Sum" "Max" "Min" "Count" "ForEach" "Find" "FindAll" "Exists" "RemoveAll" "TakeWhile" "SkipWhile" "ToDictionary" "ToLookup" "MaxBy" "MinBy")) @bind.param
(foreach_statement left: (tuple_pattern name: (identifier) @local))

(declaration_pattern
  type: [(identifier) (generic_name) (qualified_name) (predefined_type) (nullable_type) (array_type)] @type
  name: (identifier) @var) @bind.local
(declaration_pattern name: (identifier) @local)
(recursive_pattern type: (_) @type name: (identifier) @var) @bind.local
(recursive_pattern name: (identifier) @local)
(var_pattern name: (identifier) @local)
(declaration_expression
  type: [(identifier) (generic_name) (qualified_name) (predefined_type) (nullable_type) (array_type)] @type
  name: (identifier) @var) @bind.local
(declaration_expression name: (identifier) @local)
(from_clause name: (identifier) @local)
(let_clause . (identifier) @local)
(join_clause . (identifier) @local)
