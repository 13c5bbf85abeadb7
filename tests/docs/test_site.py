"""The site has every page and everything of the contract, and what leads nowhere is found."""

import html
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pages
import reference

ROOT = pages.ROOT
BUILT = ROOT / "target/docs"
SITE = BUILT / "site"
DESCRIPTORS = BUILT / "contract.binpb"


def text_of(page):
    """Returns the text of a page that a reader sees."""
    article = page.read_text().partition("<article")[2].partition("</article>")[0]
    return html.unescape(re.sub(r"<[^>]*>", " ", article))


def navigation():
    """The links beside the first page, by their captions."""
    side = (SITE / "index.html").read_text().partition('class="sidebar-tree"')[2].partition("</aside>")[0]
    captions = re.split(r'<span class="caption-text">([^<]*)</span>', side)[1:]
    return {caption: re.findall(r'href="([^"#]+)"', links) for caption, links in zip(captions[::2], captions[1::2])}


class Pages(unittest.TestCase):
    def test_every_page_is_on_the_site_and_a_path_leads_to_it(self):
        linked = [page for links in navigation().values() for page in links]
        self.assertEqual(len(linked), len(set(linked)))
        wanted = {page.removesuffix(".md") + ".html" for page in pages.pages() if page != pages.README}
        self.assertEqual(wanted - set(linked), set())
        self.assertEqual([page for page in linked if not (SITE / page).exists()], [])

    def test_the_navigation_begins_with_the_five_paths_of_readme(self):
        paths = pages.paths()
        self.assertEqual(len(paths), 5)
        self.assertEqual(list(navigation())[:5], list(paths))
        self.assertEqual(navigation()["Build a front end"][0], "proto/docs/web-board.html")


class Reference(unittest.TestCase):
    def test_it_has_everything_of_the_contract(self):
        for package, files in reference.packages(DESCRIPTORS).items():
            text = " ".join(text_of(SITE / f"reference/{package}.html").split())
            for file in files:
                comments = reference.Comments(file)
                for kind, name, thing, path in reference.declared(file):
                    self.assertIn(f" {name.removeprefix(package + '.')} ", text)
                    part, inner = {
                        "service": (reference.METHODS, "method"),
                        "message": (reference.FIELDS, "field"),
                        "enum": (reference.VALUES, "value"),
                    }[kind]
                    for at, one in enumerate(getattr(thing, inner)):
                        said = words(comments.of(*path, part, at))
                        self.assertIn(f" {one.name} ", text, name)
                        self.assertIn(said, words(text), f"{name}.{one.name}")

    def test_everything_of_the_contract_is_explained(self):
        for files in reference.packages(DESCRIPTORS).values():
            for file in files:
                comments = reference.Comments(file)
                for kind, name, thing, path in reference.declared(file):
                    self.assertTrue(comments.of(*path), name)
                    for at, field in enumerate(thing.field if kind == "message" else ()):
                        self.assertTrue(comments.of(*path, reference.FIELDS, at), f"{name}.{field.name}")


def words(text):
    """Letters and digits alone: marks of Markdown are not shown."""
    return re.sub(r"[^A-Za-z0-9]+", " ", text).strip()


class Links(unittest.TestCase):
    def build(self, text):
        """The site of one more page: what the build says, and whether it passed."""
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "pages"
            folder.mkdir()
            (folder / "index.md").write_text(text)
            command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--conf-dir", str(ROOT / "deploy/docs")]
            built = subprocess.run([*command, folder, f"{place}/site"], capture_output=True, text=True)
            return built.returncode == 0, built.stderr

    def test_a_link_that_leads_nowhere_stops_the_build(self):
        self.assertEqual(self.build("# A page\n\n[Here](#a-page)\n"), (True, ""))
        for link in ("[to nothing](missing.md)", "[to no heading](#nowhere)"):
            passed, said = self.build(f"# A page\n\n{link}\n")
            self.assertFalse(passed, link)
            self.assertIn("index.md:3", said)

    def test_a_link_to_a_file_that_is_not_there_stops_the_build(self):
        with tempfile.TemporaryDirectory() as place, self.assertRaisesRegex(SystemExit, "leads nowhere"):
            here = Path(place)
            (here / "page.md").write_text("[a file](no/such/file.rs)")
            root, pages.ROOT = pages.ROOT, here
            try:
                pages.lay_out("page.md", ["page.md"], here / "out")
            finally:
                pages.ROOT = root


if __name__ == "__main__":
    unittest.main()
