; Functions and classes declared by name.
(function_declaration name: (identifier) @name body: (statement_block) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @definition.function
(class_declaration name: (_) @name body: (class_body) @body) @definition.class

; Kinds are those of the bare patterns; the statement adds its span and the export.
(export_statement
  decorator: (decorator)* @decorator
  declaration: (_ decorator: (decorator)* @decorator name: (_) @name)) @definition.variable @export

; Top-level values: the statement where it declares one, the declarator where it declares several. What `require` or `import()`
; gives is an import.
(program
  [(lexical_declaration . (variable_declarator name: (identifier) @name value: [(object) @body (array) @body (_)]? @_value) .)
   (variable_declaration . (variable_declarator name: (identifier) @name value: [(object) @body (array) @body (_)]? @_value) .)] @definition.constant
  (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(program
  [(lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @_value) @definition.constant)
   (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @_value) @definition.constant)]
  (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(program
  [(lexical_declaration
     (variable_declarator
       name: (object_pattern
         [(shorthand_property_identifier_pattern) @name
          (pair_pattern value: (identifier) @name)
          (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)])
       value: (_) @_value))
   (lexical_declaration (variable_declarator name: (array_pattern (identifier) @name) value: (_) @_value))] @definition.constant
  (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(export_statement
  declaration: [
    (lexical_declaration . (variable_declarator name: (identifier) @name value: [(object) @body (array) @body (_)]?) .)
    (variable_declaration . (variable_declarator name: (identifier) @name value: [(object) @body (array) @body (_)]?) .)]) @definition.constant @export
(export_statement
  declaration: [
    (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant @export)
    (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant @export)])
(export_statement
  declaration: (lexical_declaration
    (variable_declarator
      name: [
        (object_pattern [(shorthand_property_identifier_pattern) @name (pair_pattern value: (identifier) @name)])
        (array_pattern (identifier) @name)]))) @definition.constant @export

; Functions and classes that a variable holds, at any depth.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @definition.function
[(lexical_declaration
   .
   (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)])
   .)
 (variable_declaration
   .
   (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)])
   .)] @definition.function
(variable_declarator name: (identifier) @name value: (class body: (class_body) @body)) @definition.class
[(lexical_declaration . (variable_declarator name: (identifier) @name value: (class)) .)
 (variable_declaration . (variable_declarator name: (identifier) @name value: (class)) .)] @definition.class

; A function handed to a wrapper: `memo(() => …)`, `forwardRef(…)`, at top level any wrapper called by a bare name.
(lexical_declaration
  .
  (variable_declarator
    name: (identifier) @name
    value: (call_expression
      function: [(identifier) (member_expression)] @_wrapper
      arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)])))
  .
  (#match? @_wrapper "(^|\\.)(memo|forwardRef|useCallback|observer|debounce|throttle|once|memoize)$")) @definition.function
(lexical_declaration
  .
  (variable_declarator
    name: (identifier) @name
    value: (call_expression
      function: [(identifier) (member_expression)]
      arguments: (arguments
        .
        (call_expression
          function: [(identifier) (member_expression)] @_wrapper
          arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)])))))
  .
  (#match? @_wrapper "(^|\\.)(memo|forwardRef|observer)$")) @definition.function
(program
  [(lexical_declaration
     (variable_declarator
       name: (identifier) @name
       value: (call_expression
         function: (identifier)
         arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))))
   (export_statement
     declaration: (lexical_declaration
       (variable_declarator
         name: (identifier) @name
         value: (call_expression
           function: (identifier)
           arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)])))))] @definition.function)

; Named function expressions where nothing else gives the name.
(arguments (function_expression name: (identifier) @name body: (_) @body) @definition.function)
(return_statement (function_expression name: (identifier) @name body: (_) @body) @definition.function)
(return_statement (class name: (_) @name body: (class_body) @body) @definition.class)

; `export default` of something without a name is called `default`.
(export_statement
  "default" @name
  value: [
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
    (arrow_function body: (_) @body)]) @definition.function @export
(export_statement decorator: (decorator)* @decorator "default" @name value: (class body: (_) @body)) @definition.class @export
(export_statement "default" @name value: [(object) @body (array) @body (new_expression)]) @definition.constant @export
(export_statement
  "default" @name
  value: (call_expression arguments: (arguments [(object) (arrow_function)] @body))) @definition.constant @export
(export_statement
  "default"
  value: (call_expression
    arguments: (arguments . (function_expression name: (identifier) @name body: (_) @body)))) @definition.function @export

; Members.
(method_definition name: (_) @name body: (statement_block) @body) @definition.method
(pair
  key: [(property_identifier) (string) (computed_property_name)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @definition.method

; `A.x = function`, `this.x = function`, `A.prototype.x = function`.
(expression_statement
  (assignment_expression
    left: (member_expression object: [(identifier) (member_expression)] @owner property: (_) @name)
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)])
  (#not-match? @owner "^(exports|module|window|global|globalThis|self)$|^module\\.exports$|\\.prototype$|^this\\.")) @definition.method
(expression_statement
  (assignment_expression
    left: (member_expression object: (this) property: (_) @name)
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)])) @definition.method
(expression_statement
  (assignment_expression
    left: (member_expression
      object: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
      property: (_) @name)
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)])
  (#eq? @_prototype "prototype")) @definition.method

; `A.prototype = { … }` and `Object.assign(A.prototype, { … })`.
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  right: (object [(method_definition name: (_) @name) (pair key: (_) @name value: [(arrow_function) (function_expression)])] @definition.method)
  (#eq? @_prototype "prototype"))
(arguments
  .
  (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  (object [(method_definition name: (_) @name) (pair key: (_) @name value: [(arrow_function) (function_expression)])] @definition.method)
  (#eq? @_prototype "prototype"))

; CommonJS: `exports.x = …`, `module.exports.x = …`, `window.x = …`.
(expression_statement
  (assignment_expression
    left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @name)
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)])
  (#any-of? @_exports "exports" "module.exports" "window" "global" "globalThis" "self")
  (#not-eq? @name "exports")) @definition.function @export
(expression_statement
  (assignment_expression
    left: (member_expression property: (property_identifier) @name)
    right: (class body: (_) @body))
  (#not-eq? @name "exports")) @definition.class
(expression_statement
  (assignment_expression
    left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @name)
    right: (class))
  (#any-of? @_exports "exports" "module.exports")) @definition.class @export
(program
  (expression_statement
    (assignment_expression
      left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @name)
      right: [(object) (array) (string) (template_string) (number) (true) (false) (regex) (new_expression) (binary_expression)])) @definition.constant @export
  (#any-of? @_exports "exports" "module.exports"))

; `module.exports = function name …`; without a name it is called `exports`.
(expression_statement
  (assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    right: [
      (function_expression name: (identifier) @name body: (_) @body)
      (generator_function name: (identifier) @name body: (_) @body)])
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function @export
(expression_statement
  (assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    right: (class name: (_) @name body: (_) @body))
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.class @export
(expression_statement
  (assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
    right: [
      (function_expression !name body: (_) @body)
      (generator_function !name body: (_) @body)
      (arrow_function body: (_) @body)])
  (#eq? @_module "module")
  (#eq? @name "exports")) @definition.function @export
(expression_statement
  (assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
    right: (class !name body: (_) @body))
  (#eq? @_module "module")
  (#eq? @name "exports")) @definition.class @export

; Inheritance before classes: `inherits(A, B)`, `A.prototype = Object.create(B.prototype)`, `A.prototype = new B()`.
(call_expression
  function: [(identifier) @_inherits (member_expression property: (property_identifier) @_inherits)]
  arguments: (arguments . (identifier) @owner . [(identifier) (member_expression)] @base)
  (#eq? @_inherits "inherits"))
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  right: (call_expression
    function: (member_expression property: (property_identifier) @_create)
    arguments: (arguments . (member_expression object: (_) @base property: (property_identifier) @_base_prototype)))
  (#eq? @_prototype "prototype")
  (#eq? @_create "create")
  (#eq? @_base_prototype "prototype"))
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  right: (new_expression constructor: (_) @base)
  (#eq? @_prototype "prototype"))

; An object made of others has their members.
(variable_declarator name: (identifier) @owner value: (object (spread_element (identifier) @base)))
