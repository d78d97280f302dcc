(call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list . (string (string_content) @import.module))
  (#any-of? @_require "require" "require_relative" "load" "require_dependency")) @import
(call
  method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) @import.name . (string (string_content) @import.module))
  (#eq? @_autoload "autoload")) @import
