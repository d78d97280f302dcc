(parameter . (simple_identifier) @var . (_) @type) @bind.param
(class_parameter . (modifiers)? . (simple_identifier) @var . (_) @type) @bind.param
(lambda_parameters (variable_declaration . (simple_identifier) @var . (_)? @type) @bind.param)
(parameter_with_optional_type (simple_identifier) @var) @bind.param
(catch_block (simple_identifier) @var . (_) @type) @bind.param

(statements (property_declaration
  (modifiers)?
  . (binding_pattern_kind)
  . (variable_declaration . (simple_identifier) @var . (_)? @type)
  . [
    (call_expression . [(simple_identifier) (navigation_expression)] @ctor)
    (simple_identifier) @value
    (navigation_expression) @value
    (as_expression) @value
  ]?) @bind.local)

(multi_variable_declaration (variable_declaration . (simple_identifier) @local))
(for_statement . (variable_declaration . (simple_identifier) @var . (_)? @type) @bind.local)
(for_statement . (variable_declaration . (simple_identifier) @var .) . (_) @element) @bind.local

; What a lambda is called with: each element (`xs.map { x -> … }`), or the receiver itself (`x?.let { y -> … }`).
(call_expression
  . (navigation_expression . (_) @element . (navigation_suffix (simple_identifier) @_each))
  . (call_suffix (annotated_lambda (lambda_literal . (lambda_parameters . (variable_declaration . (simple_identifier) @var .) .))))
  (#any-of? @_each "map" "forEach" "filter" "filterNot" "find" "first" "firstOrNull" "last" "lastOrNull" "single" "any" "all" "none" "count" "flatMap" "mapNotNull" "onEach" "sortedBy" "sortedByDescending" "sortBy" "groupBy" "associateBy" "associateWith" "associate" "sumOf" "maxOf" "minOf" "maxByOrNull" "minByOrNull" "maxBy" "minBy" "takeWhile" "dropWhile" "partition" "distinctBy" "removeAll" "removeIf" "indexOfFirst" "joinToString")) @bind.local
(call_expression
  . (navigation_expression . (_) @value . (navigation_suffix (simple_identifier) @_with))
  . (call_suffix (annotated_lambda (lambda_literal . (lambda_parameters . (variable_declaration . (simple_identifier) @var .) .))))
  (#any-of? @_with "let" "also" "takeIf" "takeUnless")) @bind.local
((call_expression
  . (navigation_expression . (_) @element . (navigation_suffix (simple_identifier) @_each))
  . (call_suffix (annotated_lambda (lambda_literal . (statements)) @var))) @bind.local
  (#any-of? @_each "map" "forEach" "filter" "filterNot" "find" "first" "firstOrNull" "last" "lastOrNull" "single" "any" "all" "none" "count" "flatMap" "mapNotNull" "onEach" "sortedBy" "sortedByDescending" "sortBy" "groupBy" "associateBy" "associateWith" "associate" "sumOf" "maxOf" "minOf" "maxByOrNull" "minByOrNull" "maxBy" "minBy" "takeWhile" "dropWhile" "partition" "distinctBy" "removeAll" "removeIf" "indexOfFirst" "joinToString")
  (#set! bind.name "it"))
((call_expression
  . (navigation_expression . (_) @value . (navigation_suffix (simple_identifier) @_with))
  . (call_suffix (annotated_lambda (lambda_literal . (statements)) @var))) @bind.local
  (#any-of? @_with "let" "also" "takeIf" "takeUnless")
  (#set! bind.name "it"))
; Each lambda without parameters has an `it` of its own.
((lambda_literal . (statements)) @var @bind.local (#set! bind.name "it"))
(when_subject
  . (variable_declaration . (simple_identifier) @var . (_)? @type)
  . (call_expression . [(simple_identifier) (navigation_expression)] @ctor)?) @bind.local
