(document (template_element (start_tag (tag_name) @name) . (_) @body) @definition.section)
