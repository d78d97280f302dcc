; A namespace (or, with `static`, a type) gives all its names.
(using_directive !name (_) @import.module @import.wildcard) @import
(using_directive name: (identifier) @import.alias (_) @import.module .) @import
