"""Lays out the pages of the project for the site: as they are, in the folders where they are, so that their links hold.

README.md says in its table of five paths which pages there are, in which order; rulesets, the reference of the contract and
everything else follow.

    pages.py DESCRIPTORS FOLDER
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import reference

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
README = "README.md"


def pages() -> list[str]:
    """All pages, by their paths."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return sorted(page for page in found if not page.startswith("deploy/docs/"))


def target(page: str, link: str) -> str:
    """The file of a link, from the root."""
    return os.path.normpath(os.path.join(os.path.dirname(page), link.partition("#")[0]))


def is_outside(link: str) -> bool:
    return link.startswith(("http:", "https:", "mailto:", "#"))


def lay_out(page: str, every: list[str], folder: Path) -> None:
    """Copies a page, and the files that it links to."""

    def shown(match: re.Match[str]) -> str:
        text, link = match.groups()
        if is_outside(link) or (file := target(page, link)) in every:
            return match[0]
        if not (ROOT / file).exists():
            raise SystemExit(f"{page}: {link} leads nowhere")
        # A folder is nothing that a site could show: its name says where it is.
        if (ROOT / file).is_dir():
            return f"{text[1:-1]} (`{file}`)"
        copy(file, folder)
        return match[0]

    text = (ROOT / page).read_text()
    place = folder / ("index.md" if page == README else page)
    place.parent.mkdir(parents=True, exist_ok=True)
    text = LINK.sub(shown, text)
    # README is the first page of the site.
    home = re.compile(r"\]\(((?:\.\./)*)README\.md(#[^)]*)?\)")
    is_home = lambda match: target(page, match[1] + README) == README  # noqa: E731
    text = home.sub(lambda match: f"]({match[1]}index.md{match[2] or ''})" if is_home(match) else match[0], text)
    place.write_text(text)


def copy(file: str, folder: Path) -> None:
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / file, folder / file)


def paths() -> dict[str, list[str]]:
    """The five paths of README, each with its pages."""
    rows = re.findall(r"(?m)^\| ([^|]+) \| (\[[^|]*) \|$", (ROOT / README).read_text())
    found = {}
    for aim, row in rows:
        links = [link for _, link in LINK.findall(row) if not is_outside(link)]
        found[aim[0].upper() + aim[1:]] = links
    return found


def contents(every: list[str], packages: list[str]) -> dict[str, list[str]]:
    """All pages by the headings of the navigation, each once."""
    headings = paths()
    headings["Rulesets"] = [page for page in every if page.startswith("service/rules/")]
    headings["Contract"] = [f"reference/{package}.md" for package in packages]
    known = {README, *(page for pages in headings.values() for page in pages)}
    headings["More"] = [page for page in every if page not in known]
    seen = set()
    return {heading: [page for page in pages if not (page in seen or seen.add(page))] for heading, pages in headings.items()}


def main(descriptors: Path, folder: Path) -> None:
    every = pages()
    for page in every:
        lay_out(page, every, folder)
    packages = reference.write(descriptors, folder / "reference")
    with (folder / "index.md").open("a") as index:
        for heading, inside in contents(every, packages).items():
            lines = [page.removesuffix(".md") for page in inside]
            index.write("\n".join(["", "```{toctree}", ":hidden:", f":caption: {heading}", "", *lines, "```", ""]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
