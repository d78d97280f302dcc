(parameter_declaration type: (_) @type declarator: (_) @declarator) @bind.param
