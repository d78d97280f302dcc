(parameter name: (identifier) @var type: (_) @type) @bind.param
(variable_declaration ["const" "var"] . (identifier) @local)
(variable_declaration (identifier) @var type: (_) @type) @bind.local
(variable_declaration ["const" "var"] . (identifier) @var "=" . (_) @value) @bind.local
(payload (identifier) @local)
; What a capture holds: the content of an optional, an element of a list.
(while_statement condition: (_) @value (payload (identifier) @var)) @bind.local
(if_statement condition: (_) @value (payload (identifier) @var)) @bind.local
(for_statement . (_) @element (payload . (identifier) @var)) @bind.local
