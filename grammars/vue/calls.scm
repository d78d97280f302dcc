; Components used in the template.
(start_tag (tag_name) @callee (#match? @callee "^[A-Z]")) @call
(self_closing_tag (tag_name) @callee (#match? @callee "^[A-Z]")) @call

; `@click="save"`; calls inside expressions come from the injections.
(directive_attribute
  "@"
  (quoted_attribute_value (attribute_value) @callee @call.callback)
  (#match? @callee "^[A-Za-z_$][A-Za-z0-9_$]*$"))
(directive_attribute
  (directive_name) @_directive
  (quoted_attribute_value (attribute_value) @callee @call.callback)
  (#eq? @_directive "v-on")
  (#match? @callee "^[A-Za-z_$][A-Za-z0-9_$]*$"))
