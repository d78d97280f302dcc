; Constructors have no type. A test macro in the place of a name is not one.
((function_definition type: (_)? @return declarator: (_) @declarator body: (_)? @body) @definition.function
  (#not-match? @declarator "^(TYPED_)?TEST(_F|_P)?[(]"))
(field_declaration_list (declaration !type declarator: (_) @declarator) @definition.method)
; `TEST(Suite, Name) { … }`
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list . (_) @owner . (_) @name .))
  body: (_) @body
  (#any-of? @_macro "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P")) @definition.function

; Variables, and the prototypes among them; those inside functions are bindings only.
(declaration type: (_) @type declarator: (_) @declarator) @definition.variable @bind.local
(field_declaration type: (_) @type declarator: (_) @declarator) @definition.variable @bind.field
; A lambda with a name.
(init_declarator declarator: (identifier) @name value: (lambda_expression body: (_) @body)) @definition.function

; Types. A name with arguments is a specialization.
(class_specifier
  name: (_) @declarator
  (base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @base)?
  body: (_) @body) @definition.class
(struct_specifier
  name: (_) @declarator
  (base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @base)?
  body: (_) @body) @definition.struct
(union_specifier name: (_) @declarator body: (_) @body) @definition.struct
(enum_specifier name: (_) @declarator body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(concept_definition name: (identifier) @name) @definition.trait
(alias_declaration name: (type_identifier) @name) @definition.type

; `typedef struct tag { … } name;`: the name stands beside the struct; without a tag it is the struct's.
(type_definition type: (_) @type declarator: (_) @declarator) @definition.type

(namespace_definition name: (namespace_identifier) @name body: (_) @body) @definition.module
(namespace_definition
  name: (nested_namespace_specifier . (namespace_identifier) @owner . (namespace_identifier) @name .)
  body: (_) @body) @definition.module
(namespace_definition
  name: (nested_namespace_specifier
    . (namespace_identifier) @owner
    . (nested_namespace_specifier . (namespace_identifier) @owner . (namespace_identifier) @name .))
  body: (_) @body) @definition.module

(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

; Members behind an access mark; in a class without one, behind `class`.
(access_specifier) @visibility
(class_specifier "class" @visibility body: (_))
