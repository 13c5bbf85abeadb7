#!/usr/bin/env python3
"""Fails when modules of a crate, or folders of them, import each other in a loop, and when code is named that is not there.

Reads every path that begins with `crate`, `self` or `super`, in `use` items and in the code, and follows it to the
module that it names, also through what a module re-exports. A folder imports what any of its modules imports. What a
`mod.rs` declares or re-exports from below itself is no import. Test modules do not count. Cargo refuses circles of
crates, except through what only tests depend on: those count here too.

Modules that are public and hidden from the documentation are so for the tests beside them: no other folder may use them
from outside the crate. What is re-exported and hidden is so for all tests in the folder of the crate. Tables that name code (`APART`, and the mutants of `tests/mutants.toml`) would check nothing once
the code has another name: what they name must exist. `tests/test_checks.py` plants a fault for each of these.
"""
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

MANIFESTS = sorted(file for place in (".", "*", "proto/python/*", "service/*", "tests/*") for file in Path().glob(f"{place}/Cargo.toml"))
CRATES = [str(manifest.parent / "src") for manifest in MANIFESTS if (manifest.parent / "src").is_dir()]
# Folders whose rooms do not import each other at all.
APART = {"service/games/src": [("handlers",)]}
RE_EXPORT = re.compile(r"pub(?:\([^)]*\))? use ([^;]+);")
HIDDEN = re.compile(r"#\[doc\(hidden\)\]\s*(?:#\[[^\]]*\]\s*)*pub mod (\w+)")
# The files of a ruleset: modules in a hidden one, without a folder of its own.
HIDDEN_FILES = re.compile(r"""#\[doc\(hidden\)\]\s*#\[path = ""\]\s*pub mod \w+ \{(.*?)^\}""", re.S | re.M)
HIDDEN_USE = re.compile(r"#\[doc\(hidden\)\]\s*pub use ([^;]+);")
# Comments and literals, in one pass: a comment can hold quotes, and a literal slashes.
NO_CODE = re.compile(r"""//[^\n]*|r(#+)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\[^']+|[^'\\])'""", re.S)
# A mutant as cargo-mutants names it: the file, what is replaced or deleted and in which function, or which function.
MUTANT = re.compile(r"(?P<file>\S+): (?:replace|delete) (?:(?P<code>.+?)(?: with .+)? in (?P<within>.+?)|(?P<whole>.+?)(?: -> .+)? with .+?)(?: \((?P<nth>\d+)\))?")
PATH = re.compile(r"\b(?:crate|self|super)(?:::\s*(?:\w+|\{[^;]*?\}))+", re.S)


def module_of(root: Path, file: Path) -> tuple[str, ...]:
    parts = list(file.relative_to(root).with_suffix("").parts)
    if parts[-1] in ("mod", "lib", "main"):
        parts.pop()
    return tuple(parts)


def bare(text: str) -> str:
    """The code without comments and literals."""
    return NO_CODE.sub(lambda found: "" if found[0].startswith("//") else '""', text)


def code_of(file: Path) -> str:
    """The code without comments, literals and test modules."""
    text = bare(file.read_text(encoding="utf-8"))
    return re.split(r"#\[cfg\(test\)\]\s*(?:pub\(crate\) )?mod \w+ \{", text)[0]


def leaves(path: str) -> list[tuple[str, ...]]:
    """The paths of a use tree such as `super::{a, b::{c, d}}`."""
    path = re.sub(r"\s+", "", path)
    head, brace, rest = path.partition("{")
    stem = tuple(part for part in head.split("::") if part)
    if not brace:
        return [stem]
    found, depth, item = [], 0, ""
    for letter in rest[: rest.rfind("}")] + ",":
        if letter == "," and depth == 0:
            if item:
                found += [stem + leaf for leaf in leaves(item)]
            item = ""
            continue
        depth += (letter == "{") - (letter == "}")
        item += letter
    return found


def absolute(path: tuple[str, ...], module: tuple[str, ...]) -> tuple[str, ...]:
    """A path from the root of the crate."""
    base = list(module)
    if path[0] == "crate":
        base, path = [], path[1:]
    while path and path[0] in ("self", "super"):
        if path[0] == "super" and base:
            base.pop()
        path = path[1:]
    return (*base, *path)


def re_exports(module: tuple[str, ...], code: str) -> dict:
    """The paths that a module gives other names, or shows as its own: name to path."""
    found = {}
    for tree in RE_EXPORT.findall(code):
        for path in leaves(tree):
            path = path if path[0] in ("crate", "self", "super") else ("self", *path)
            found[(*module, path[-1])] = absolute(path, module)
    return found


def imports(module: tuple[str, ...], code: str, modules: set, exported: dict) -> set:
    found = set()
    for match in PATH.finditer(RE_EXPORT.sub("", code)):
        for path in leaves(match.group()):
            target, seen = absolute(path, module), set()
            while True:
                known = next((target[:end] for end in range(len(target), 0, -1) if target[:end] in exported), None)
                if known is None or known in seen:
                    break
                seen.add(known)
                target = exported[known] + target[len(known) :]
            while target and target not in modules:
                target = target[:-1]
            # A name that stands in no file below the root is a macro.
            if target and target != module:
                found.add(target)
    return found


def rooms_of(edges: dict) -> dict:
    """For each folder, which of its rooms (modules and folders) import which others."""
    folders = defaultdict(lambda: defaultdict(set))
    for module, targets in edges.items():
        for target in targets:
            depth = 0
            while depth < min(len(module), len(target)) and module[depth] == target[depth]:
                depth += 1
            if depth < len(module) and depth < len(target):
                folders[module[:depth]][module[depth]].add(target[depth])
                folders[module[:depth]][target[depth]]
    return folders


def circles(edges: dict) -> list[list]:
    """Strongly connected parts of more than one module (Tarjan)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for other in edges[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while True:
                other = stack.pop()
                on_stack.discard(other)
                part.append(other)
                if other == node:
                    break
            if len(part) > 1:
                found.append(sorted(part))

    for node in edges:
        if node not in index:
            visit(node)
    return found


def crates() -> dict:
    """Which crates depend on which, by name."""
    read = [tomllib.loads(manifest.read_text(encoding="utf-8")) for manifest in MANIFESTS]
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    found = {crate["package"]["name"]: {name for kind in kinds for name in crate.get(kind, {})} for crate in read if "package" in crate}
    return {name: others & set(found) for name, others in found.items()}


def hidden_modules(modules: dict) -> set:
    """The public modules of a crate that its documentation does not show."""
    files = {module: " ".join(HIDDEN_FILES.findall(code)) for module, code in modules.items()}
    found = {(*module, name) for module, code in modules.items() for name in HIDDEN.findall(code)}
    return found | {(*module, name) for module, code in files.items() for name in re.findall(r"pub mod (\w+);", code)}


def hidden_names(modules: dict) -> set:
    """The names that the modules of a crate re-export without showing them in the documentation."""
    return {(*module, path[-1]) for module, code in modules.items() for tree in HIDDEN_USE.findall(code) for path in leaves(tree) if path[-1] != "*"}


def paths_into(crate: str, code: str) -> set:
    """The paths in this code that begin with a crate, or with a name that a `use` item gives to something in it."""
    code = re.sub(r"\s+as\s+(\w+)", r"@\1", bare(code))
    trees = [leaf for tree in re.findall(r"\buse\s+([^;]+);", code) for leaf in leaves(tree)]
    trees += [tuple(re.split(r"\s*::\s*", path)) for path in re.findall(r"\$?\w+(?:\s*::\s*\$?\w+)+", code)]
    names, found, before = {crate: ()}, set(), None
    while before != (len(names), len(found)):
        before = len(names), len(found)
        for path in trees:
            last, _, alias = path[-1].partition("@") if path else ("", "", "")
            whole = (*path[:-1], last)
            if whole[0] in names:
                target = (*names[whole[0]], *whole[1:])
                target = target[:-1] if last == "self" else target
                found.add(target)
                names.setdefault(alias or (target or whole)[-1], target)
    return found


def intrusions(crate: str, root: Path, hidden: dict, files: dict) -> list[str]:
    """Uses of what a crate hides, from outside the folders for which it is public. `files`: the code of each file."""
    found = []
    for file, code in files.items():
        if crate not in code:
            continue
        for path in sorted(paths_into(crate, code)):
            # A macro names every ruleset at once: `$module`.
            into = [
                module
                for module in hidden
                if len(path) >= len(module) and all(part in (known, "*") or re.match(r"\$[a-z]", part) for part, known in zip(path, module))
            ]
            if any(not file.is_relative_to(root.joinpath(*hidden[module])) for module in into):
                found.append(f"{file}: uses {crate}::{'::'.join(path)}, which is public only for the tests beside it")
    return found


def absent_rooms(apart: dict, modules: dict) -> list[str]:
    """Folders in `apart` that do not have several rooms. `modules`: those of each crate."""
    found = []
    for crate, folders in apart.items():
        for folder in folders:
            rooms = {module[len(folder)] for module in modules.get(crate, ()) if len(module) > len(folder) and module[: len(folder)] == folder}
            if len(rooms) < 2:
                found.append(f"{crate}: APART names the rooms of {'::'.join(folder)}, and there are {len(rooms)}")
    return found


def bodies(function: str, code: str) -> list[str]:
    """The functions of this name."""
    found = []
    for match in re.finditer(rf"\bfn {re.escape(function)}\b", code):
        depth, end = 0, match.end()
        # Parameters can have braces too: the body begins with one outside of all parentheses.
        while end < len(code) and (depth or code[end] not in "{;"):
            depth += (code[end] in "([") - (code[end] in ")]")
            end += 1
        while end < len(code):
            depth += (code[end] == "{") - (code[end] == "}")
            end += 1
            if depth == 0:
                break
        found.append(code[match.start() : end])
    return found


def absent_mutants(names: list[str], read) -> list[str]:
    """Mutants whose file, function or code is not there. `read` gives the text of a file, or nothing."""
    found = []
    for name in names:
        mutant = MUTANT.fullmatch(name)
        if not mutant:
            found.append(f"is no name of a mutant: {name}")
            continue
        owner, _, function = re.sub(r"<.*>", "", mutant["within"] or mutant["whole"]).rpartition("::")
        text = read(mutant["file"])
        code = bare(text) if text is not None else ""
        inside = bodies(function, code)
        if owner and not re.search(rf"\b(?:impl|trait)\b[^{{;]*\b{owner}\b", code):
            inside = []
        wanted = (mutant["code"] or "").removeprefix("match guard ")
        # Operators between spaces, as they are formatted: `>` is not the end of `->`.
        times = sum(len(re.findall(rf"(?<!\S){re.escape(bare(wanted))}(?!\S)", body)) for body in inside)
        if text is None or not inside or times < int(mutant["nth"] or 1) and wanted:
            what = "file" if text is None else f"`{wanted}` in {function}" if inside else f"function {function}"
            found.append(f"there is no such {what}: {name}")
    return found


def sources() -> dict:
    """All code of the project."""
    names = subprocess.run(["git", "ls-files", "-z", "*.rs"], check=True, capture_output=True, text=True).stdout.split("\0")
    return {Path(name): Path(name).read_text(encoding="utf-8") for name in names if name and Path(name).is_file()}


def main() -> int:
    sys.setrecursionlimit(10_000)
    count, found, hidden, all_modules = 0, [], {}, {}
    for part in circles(crates()):
        count += 1
        print(f"{len(part)} crates depend on each other: {', '.join(part)}")
    for crate in CRATES:
        root = Path(crate)
        files = [
            file
            for file in root.rglob("*.rs")
            if "tests" not in file.relative_to(root).parts and not file.stem.endswith("tests")
        ]
        modules = {module_of(root, file): code_of(file) for file in files}
        all_modules[crate] = set(modules)
        # For each the folder whose files may use it.
        hidden[crate] = {name: () for name in hidden_names(modules)} | {module: module[:-1] for module in hidden_modules(modules)}
        exported = {}
        for module, code in modules.items():
            exported |= re_exports(module, code)
        exported = {name: path for name, path in exported.items() if name != path}
        edges = {module: imports(module, code, set(modules), exported) for module, code in modules.items()}
        for part in sorted(circles(edges), key=len, reverse=True):
            count += 1
            names = ", ".join("::".join(module) for module in part)
            print(f"{crate}: {len(part)} modules import each other in a loop: {names}")
        for folder, rooms in sorted(rooms_of(edges).items()):
            for part in circles(rooms):
                count += 1
                print(f"{crate}: {len(part)} rooms of {'::'.join(folder) or 'the root'} import each other: {', '.join(part)}")
            for room, others in sorted(rooms.items()):
                if others and folder in APART.get(crate, []):
                    count += 1
                    print(f"{crate}: {'::'.join(folder)}::{room} imports its neighbors: {', '.join(sorted(others))}")
    texts = sources()
    for crate, names in hidden.items():
        if names:
            manifest = tomllib.loads((Path(crate).parent / "Cargo.toml").read_text(encoding="utf-8"))
            found += intrusions(manifest["package"]["name"].replace("-", "_"), Path(crate), names, texts)
    if not any(hidden.values()):
        found.append("no module is hidden: this check does not read what hides them")
    found += absent_rooms(APART, all_modules)
    equivalent = tomllib.loads(Path("tests/mutants.toml").read_text(encoding="utf-8"))["equivalent"]
    mutants = [entry["mutant"] for entry in equivalent]
    found += [f"tests/mutants.toml: {fault}" for fault in absent_mutants(mutants, lambda name: texts.get(Path(name)))]
    print("".join(f"{fault}\n" for fault in found), end="")
    print(f"{count} import circles, {len(found)} uses of hidden modules and names of what is not there")
    return 1 if count or found else 0


if __name__ == "__main__":
    sys.exit(main())
