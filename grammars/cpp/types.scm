(parameter_declaration type: (_) @type declarator: (_) @declarator) @bind.param
(optional_parameter_declaration type: (_) @type declarator: (_) @declarator) @bind.param
(variadic_parameter_declaration type: (_) @type declarator: (_) @declarator) @bind.param
(type_parameter_declaration (type_identifier) @var) @bind.param
(optional_type_parameter_declaration name: (type_identifier) @var) @bind.param
(variadic_type_parameter_declaration (type_identifier) @var) @bind.param

(for_range_loop type: (_) @type declarator: (_) @declarator) @bind.local
(for_range_loop
  type: (placeholder_type_specifier)
  declarator: (_) @declarator
  right: (_) @element) @bind.local
(structured_binding_declarator (identifier) @local)
(lambda_capture_initializer left: (identifier) @local)
; Of use where no type is written.
(init_declarator declarator: (_) @declarator value: (_) @value) @bind.local
