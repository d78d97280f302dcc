; An element with an id is a section called after it.
(element
  (start_tag
    (attribute (attribute_name) @_attribute (quoted_attribute_value (attribute_value) @name)))
  .
  (_) @body
  (#eq? @_attribute "id")) @definition.section
