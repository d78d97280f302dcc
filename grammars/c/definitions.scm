(function_definition type: (_) @return declarator: (_) @declarator body: (_) @body) @definition.function

; Variables, and the prototypes among them; those inside functions are bindings only.
(declaration
  type: (_) @type
  declarator: (_) @declarator) @definition.variable @bind.local
(field_declaration type: (_) @type declarator: (_) @declarator) @definition.variable @bind.field

(struct_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (enumerator_list) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant

; `typedef struct tag { … } name;`: the name stands beside the struct; without a tag it is the struct's.
(type_definition type: (_) @type declarator: (_) @declarator) @definition.type

(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro
