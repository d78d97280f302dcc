; A rule is called after its first selector.
(rule_set (selectors . (_) @name) (block) @body) @definition.section
(media_statement . (_) @name (block) @body) @definition.section
(supports_statement . (_) @name (block) @body) @definition.section
(scope_statement . (_) @name (block) @body) @definition.section
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.section
(at_rule (at_keyword) @name (block) @body) @definition.section

(declaration (property_name) @name (#match? @name "^--")) @definition.variable
