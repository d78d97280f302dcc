(script_element (raw_text) @injection.content)
(script_element
  (start_tag
    (attribute (attribute_name) @_attribute (quoted_attribute_value (attribute_value) @injection.language)))
  (raw_text) @injection.content
  (#any-of? @_attribute "type" "lang")
  (#not-any-of? @injection.language "module" "text/babel" "text/ecmascript" "application/x-javascript" ""))
(style_element (raw_text) @injection.content (#set! injection.language "css"))
(style_element
  (start_tag
    (attribute (attribute_name) @_attribute (quoted_attribute_value (attribute_value) @injection.language)))
  (raw_text) @injection.content
  (#any-of? @_attribute "lang" "type"))
