"""Tests of `tests/new-ruleset`: a new ruleset is Goofspiel, whose suites all pass, under other names."""
import re
import shutil
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOADER = SourceFileLoader("new_ruleset", str(Path(__file__).with_name("new-ruleset")))
new_ruleset = module_from_spec(spec_from_loader("new_ruleset", LOADER))
LOADER.exec_module(new_ruleset)

NAMES = new_ruleset.Names("quite_new", "Quite New!", "QNW")


def renamed_back(text: str) -> str:
    """The text under the names of the sample again."""
    for new, old in (("quitenewv1", "goofspielv1"), ("quite_new", "goofspiel"), ("QuiteNew", "Goofspiel"), ("Quite New!", "Goofspiel"), ("QNW", "GOO")):
        text = text.replace(new, old)
    return text


def without_what_only_the_sample_has(text: str) -> str:
    for old, new in new_ruleset.ONLY_SAMPLE:
        text = text.replace(old, new)
    return text


class NewRuleset(unittest.TestCase):
    def setUp(self):
        self.root = self.copied()
        self.written = new_ruleset.begin(self.root, NAMES, positions=True)

    def copied(self) -> Path:
        """A copy of the files that the script reads."""
        root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for parent in (new_ruleset.RULES, new_ruleset.CONTRACT, new_ruleset.WIRE):
            shutil.copytree(ROOT / parent / "goofspiel", root / parent / "goofspiel")
        for file in new_ruleset.OUTSIDE:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, root / file)
        return root

    def read(self, file: Path) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def test_the_folders_are_those_of_the_sample_under_the_new_names(self):
        folders = [file for file in self.written if file not in new_ruleset.OUTSIDE]
        samples = [Path(str(file).replace("quite_new", "goofspiel")) for file in folders]
        for file, sample in zip(folders, samples):
            self.assertEqual(renamed_back(self.read(file)), without_what_only_the_sample_has(self.read(sample)), file)
            for name in ("goofspiel", "Goofspiel", "GOO-"):
                self.assertNotIn(name, self.read(file), file)
        left = {file.relative_to(self.root) for parent in (new_ruleset.RULES, new_ruleset.CONTRACT, new_ruleset.WIRE)
                for file in (self.root / parent / "goofspiel").rglob("*") if file.is_file()} - set(samples)
        self.assertTrue(left and {file.suffix for file in left} <= new_ruleset.RECORDED, left)
        for old, _ in new_ruleset.ONLY_SAMPLE:
            self.assertTrue(any(old in self.read(sample) for sample in samples), old)

    def test_described_tables_are_left_out_unless_they_are_wanted(self):
        root = self.copied()
        written = new_ruleset.begin(root, NAMES)
        positions = {new_ruleset.RULES / "quite_new" / file for file in new_ruleset.POSITIONS}
        self.assertEqual(set(self.written) - set(written), positions)
        whole = {file: self.read(file) for file in written}
        for old, _ in new_ruleset.ONLY_WITH_POSITIONS:
            self.assertEqual(sum(text.count(old) for text in whole.values()), 1, old)
        for file in written:
            text = (root / file).read_text(encoding="utf-8")
            self.assertEqual(text, whole[file] if file in new_ruleset.OUTSIDE else new_ruleset.without_positions(whole[file]), file)
            if file not in new_ruleset.OUTSIDE:
                self.assertNotIn("QNW-15", text, file)
                self.assertIsNone(re.search(r"\bpositions?\b(?!\()", text), file)

    def test_each_line_outside_of_the_folders_follows_one_of_the_sample(self):
        added = 0
        for file in new_ruleset.OUTSIDE:
            before = (ROOT / file).read_text(encoding="utf-8").split("\n")
            after = self.read(file).split("\n")
            new = [line for line in after if "quite_new" in line or "Quite New!" in line]
            of_sample = [line for line in before if "goofspiel" in line or line.strip() == "// Goofspiel."]
            digits = str.maketrans("", "", "0123456789")
            expected = [line.replace("// Goofspiel.", "// Goofspiel").translate(digits) for line in of_sample]
            self.assertEqual([renamed_back(line).translate(digits) for line in new], expected, file)
            rest = iter(after)
            self.assertTrue(all(line in rest for line in before), f"{file} has lost a line")
            added += len(after) - len(before)
        self.assertEqual(added, 26)

    def test_a_new_field_has_the_same_free_number_in_every_oneof(self):
        before = (ROOT / new_ruleset.MESSAGES).read_text(encoding="utf-8")
        lines = [line for line in self.read(new_ruleset.MESSAGES).split("\n") if " quite_new = " in line]
        numbers = {line.split(" = ")[1] for line in lines}
        self.assertEqual((len(lines), len(numbers)), (6, 1))
        self.assertNotIn(f" = {numbers.pop()}", before.split("message Options {")[1].split("\n}")[0])

    def test_names_that_cannot_be_used_change_nothing(self):
        with self.assertRaisesRegex(ValueError, "there is a ruleset quite_new"):
            new_ruleset.begin(self.root, NAMES)
        with self.assertRaisesRegex(ValueError, "the rule ids of goofspiel begin with GOO-"):
            new_ruleset.begin(self.root, new_ruleset.Names("goose", "Goose"))
        for id, title, prefix in (("NoThanks", "No Thanks!", None), ("no_thanks", 'No "Thanks"', None), ("no_thanks", "No Thanks!", "n")):
            with self.assertRaises(ValueError):
                new_ruleset.Names(id, title, prefix)


if __name__ == "__main__":
    unittest.main()
