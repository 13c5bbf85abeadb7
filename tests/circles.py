#!/usr/bin/env python3
"""Fails when modules of a crate, or folders of them, import each other in a loop.

Reads every path that begins with `crate`, `self` or `super`, in `use` items and in the code, and follows it to the
module that it names, also through what a module re-exports. A folder imports what any of its modules imports. What a
`mod.rs` declares or re-exports from below itself is no import. Test modules do not count. Cargo refuses circles of
crates, except through what only tests depend on: those count here too.
"""
import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

MANIFESTS = sorted(file for place in (".", "*", "proto/python/*", "service/*", "tests/*") for file in Path().glob(f"{place}/Cargo.toml"))
CRATES = [str(manifest.parent / "src") for manifest in MANIFESTS if (manifest.parent / "src").is_dir()]
# Folders whose rooms do not import each other at all.
APART = {"service/games/src": [("verbs",)]}
RE_EXPORT = re.compile(r"pub(?:\([^)]*\))? use ([^;]+);")
PATH = re.compile(r"\b(?:crate|self|super)(?:::\s*(?:\w+|\{[^;]*?\}))+", re.S)


def module_of(root: Path, file: Path) -> tuple[str, ...]:
    parts = list(file.relative_to(root).with_suffix("").parts)
    if parts[-1] in ("mod", "lib", "main"):
        parts.pop()
    return tuple(parts)


def code_of(file: Path) -> str:
    """The code without comments, literals and test modules."""
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text, flags=re.S)
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


def main() -> int:
    sys.setrecursionlimit(10_000)
    count = 0
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
    print(f"{count} import circles")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
