"""Tests of `tests/prose.py` and `tests/circles.py`: each check finds a fault that is planted, and accepts the text beside it."""
import unittest
from pathlib import Path

import circles
import prose


def comments(text: str, name: str = "planted.rs") -> list[str]:
    """The faults of comments, without the folder of the project and the advice."""
    return [":".join(fault.split(":")[1:3]) for fault in prose.comments(prose.ROOT / name, text)]


class Comments(unittest.TestCase):
    def test_a_comment_that_begins_with_a_pronoun_is_found_with_its_line(self):
        for word in ("That", "Those", "What", "Whatever", "Who", "Whose", "The same", "Same", "It", "Its", "They"):
            for kind in ("///", "//!"):
                found = comments(f"use planted;\n\n{kind} {word} of the caller.\n{kind} Those lines go on.\n")
                self.assertEqual(found, [f'3: begins with "{word}"'])

    def test_paragraphs_and_items_of_lists_count_each(self):
        text = "/// Returns the seat.\n/// That is a line of it.\n///\n/// That one is found.\n///\n/// * It is found\n/// - They are, too\n"
        self.assertEqual(comments(text), ['4: begins with "That"', '6: begins with "It"', '7: begins with "They"'])

    def test_comments_in_functions_and_code_in_comments_are_free(self):
        self.assertEqual(comments("// That is why.\n/// Adds a seat.\n/// ```\n/// It { }\n/// ```\n//// Those are lines.\n"), [])

    def test_a_word_that_only_begins_like_a_pronoun_is_none(self):
        self.assertEqual(comments("/// Items of a list.\n\n/// Whole games.\n\n/// Thatch.\n"), [])

    def test_values_are_described_in_sentences(self):
        self.assertEqual(comments("/// The seat. `None`: a spectator.\n"), ['1: "`None`'])
        self.assertEqual(comments("/// The seat.\n/// `Some(n)`: seat n.\n"), ['2: "`Some(n)`'])
        self.assertEqual(comments("/// Returns `None` for a spectator.\n\n/// The kinds `a` and `b`: both.\n"), [])

    def test_nothing_is_described_by_its_sibling(self):
        self.assertEqual(comments("/// The seats. The same, read.\n"), ['1: "The same, "'])

    def test_a_question_is_no_description(self):
        self.assertEqual(comments("/// Is this seat one of those\n/// that have left? Then it is skipped.\n"), ['1: "Is this seat one of those that have left?"'])
        self.assertEqual(comments("/// Is `None` for spectators.\n\n/// Returns whether the seat has left.\n"), [])

    def test_docstrings_of_python_count_too(self):
        text = '"""What is planted."""\n\nclass A:\n    """A class."""\n    a: int\n    """Its number."""\n\n    def b(self):\n        """Does it."""\n'
        for name in ("planted.py", "planted.pyi"):
            self.assertEqual(comments(text, name), ['1: begins with "What"', '6: begins with "Its"'])
        self.assertEqual(comments(f"#!/usr/bin/env python3\n{text}", "planted"), ['2: begins with "What"', '7: begins with "Its"'])
        self.assertEqual(comments("What is text?\n", "planted.md"), [])

    def test_every_comment_of_the_contract_counts(self):
        text = 'message A {\n  // Who.\n  uint32 seat = 1;\n  // The card.\n  string id = 2; // Its id.\n  string of = 3 [default = "// What"];\n}\n'
        self.assertEqual(comments(text, "planted.proto"), ['2: begins with "Who"', '5: begins with "Its"'])
        self.assertEqual(comments("// The seat. The same, read.\n", "planted.proto"), ['1: "The same, "'])
        self.assertEqual(comments("// Has the player passed?\nbool passed = 1;\n", "planted.proto"), ['1: "Has the player passed?"'])
        self.assertEqual(comments("// True: the card is trashed.\n", "planted.proto"), ['1: "True'])
        self.assertEqual(comments("// Whether it is trashed.\n// False: it stays.\n", "planted.proto"), [])
        self.assertEqual(comments("// The seat that\n// Whose turn it is.\n", "planted.proto"), [])

    def test_documentation_of_typescript_and_javascript_counts_and_other_comments_do_not(self):
        text = "/** What is kept. */\nlet a = 1;\n// What is why.\n/* It is free. */\nclass B {\n  /**\n   * It counts,\n   * That is one.\n   *\n   * Is it so?\n   */\n  b = 2;\n}\n"
        for suffix in prose.REFERENCE[1:]:
            self.assertEqual(comments(text, f"planted{suffix}"), ['1: begins with "What"', '7: begins with "It"', '10: "Is it so?"'])

    def test_a_question_word_is_no_noun(self):
        for word in ("Where", "Which one", "How many", "How many, at most 3", "By whom", "To which space"):
            for text, name in ((f"/// {word}.\n", "planted.rs"), (f'"""{word}."""\n', "planted.py"), (f"// {word}.\n", "planted.proto")):
                self.assertEqual(len(comments(text, name)), 1, (word, name))
        self.assertEqual(comments("/// When the game was created.\n\n/// To the right.\n\n/// Howling.\n"), [])
        for name in ("planted.proto", "planted.ts"):
            self.assertEqual(len(comments("/** How often it is drawn in a second. */\n// How many cards are in hand.\n", name)), 1, name)

    def test_options_are_described_without_code(self):
        def options(text: str, name: str) -> list[str]:
            return [":".join(fault.split(":")[1:3]) for fault in prose.options(prose.ROOT / name, text)]

        for code in ("`cards`", "SET_FIRST", "first_player"):
            text = f"// The {code}.\nmessage TableOptions {{\n  // As {code}.\n  bool a = 1;\n}}\n// See {code}.\n"
            self.assertEqual(len(options(text, "options.proto")), 3)
            self.assertEqual([fault.split(":")[0] for fault in options(text, "game.proto")], ["3"])
            self.assertEqual(options(text, "planted.rs"), [])
        self.assertEqual(options("// SCORE9 and BON10, SHA-256.\nbool some_field = 1;\n", "options.proto"), [])


class Phrases(unittest.TestCase):
    def test_every_phrase_is_found(self):
        planted = ["he", "so many", "is told", "Who has none gets one", "as many as may be", "for ever", "stands before", "cancelled", "spelt", "colour"]
        for text in planted:
            self.assertEqual(len(prose.phrases(prose.ROOT / "planted.md", f"fine\n{text}\n")), 1, text)
        self.assertEqual(len(planted), len(prose.PHRASES))

    def test_a_link_to_nowhere_is_found(self):
        page = prose.ROOT / "README.md"
        self.assertEqual(prose.links(page, "[a](CHANGELOG.md) [b](https://example.org/c)"), [])
        self.assertEqual(prose.links(page, "[a](PLANTED.md)"), ["README.md: links to PLANTED.md#"])
        self.assertEqual(prose.links(page, "[a](CHANGELOG.md#planted)"), ["README.md: links to CHANGELOG.md#planted"])


class Circles(unittest.TestCase):
    def test_a_loop_is_found(self):
        self.assertEqual(circles.circles({"a": {"b"}, "b": {"c"}, "c": set()}), [])
        self.assertEqual(circles.circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}), [["b", "c"]])

    def test_imports_are_read_from_code_alone(self):
        code = 'use crate::b::B;\nlet a = "//"; let c = \'"\'; // crate::d\nlet e = "crate::d"; super::c::go();\n'
        found = circles.imports(("a",), circles.bare(code), {("a",), ("b",), ("c",), ("d",)}, {})
        self.assertEqual(found, {("b",), ("c",)})


class Hidden(unittest.TestCase):
    CHESS = "#[cfg(test)] #[doc(hidden)]\npub mod audit;\npub mod data;\nmod own;\n#[doc(hidden)]\n#[path = \"\"]\npub mod files {\n    use super::{A, data};\n\n    pub mod state;\n}\n#[doc(hidden)]\npub use files::*;\npub mod shown {\n    pub mod board;\n}\n"
    MODULES = circles.hidden_modules({("chess",): CHESS})
    NAMES = circles.hidden_names({("table",): "#[doc(hidden)]\npub use ids::{ids, last};\npub use ids::Set;\n"})
    HIDDEN = {name: () for name in NAMES} | {module: module[:-1] for module in MODULES}

    def found(self, code: str, file: str = "other/src/lib.rs") -> list[str]:
        return circles.intrusions("rules", Path("rules/src"), self.HIDDEN, {Path(file): code})

    def test_hidden_modules_are_read(self):
        self.assertEqual(self.MODULES, {("chess", "audit"), ("chess", "files"), ("chess", "state")})
        self.assertEqual(circles.hidden_names({("chess",): self.CHESS}), set())
        self.assertEqual(self.NAMES, {("table", "ids"), ("table", "last")})

    def test_every_way_into_a_hidden_module_is_found(self):
        for code in (
            "rules::chess::state::new();",
            "::rules::chess::state::new();",
            "use rules::chess::state;",
            "use rules::chess::{data, state::{A, B}};",
            "use rules::{chess::{self as c, data}, table};\nc::state::new();",
            "use rules as r;\nuse r::chess;\nchess::audit::all();",
            "use rules::chess::*;",
            "let all = [$(rules::$module::state::new()),*];",
        ):
            self.assertNotEqual(self.found(code), [], code)

    def test_what_is_re_exported_is_open(self):
        for code in (
            "use rules::chess::{Chess, State, data::Piece};",
            "rules::$module::$Ruleset::new();",
            "use own::chess;\nchess::state::new();",
            "// rules::chess::state\nlet a = \"rules::chess::state\";",
        ):
            self.assertEqual(self.found(code), [], code)

    def test_tests_beside_the_module_may_use_it_and_those_of_a_neighbor_may_not(self):
        self.assertEqual(self.found("use rules::chess::state;", "rules/src/chess/tests/mod.rs"), [])
        self.assertNotEqual(self.found("use rules::chess::state;", "rules/src/draughts/tests/mod.rs"), [])
        self.assertNotEqual(self.found("use rules::chess::state;", "rules/tests/chess.rs"), [])

    def test_tests_in_the_crate_may_use_hidden_names_and_other_crates_may_not(self):
        self.assertEqual(self.found("use rules::table::{Set, ids};", "rules/src/tests/ids.rs"), [])
        self.assertEqual(self.found("use rules::table::Set;"), [])
        self.assertNotEqual(self.found("use rules::table::{Set, ids};"), [])


class Named(unittest.TestCase):
    """Names of code in tables: what they name must exist."""

    CODE = """
        trait Store { fn size(&self) -> usize; }
        impl<'a> Purse<'a> {
            // a && b
            fn pay(&self, Coins { gold }: Coins) -> bool { let x = gold - 1; let y = x - 1; x > y }
        }
    """

    def test_rooms_that_are_not_there_are_found(self):
        modules = {"games/src": {("handlers",), ("handlers", "a"), ("handlers", "b"), ("c",)}}
        self.assertEqual(circles.absent_rooms({"games/src": [("handlers",)]}, modules), [])
        for apart in ({"games/src": [("planted",)]}, {"games": [("handlers",)]}, {"games/src": [("c",)]}):
            self.assertEqual(len(circles.absent_rooms(apart, modules)), 1)

    def test_mutants_that_are_not_there_are_found(self):
        def absent(name):
            return circles.absent_mutants([name], lambda file: self.CODE if file == "purse.rs" else None)

        for name in (
            "purse.rs: replace - with + in Purse<'a>::pay",
            "purse.rs: replace - with + in Purse<'a>::pay (2)",
            "purse.rs: replace > with >= in Purse<'_>::pay",
            "purse.rs: replace Store::size -> usize with Default::default()",
            "purse.rs: replace pay -> bool with true",
        ):
            self.assertEqual(absent(name), [], name)
        for name in (
            "wallet.rs: replace - with + in Purse<'a>::pay",
            "purse.rs: replace - with + in Purse<'a>::give",
            "purse.rs: replace - with + in Wallet::pay",
            "purse.rs: replace - with + in Purse<'a>::pay (3)",
            "purse.rs: replace && with || in Purse<'a>::pay",
            "purse.rs: replace give -> bool with true",
            "pay",
        ):
            self.assertEqual(len(absent(name)), 1, name)


if __name__ == "__main__":
    unittest.main()
