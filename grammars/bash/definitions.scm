(function_definition name: (word) @name body: (_) @body) @definition.function

(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @definition.constant)
(program
  (declaration_command (word) @_flag (variable_assignment name: (variable_name) @name)) @definition.constant
  (#match? @_flag "^-[a-zA-Z]*r"))
(program (if_statement (variable_assignment name: (variable_name) @name) @definition.variable))
(program (list (variable_assignment name: (variable_name) @name) @definition.variable))
; A script that wraps itself in braces, so that it is read whole before it runs.
(program (compound_statement (variable_assignment name: (variable_name) @name) @definition.variable))
