(script_element
  (start_tag
    (attribute (attribute_name) @_attribute (quoted_attribute_value (attribute_value) @import.module))) @import
  (#eq? @_attribute "src"))
