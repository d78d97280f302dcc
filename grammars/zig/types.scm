(parameter name: (identifier) @var type: (_) @type) @bind.param
(variable_declaration ["const" "var"] . (identifier) @local)
(variable_declaration (identifier) @var type: (_) @type) @bind.local
(variable_declaration ["const" "var"] . (identifier) @var "=" . (_) @value) @bind.local
(payload (identifier) @local)
