#!/usr/bin/env python3
"""Fails when modules of a crate import each other in a loop.

Reads every path that begins with `crate`, `self` or `super`, in `use` items and in the code, and follows it to the
module that it names. What a `mod.rs` declares or re-exports from below itself is no import. Test modules do not count.
"""
import re
import sys
from pathlib import Path

CRATES = ["service/rules/src", "service/wire/src", "service/server/src", "client-cli/src", "proto/src"]
PATH = re.compile(r"\b(?:crate|self|super)(?:::\s*(?:\w+|\{[^;]*?\}))+", re.S)


def module_of(root: Path, file: Path) -> tuple[str, ...]:
    parts = list(file.relative_to(root).with_suffix("").parts)
    if parts[-1] in ("mod", "lib", "main"):
        parts.pop()
    return tuple(parts)


def code_of(file: Path) -> str:
    """The code without comments, literals, re-exports and test modules."""
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text, flags=re.S)
    text = re.split(r"#\[cfg\(test\)\]\s*(?:pub\(crate\) )?mod \w+ \{", text)[0]
    return re.sub(r"pub(?:\([^)]*\))? use [^;]+;", "", text)


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


def imports(module: tuple[str, ...], code: str, modules: set) -> set:
    found = set()
    for match in PATH.finditer(code):
        for path in leaves(match.group()):
            base = list(module)
            if path[0] == "crate":
                base, path = [], path[1:]
            while path and path[0] in ("self", "super"):
                if path[0] == "super" and base:
                    base.pop()
                path = path[1:]
            target = tuple(base) + tuple(path)
            while target and target not in modules:
                target = target[:-1]
            # A module may name what stands below it; a name that stands in no file below the root is a macro.
            if target and target != module:
                found.add(target)
    return found


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


def main() -> int:
    sys.setrecursionlimit(10_000)
    count = 0
    for crate in CRATES:
        root = Path(crate)
        files = [
            file
            for file in root.rglob("*.rs")
            if "tests" not in file.relative_to(root).parts and not file.stem.endswith("tests")
        ]
        modules = {module_of(root, file): file for file in files}
        edges = {module: imports(module, code_of(file), set(modules)) for module, file in modules.items()}
        for part in sorted(circles(edges), key=len, reverse=True):
            count += 1
            names = ", ".join("::".join(module) for module in part)
            print(f"{crate}: {len(part)} modules import each other in a loop: {names}")
    print(f"{count} import circles")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
