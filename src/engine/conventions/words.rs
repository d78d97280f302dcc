//! What languages call things that queries do not see: test frameworks, words of errors. A flat table, one row a language; a language
//! without a row has no word for any of it. Read [`Words`] first.

/// The words of a language.
pub(super) struct Words {
    /// Names of the language; the first stands for all.
    pub langs: &'static [&'static str],
    /// Functions that a file of tests calls to declare one.
    pub test_calls: &'static [&'static str],
    /// Imported modules, longer ones first, and the framework that each belongs to.
    pub frameworks: &'static [(&'static str, &'static str)],
    /// How tests beside the code are marked; empty where they have files of their own.
    pub inline_tests: &'static str,
    /// The first letter of a name says whether it is exported.
    pub mixed_caps: bool,
    /// How documentation begins; empty where any comment is documentation.
    pub docs: &'static [&'static str],
    /// What the index has as constants.
    pub constants: &'static str,
    /// Modules that say nothing of a project.
    pub quiet_modules: &'static [&'static str],
    pub habits: &'static [Habit],
}

/// A way to deal with errors, and what it is known by.
pub(super) struct Habit {
    pub what: &'static str,
    pub sign: Sign,
}

pub(super) enum Sign {
    /// A statement begins so.
    Statement(&'static str),
    /// The same, followed by the name of what is raised.
    Raises(&'static str),
    /// A line holds one of these.
    Holds(&'static [&'static str]),
    /// The declared return type of a function, or else its signature, holds one of these.
    Signature(&'static [&'static str]),
}

use Sign::{Holds, Raises, Signature, Statement};

const NONE: Words = Words {
    langs: &[],
    test_calls: &[],
    frameworks: &[],
    inline_tests: "",
    mixed_caps: false,
    docs: &[],
    constants: "constants",
    quiet_modules: &[],
    habits: &[],
};

const BLOCKS: &[&str] = &["/**"];
const SLASHES: &[&str] = &["///", "/**"];
const QUOTES: &[&str] = &["\"", "'"];

/// For languages where errors are thrown and caught.
const THROWING: &[Habit] = &[habit("`throw`", Raises("throw ")), habit("`catch`", Holds(&["catch (", "catch("]))];

const JAVASCRIPT: &[Habit] = &[
    habit("`throw`", Raises("throw ")),
    habit("`catch` blocks", Holds(&["catch (", "catch {", "catch(e"])),
    habit("`.catch(…)` of promises", Holds(&[".catch("])),
    habit("checks of an error that came first (`if (err)`)", Holds(&["if (err)", "if(err)", "if (error)", "if (er)"])),
];

const JAVASCRIPT_TESTS: &[(&str, &str)] = &[
    ("@jest/globals", "Jest"),
    ("@playwright/test", "Playwright"),
    ("@testing-library", "Testing Library"),
    ("@vue/test-utils", "Vue Test Utils"),
    ("ava", "AVA"),
    ("bun:test", "bun:test"),
    ("chai", "Chai"),
    ("cypress", "Cypress"),
    ("jasmine", "Jasmine"),
    ("jest", "Jest"),
    ("mocha", "Mocha"),
    ("node:assert", "assert"),
    ("assert", "assert"),
    ("node:test", "node:test"),
    ("sinon", "Sinon"),
    ("supertest", "SuperTest"),
    ("tap", "tap"),
    ("tape", "tape"),
    ("uvu", "uvu"),
    ("vitest", "Vitest"),
];

const JVM_TESTS: &[(&str, &str)] = &[
    ("org.junit.jupiter", "JUnit 5"),
    ("org.junit", "JUnit 4"),
    ("junit.framework", "JUnit 3"),
    ("org.testng", "TestNG"),
    ("org.mockito", "Mockito"),
    ("org.assertj", "AssertJ"),
    ("org.hamcrest", "Hamcrest"),
    ("com.google.common.truth", "Truth"),
    ("kotlin.test", "kotlin.test"),
    ("io.kotest", "Kotest"),
    ("io.mockk", "MockK"),
    ("org.scalatest", "ScalaTest"),
    ("org.specs2", "specs2"),
    ("org.scalacheck", "ScalaCheck"),
    ("munit", "MUnit"),
    ("zio.test", "ZIO Test"),
];

const C_TESTS: &[(&str, &str)] = &[
    ("gtest", "GoogleTest"),
    ("gmock", "GoogleMock"),
    ("catch2", "Catch2"),
    ("catch.hpp", "Catch2"),
    ("doctest", "doctest"),
    ("boost/test", "Boost.Test"),
    ("cmocka.h", "cmocka"),
    ("unity.h", "Unity"),
    ("check.h", "Check"),
];

const TABLE: &[Words] = &[
    Words {
        langs: &["bash"],
        habits: &[
            habit("`set -e`", Statement("set -e")),
            habit("`exit` with a code", Statement("exit ")),
            habit("`return` with a code", Statement("return ")),
        ],
        ..NONE
    },
    Words {
        langs: &["c"],
        frameworks: C_TESTS,
        constants: "macros and enumerators",
        habits: &[
            habit("`return -…`", Statement("return -")),
            habit("`return NULL`", Statement("return NULL")),
            habit("`goto`", Statement("goto ")),
            habit("`assert`", Statement("assert(")),
            habit("`errno`", Holds(&["errno"])),
        ],
        ..NONE
    },
    Words {
        langs: &["cpp"],
        frameworks: C_TESTS,
        constants: "macros, enumerators and constants",
        habits: &[
            habit("`throw`", Raises("throw ")),
            habit("`catch`", Holds(&["catch (", "catch("])),
            habit("functions that are `noexcept`", Signature(&["noexcept"])),
            habit("functions that return `optional` or `expected`", Signature(&["optional<", "expected<"])),
        ],
        ..NONE
    },
    Words {
        langs: &["csharp"],
        docs: SLASHES,
        frameworks: &[
            ("NUnit.Framework", "NUnit"),
            ("Xunit", "xUnit"),
            ("Microsoft.VisualStudio.TestTools.UnitTesting", "MSTest"),
            ("Moq", "Moq"),
            ("NSubstitute", "NSubstitute"),
            ("FluentAssertions", "FluentAssertions"),
        ],
        habits: THROWING,
        ..NONE
    },
    Words {
        langs: &["go"],
        frameworks: &[
            ("github.com/stretchr/testify", "testify"),
            ("github.com/onsi/ginkgo", "Ginkgo"),
            ("github.com/onsi/gomega", "Gomega"),
            ("github.com/google/go-cmp", "go-cmp"),
            ("gotest.tools", "gotest.tools"),
            ("testing", "testing"),
        ],
        mixed_caps: true,
        habits: &[
            habit("`if err != nil`", Holds(&["err != nil"])),
            habit("functions that return `error`", Signature(&["error"])),
            habit("`errors.New`", Holds(&["errors.New("])),
            habit("`fmt.Errorf`", Holds(&["fmt.Errorf("])),
            habit("wrapped with `%w`", Holds(&["%w"])),
            habit("`errors.Is` or `errors.As`", Holds(&["errors.Is(", "errors.As("])),
            habit("`panic`", Statement("panic(")),
        ],
        ..NONE
    },
    Words {
        langs: &["java"],
        docs: BLOCKS,
        frameworks: JVM_TESTS,
        habits: &[
            habit("`throw`", Raises("throw ")),
            habit("`catch`", Holds(&["catch (", "catch("])),
            habit("methods with `throws`", Signature(&[" throws "])),
        ],
        constants: "constants and enum values",
        ..NONE
    },
    Words {
        langs: &["javascript"],
        docs: BLOCKS,
        test_calls: &["describe", "it", "test", "suite"],
        frameworks: JAVASCRIPT_TESTS,
        constants: "values at top level",
        habits: JAVASCRIPT,
        ..NONE
    },
    Words {
        langs: &["kotlin"],
        docs: BLOCKS,
        frameworks: JVM_TESTS,
        habits: &[
            habit("`throw`", Raises("throw ")),
            habit("`catch`", Holds(&["catch (", "catch("])),
            habit("`runCatching`", Holds(&["runCatching"])),
            habit("`require` and `check`", Holds(&["require(", "requireNotNull(", "check(", "checkNotNull("])),
            habit("`error(…)`", Statement("error(")),
        ],
        constants: "constants and enum values",
        ..NONE
    },
    Words {
        langs: &["lua"],
        test_calls: &["describe", "it"],
        frameworks: &[("busted", "busted"), ("luaunit", "LuaUnit"), ("luassert", "luassert")],
        habits: &[
            habit("`error(…)`", Statement("error(")),
            habit("`pcall`", Holds(&["pcall("])),
            habit("`return nil, …`", Statement("return nil,")),
            habit("`assert`", Holds(&["assert("])),
        ],
        ..NONE
    },
    Words {
        langs: &["php"],
        docs: BLOCKS,
        test_calls: &["describe", "it", "test"],
        frameworks: &[("PHPUnit", "PHPUnit"), ("Pest", "Pest"), ("Mockery", "Mockery"), ("Prophecy", "Prophecy")],
        habits: THROWING,
        ..NONE
    },
    Words {
        langs: &["python"],
        docs: QUOTES,
        frameworks: &[
            ("pytest", "pytest"),
            ("unittest.mock", "unittest.mock"),
            ("unittest", "unittest"),
            ("hypothesis", "Hypothesis"),
            ("nose", "nose"),
            ("django.test", "django.test"),
        ],
        constants: "names at module level",
        quiet_modules: &["__future__"],
        habits: &[
            habit("`raise`", Raises("raise ")),
            habit("`except`", Statement("except ")),
            habit("bare `except:`", Statement("except:")),
            habit("`raise … from`", Holds(&[") from "])),
            habit("`contextlib.suppress`", Holds(&["suppress("])),
        ],
        ..NONE
    },
    Words {
        langs: &["ruby"],
        test_calls: &["describe", "it", "context", "specify", "test", "should"],
        frameworks: &[
            ("rspec", "RSpec"),
            ("spec_helper", "RSpec"),
            ("rails_helper", "RSpec"),
            ("minitest", "minitest"),
            ("test/unit", "test-unit"),
            ("mocha", "Mocha"),
        ],
        habits: &[
            habit("`raise`", Raises("raise ")),
            habit("`rescue`", Statement("rescue")),
            habit("`ensure`", Statement("ensure")),
        ],
        ..NONE
    },
    Words {
        langs: &["rust"],
        docs: SLASHES,
        frameworks: &[
            ("proptest", "proptest"),
            ("rstest", "rstest"),
            ("insta", "insta"),
            ("expect_test", "expect-test"),
            ("criterion", "Criterion"),
            ("mockall", "mockall"),
            ("quickcheck", "QuickCheck"),
            ("loom", "loom"),
            ("tokio_test", "tokio-test"),
            ("trybuild", "trybuild"),
            ("assert_cmd", "assert_cmd"),
        ],
        inline_tests: "in `#[cfg(test)]` modules or `#[test]` functions",
        quiet_modules: &["std", "core", "alloc", "crate", "self", "super", "Self"],
        habits: &[
            habit("functions that return `Result`", Signature(&["Result"])),
            habit("functions that return `Option`", Signature(&["Option<"])),
            habit("`?`", Holds(&["?;", "?)", "?."])),
            habit("`.unwrap()`", Holds(&[".unwrap()"])),
            habit("`.expect(…)`", Holds(&[".expect(\""])),
            habit("`panic!`", Statement("panic!(")),
        ],
        ..NONE
    },
    Words {
        langs: &["scala"],
        docs: BLOCKS,
        frameworks: JVM_TESTS,
        habits: &[
            habit("`throw`", Raises("throw ")),
            habit("`catch`", Holds(&["catch {", "catch:"])),
            habit("functions that return `Try`, `Either` or `Option`", Signature(&["Try[", "Either[", "Option["])),
        ],
        ..NONE
    },
    Words {
        langs: &["swift"],
        docs: SLASHES,
        frameworks: &[("XCTest", "XCTest"), ("Testing", "Swift Testing"), ("Quick", "Quick"), ("Nimble", "Nimble")],
        habits: &[
            habit("functions that are `throws`", Signature(&[" throws", " rethrows"])),
            habit("`throw`", Raises("throw ")),
            habit("`try?`", Holds(&["try?"])),
            habit("`try!`", Holds(&["try!"])),
            habit("`catch`", Holds(&["catch {", "catch let "])),
            habit("`guard`", Statement("guard ")),
            habit("`fatalError` or `preconditionFailure`", Holds(&["fatalError(", "preconditionFailure("])),
        ],
        ..NONE
    },
    Words {
        langs: &["typescript", "tsx"],
        docs: BLOCKS,
        test_calls: &["describe", "it", "test", "suite"],
        frameworks: JAVASCRIPT_TESTS,
        constants: "values at top level",
        habits: JAVASCRIPT,
        ..NONE
    },
    Words { langs: &["svelte"], docs: BLOCKS, habits: JAVASCRIPT, constants: "values at top level", ..NONE },
    Words { langs: &["vue"], docs: BLOCKS, habits: JAVASCRIPT, constants: "values at top level", ..NONE },
    Words {
        langs: &["zig"],
        docs: SLASHES,
        constants: "values at top level",
        inline_tests: "in `test` blocks",
        quiet_modules: &["builtin"],
        habits: &[
            habit("functions that return an error union", Signature(&["!"])),
            habit("`try`", Holds(&["try "])),
            habit("`catch`", Holds(&[" catch "])),
            habit("`errdefer`", Statement("errdefer ")),
            habit("`return error.…`", Holds(&["return error."])),
            habit("`unreachable`", Holds(&["unreachable"])),
        ],
        ..NONE
    },
];

/// The words of a language.
pub(super) fn of(lang: &str) -> &'static Words {
    TABLE.iter().find(|words| words.langs.contains(&lang)).unwrap_or(&NONE)
}

/// The framework that an imported module belongs to.
pub(super) fn framework(words: &Words, module: &str) -> Option<&'static str> {
    let belongs = |prefix: &str| {
        let rest = module.strip_prefix(prefix)?;
        rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '_').then_some(())
    };
    words.frameworks.iter().find(|(prefix, _)| belongs(prefix).is_some()).map(|(_, name)| *name)
}

const fn habit(what: &'static str, sign: Sign) -> Habit {
    Habit { what, sign }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn every_row_is_of_a_language_with_a_grammar() {
        let known = parse::languages();
        for lang in TABLE.iter().flat_map(|words| words.langs) {
            assert!(known.iter().any(|known| known.0 == *lang), "{lang}");
        }
    }

    #[test]
    fn a_module_belongs_to_the_framework_with_its_longest_name() {
        assert_eq!(framework(of("java"), "org.junit.jupiter.api"), Some("JUnit 5"));
        assert_eq!(framework(of("java"), "org.junit"), Some("JUnit 4"));
        assert_eq!(framework(of("python"), "pytest_asyncio"), None);
        assert_eq!(framework(of("cobol"), "pytest"), None);
    }
}
