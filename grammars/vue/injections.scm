; Calls in the template; other expressions are not worth a parse.
(directive_attribute
  (quoted_attribute_value (attribute_value) @injection.content)
  (#match? @injection.content "^[A-Za-z_$][A-Za-z0-9_$.]*\\([\\s\\S]*\\)$")
  (#set! injection.language "typescript"))
(interpolation
  (raw_text) @injection.content
  (#match? @injection.content "^\\s*[A-Za-z_$][A-Za-z0-9_$.]*\\([\\s\\S]*\\)\\s*$")
  (#set! injection.language "typescript"))
