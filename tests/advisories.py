"""Known faults of crates, read from a copy of RustSec's database: a folder with `crates/NAME/RUSTSEC-*.md`."""

import os
import re
import tomllib
from pathlib import Path

VARIABLE = "GAMEKEEPER_ADVISORY_DB"


def database():
    """The folder of the database: the one that is named, or where cargo-deny and cargo-audit keep it."""
    named = os.environ.get(VARIABLE)
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    if named and not (Path(named) / "crates").is_dir():
        raise SystemExit(f"{VARIABLE} names {named}, which has no advisories")
    places = [Path(named)] if named else [*sorted(cargo.glob("advisory-dbs/*")), cargo / "advisory-db"]
    return next((place for place in places if (place / "crates").is_dir()), None)


def faults(folder, packages, ignored):
    """The advisories about these packages (name and version), except those ignored: id, package, title."""
    found = []
    for name, version in sorted(packages):
        for file in sorted((folder / "crates" / name).glob("RUSTSEC-*.md")):
            head, title = read(file.read_text(encoding="utf-8"))
            advisory = head["advisory"]
            if "withdrawn" not in advisory and advisory["id"] not in ignored and is_affected(version, head["versions"]):
                kind = advisory.get("informational", "vulnerability")
                found.append((advisory["id"], f"{name} {version}", f"{kind}: {title}"))
    return found


def read(text):
    """The head of an advisory, and its title."""
    head, _, rest = text.removeprefix("```toml").partition("```")
    title = re.search(r"^# (.*)$", rest, re.M)
    return tomllib.loads(head), title.group(1) if title else ""


def is_affected(version, versions):
    healthy = versions.get("patched", []) + versions.get("unaffected", [])
    return not any(all(is_met(version, part) for part in one.split(",")) for one in healthy)


def key(version):
    """Versions in their order; a pre-release comes before its release."""
    numbers, _, pre = version.split("+")[0].partition("-")
    numbers = [int(number) for number in numbers.split(".")]
    parts = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in pre.split("."))
    return (*numbers, 0, 0)[:3], pre == "", parts if pre else ()


def is_met(version, requirement):
    """Does a version meet a requirement such as `>= 1.2` or `^0.3`?"""
    sign, bound = re.fullmatch(r"\s*(>=|<=|>|<|=|\^)?\s*([\w.+-]+)\s*", requirement).groups()
    this, that = key(version), key(bound)
    if sign in (None, "^"):
        # The first number that is not 0 must stay.
        given = [int(number) for number in bound.split("-")[0].split(".")]
        fixed = next((at for at, number in enumerate(given) if number), len(given) - 1) + 1
        return this >= that and this[0][:fixed] == that[0][:fixed]
    if sign == "=":
        return this[0][: bound.count(".") + 1] == that[0][: bound.count(".") + 1] and this[1:] == that[1:]
    return {">=": this >= that, "<=": this <= that, ">": this > that, "<": this < that}[sign]


def self_test():
    met = [("1.2.3", ">= 1.2"), ("1.2.3", "< 1.10"), ("0.3.9", "^0.3.1"), ("1.9.0", "^ 1"), ("1.0.0", "> 1.0.0-rc.2"), ("0.0.4", "^0.0.4"), ("2.0.0", "=2.0.0")]
    unmet = [("1.2.3", "> 1.2.3"), ("0.4.0", "^0.3.1"), ("2.0.0", "1.4"), ("1.0.0-rc.1", ">= 1.0.0"), ("0.0.5", "^0.0.4"), ("2.0.1", "=2.0.0")]
    for version, requirement in met:
        assert is_met(version, requirement), (version, requirement)
    for version, requirement in unmet:
        assert not is_met(version, requirement), (version, requirement)
    head, title = read('```toml\n[advisory]\nid = "RUSTSEC-1"\n[versions]\npatched = [">= 1.4, < 2", ">= 2.1"]\n```\n\n# A fault\n')
    assert title == "A fault"
    affected = [version for version in ("1.3.9", "1.4.0", "2.0.9", "2.1.0") if is_affected(version, head["versions"])]
    assert affected == ["1.3.9", "2.0.9"], affected
