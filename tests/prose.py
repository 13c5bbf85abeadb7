#!/usr/bin/env python3
"""Fails when prose says what it must not: phrases that read as translated, comments without a subject, misspellings, links to nowhere.

Reads every text that is tracked by git, comments and strings of the code included. `tests/test_checks.py` plants faults. $1: the spell checker `typos`, which
uses its own word list for US English and `tests/prose.toml` for the words that are right here.
"""
import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Whose text is not ours to change.
FOREIGN = re.compile(
    r"(^|/)LICENSE"  # the licenses
    r"|^service/rules/src/\w+/rules(_promos)?\.md$"  # rule documents, as they were handed to us
    r"|^service/rules/src/\w+/data\.json$"  # and their data
    r"|^tests/(data|conformance/.*\.jsonl$)|^service/wire/tests/golden/.*\.(txt|snap|bin|json|jsonl)$"  # records of what a build once said
    r"|\.lock$|package-lock\.json$|^proto/released\.binpb$|\.snap(?:\.svg)?$|^service/server/playground/dist/|\.png$"  # made by tools
    r"|^tests/(prose\.(py|toml)|test_checks\.py)$"  # this list, and the faults that its tests plant
)

# A phrase, and what to write instead.
PHRASES = {
    r"\b(he|him|his|himself)\b": "they, them, their; or name the player, the caller, the client",
    r"\bso (many|much|long|often)\b(?! that\b)": "this many, at most N, a number of ...",
    r"\b(is|are|was|were) told\b": "gets, receives, is reported; name who does it",
    r"\bWho (has|may|asks|acts|calls|wants|goes)\b[^.?:;]*\b(gets|needs?|hears)\b": "a caller that ..., callers without ...",
    r"\bas (\w+ )?as may be\b": "the maximum, as many as the limit allows",
    r"\bfor ever\b": "forever, indefinitely, without limit",
    r"\bstands? before\b": "precedes, comes before",
    r"\bcancelled\b(?!\()": "canceled (the code of gRPC has two l)",
    r"\b(mis)?spelt\b": "spelled, misspelled",
    r"\bcentre\b|\bbehaviour\b|\bcolours?\b|\bfavour\w*|\bhonour\w*": "US spelling",
}

# Exceptions, each with its reason: path, phrase, why.
EXCEPTIONS: list[tuple[str, str, str]] = []

# How a documentation comment, or a paragraph of it, must not begin: the reader does not see yet what the word stands for.
PRONOUN = re.compile(r"(?:That|Those|These|What|Whatever|Who|Whose|Whom|Whoever|It|Its|They|Them|Their|(?:The )?[Ss]ame)\b")
# What is wrong in a documentation comment, wherever it stands, and what to write instead.
UNCLEAR = {
    r"`(?:None|Some|Ok|Err|true|false)(?:\([^`]*\))?`: ": "a sentence: \"Returns `None` if ...\", \"Is `None` while ...\"",
    r"(?<=[.:;] )The same, ": "link what it is like, and say the difference",
}
# A question instead of a noun: "Where.", "By whom.", "How many, at most 3."
FRAGMENT = re.compile(r"(?:Where|Which|How|When|Why|(?:At|By|For|From|In|Of|On|To|With) (?:whom|whose|what|which|where))(?: \w+){0,2}[.,:;]")
# The contract and its clients in TypeScript and JavaScript, which are read as reference, begin no comment with these at all.
REFERENCE = (".proto", ".ts", ".mts", ".tsx", ".js", ".mjs")
ASKING = re.compile(r"(?:Where|Which|How|Why)\b")
QUESTION = re.compile(r"(?:True|False): |(?:Is|Are|Does|Do|Did|Has|Have|May|Can|Must|Should|Will|Was|Were)\b[^.]*\?")

# What people who see no code must not find in the description of an option: code, constants, names of fields.
CODE = re.compile(r"`|[A-Z]_|[a-z]_[a-z]")

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [ROOT / name for name in names.split("\0") if name and not FOREIGN.search(name)]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()[:1024]]


def phrases(path: Path, text: str) -> list[str]:
    name, found = str(path.relative_to(ROOT)), []
    for number, line in enumerate(text.splitlines(), 1):
        for phrase, better in PHRASES.items():
            for hit in re.finditer(phrase, line, 0 if "Who" in phrase or "cancelled" in phrase else re.IGNORECASE):
                if not any(name == where and hit[0].lower() == what for where, what, _ in EXCEPTIONS):
                    found.append(f"{name}:{number}: \"{hit[0]}\": {better}")
    return found


def documentation(path: Path, text: str) -> list[tuple[int, list[str]]]:
    """The paragraphs and list items of documentation comments: of each, the number of its first line, and its lines."""
    if path.suffix == ".rs":
        found = [re.match(r"\s*(?://[/!](?!/))(.*)", line) for line in text.splitlines()]
        lines = [(number, match[1].strip() if match else "") for number, match in enumerate(found, 1)]
    elif path.suffix == ".proto":
        lines = []
        for number, line in enumerate(text.splitlines(), 1):
            # Every comment documents the contract, also one beside a field, which does not go on in the next line.
            match = re.match(r'((?:[^"/]|"[^"]*"|/(?!/))*)//(.*)', line)
            beside = [(0, "")] if match and match[1].strip() else []
            lines += [*beside, (number, match[2].strip() if match else ""), *beside]
    elif path.suffix in REFERENCE:
        lines = []
        for match in re.finditer(r"^[ \t]*/\*\*(.*?)\*/", text, re.M | re.S):
            first = text.count("\n", 0, match.start(1)) + 1
            lines += [(number, line.strip().removeprefix("*").strip()) for number, line in enumerate(match[1].split("\n"), first)]
            lines.append((0, ""))
    elif path.suffix in (".py", ".pyi") or text.startswith("#!/usr/bin/env python3"):
        lines = []
        for node in ast.walk(ast.parse(text)):
            # Those of attributes too: they stand below an assignment.
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                lines += [*enumerate(inspect.cleandoc(node.value.value).splitlines(), node.lineno), (0, "")]
    else:
        return []
    paragraphs, code = [[]], False
    for number, line in lines:
        code ^= line.startswith("```")
        if not line or code or line.startswith("```"):
            paragraphs.append([])
        elif re.match(r"[*-] ", line):
            paragraphs.append([(number, line[2:])])
        else:
            paragraphs[-1].append((number, line))
    return [(paragraph[0][0], [line for _, line in paragraph]) for paragraph in paragraphs if paragraph]


def comments(path: Path, text: str) -> list[str]:
    """Documentation comments that say nothing to somebody who does not see the code."""
    name, found = str(path.relative_to(ROOT)), []
    for first, lines in documentation(path, text):
        if match := PRONOUN.match(lines[0]):
            found.append(f"{name}:{first}: begins with \"{match[0]}\": begin with a verb in the third person, or with an article and its noun")
        if match := FRAGMENT.match(lines[0]) or path.suffix in REFERENCE and ASKING.match(lines[0]):
            found.append(f"{name}:{first}: \"{match[0]}\": name the thing: the space, the number of cards, the reason")
        if match := QUESTION.match(" ".join(lines)):
            found.append(f"{name}:{first}: \"{match[0]}\": \"Returns whether ...\", \"Whether ...\"")
        for number, line in enumerate(lines, first):
            for words, better in UNCLEAR.items():
                found += [f"{name}:{number}: \"{match[0]}\": {better}" for match in re.finditer(words, line)]
    return found


def options(path: Path, text: str) -> list[str]:
    """Comments of options that contain code: forms and pages show them to people."""
    name, found, within = str(path.relative_to(ROOT)), [], False
    for number, line in enumerate(text.splitlines() if path.suffix == ".proto" else [], 1):
        within = path.name == "options.proto" or (within or re.match(r"message \w*Options \{", line)) and line != "}"
        if within and (match := re.match(r"\s*//.*?(" + CODE.pattern + ")", line)):
            found.append(f"{name}:{number}: \"{match[1]}\": options are described to people: their titles and words instead of code")
    return found


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them of its headings."""
    lines = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S).splitlines()
    titles = [line.lstrip("#").strip().lower() for line in lines if re.match(r"#+ ", line)]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def links(path: Path, text: str) -> list[str]:
    """Links of a page to files or headings that do not exist."""
    found = []
    for match in LINK.finditer(re.sub(r"```.*?```", "", text, flags=re.S)):
        target = path.parent / match[1] if match[1] else path
        if "://" in match[0]:
            continue
        if not target.exists() or match[2] and match[2] not in headings(target):
            found.append(f"{path.relative_to(ROOT)}: links to {match[1]}#{match[2] or ''}")
    return found


def main(typos: str) -> int:
    faults, paths = [], tracked()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        faults += phrases(path, text) + comments(path, text) + options(path, text)
        if path.suffix == ".md":
            faults += links(path, text)
    print("\n".join(faults))
    config = ["--config", "tests/prose.toml", "--format", "brief", "--force-exclude"]
    names = [str(path.relative_to(ROOT)) for path in paths]
    spelling = subprocess.run([typos, *config, *names], cwd=ROOT, check=False)
    print(f"{len(paths)} texts, {len(faults)} phrases, comments and links")
    return 1 if faults or spelling.returncode else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
