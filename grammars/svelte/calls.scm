; Components used in the markup.
(start_tag (tag_name) @callee (#match? @callee "^[A-Z]")) @call
(self_closing_tag (tag_name) @callee (#match? @callee "^[A-Z]")) @call
