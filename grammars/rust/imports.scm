; One match a leaf of the use tree, four groups deep; `self` in a group is the module of the group.
(use_declaration (visibility_modifier)? @reexport argument: [
  (identifier) @import.module
  (scoped_identifier) @import.name
  (use_wildcard (_) @import.module) @import.wildcard
]) @import
(use_declaration (visibility_modifier)? @reexport argument: (use_as_clause
  path: [(identifier) @import.module (crate) @import.module (self) @import.module (scoped_identifier) @import.name]
  alias: (identifier) @import.alias)) @import

(use_declaration (visibility_modifier)? @reexport argument: (use_list [
  (identifier) @import.module
  (scoped_identifier) @import.name
  (use_as_clause path: (scoped_identifier) @import.name alias: (identifier) @import.alias)
  (scoped_use_list path: (_) @import.module list: (use_list [
    (identifier) @import.name
    (scoped_identifier) @import.name
    (self) @_self
    (use_wildcard (_)? @import.module) @import.wildcard
  ]))
])) @import

(use_declaration (visibility_modifier)? @reexport argument: (scoped_use_list
  path: (_)? @import.module
  list: (use_list [
    (identifier) @import.name
    (scoped_identifier) @import.name
    (self) @_self
    (use_as_clause
      path: [(self) @_self (identifier) @import.name (scoped_identifier) @import.name]
      alias: (identifier) @import.alias)
    (use_wildcard (_)? @import.module) @import.wildcard
    (scoped_use_list path: (_) @import.module list: (use_list [
      (identifier) @import.name
      (scoped_identifier) @import.name
      (self) @_self
      (use_as_clause
        path: [(self) @_self (identifier) @import.name (scoped_identifier) @import.name]
        alias: (identifier) @import.alias)
      (use_wildcard (_)? @import.module) @import.wildcard
      (scoped_use_list path: (_) @import.module list: (use_list [
        (identifier) @import.name
        (scoped_identifier) @import.name
        (self) @_self
        (use_as_clause
          path: [(self) @_self (identifier) @import.name (scoped_identifier) @import.name]
          alias: (identifier) @import.alias)
        (use_wildcard (_)? @import.module) @import.wildcard
      ]))
    ]))
  ]))) @import

(extern_crate_declaration (visibility_modifier)? @reexport name: (identifier) @import.module !alias) @import
(extern_crate_declaration
  (visibility_modifier)? @reexport
  name: (identifier) @import.module
  alias: (identifier) @import.alias) @import

; The declaration of a module in another file.
(mod_item (visibility_modifier)? @reexport name: (identifier) @import.module !body) @import
