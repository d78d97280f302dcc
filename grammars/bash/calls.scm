(command
  name: (command_name (word) @callee)
  (#not-any-of? @callee "source" "." ":" "[" "}")) @call
(command
  name: (command_name (word) @_wrapper)
  . argument: (word) @callee
  (#any-of? @_wrapper "command" "builtin" "exec" "eval" "time" "nohup" "sudo")) @call
; A function named to be called later.
(command
  name: (command_name (word) @_trap)
  . argument: (word) @callee
  (#eq? @_trap "trap")) @call.callback
(command
  name: (command_name (word) @_complete)
  argument: (word) @_flag
  . argument: (word) @callee
  (#eq? @_complete "complete")
  (#eq? @_flag "-F")) @call.callback
