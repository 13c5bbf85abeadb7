"""A tree with many mutants, each behind a switch, and the programs that are built of it."""
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VERSION = "27.1.0"
HOME = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "mutants"
# The last commit, the same with mutants, and what is built of that.
TREE, WOVEN, BUILD = HOME / "tree", HOME / "woven", HOME / "build"
# Files that are tests themselves, or only serve tests.
NO_TESTS = re.compile(r"(^|/)(tests|audit|conformance)(/|\.rs$)|tests\.rs$")

# The switch, in each crate with mutants. Not an item of the project: its variables have names of their own.
SWITCH = """
/// Which mutant is on.
pub mod mutant_switch {
    use std::io::Write as _;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    static ON: LazyLock<u32> = LazyLock::new(|| std::env::var("MUTANT_ON").ok().and_then(|on| on.parse().ok()).unwrap_or(0));
    static NOTES: LazyLock<Option<std::ffi::OsString>> = LazyLock::new(|| std::env::var_os("MUTANTS_REACHED"));
    static REACHED: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];

    pub fn on(number: u32) -> bool {
        if let Some(notes) = &*NOTES {
            let known = &REACHED[number as usize];
            if !known.load(Ordering::Relaxed) && !known.swap(true, Ordering::Relaxed) {
                let file = std::fs::OpenOptions::new().create(true).append(true).open(notes);
                let _ = file.and_then(|mut file| file.write_all(format!("{number}\\n").as_bytes()));
            }
        }
        *ON == number
    }
}
"""
# A mutant that a lint forbids is one all the same.
LINTS = "#![allow(warnings, arithmetic_overflow, unconditional_panic, unconditional_recursion, overflowing_literals)]\n"


# 0: none is on.
NUMBERS = count(1)
# Where cargo starts the tests of each program: in the folder of its crate.
FOLDERS = {}


@dataclass(eq=False)
class Mutant:
    number: int
    name: str  # keeps its meaning when lines move
    shown: str
    about: dict = field(repr=False)


def environment(**more):
    """The environment of programs: nothing that makes a test accept what it finds, and always the same luck."""
    kept = {name: value for name, value in os.environ.items() if name != "GAMEKEEPER_UPDATE"}
    fixed = {"CARGO_TARGET_DIR": str(BUILD), "CARGO_PROFILE_DEV_DEBUG": "none", "INSTA_UPDATE": "no", "INSTA_FORCE_PASS": "0", "INSTA_WORKSPACE_ROOT": str(WOVEN)}
    return {**kept, **fixed, "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1", "PROPTEST_RNG_SEED": "1", **more}


@cache
def cargo(*arguments):
    """Builds in the tree; the programs of its tests. `BuildFailed` if a mutant breaks the build."""
    command = ["cargo", *arguments[:1], "--message-format=json", *arguments[1:]]
    ended = subprocess.run(command, cwd=WOVEN, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    messages = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    if ended.returncode != 0:
        errors = [message["message"] for message in messages if message["reason"] == "compiler-message" and message["message"]["level"] == "error"]
        raise BuildFailed(errors, ended.stderr)
    programs = [message for message in messages if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]]
    FOLDERS.update((message["executable"], Path(message["manifest_path"]).parent) for message in programs)
    return [message["executable"] for message in programs]


class BuildFailed(Exception):
    def __init__(self, errors, text):
        super().__init__(text)
        self.errors = errors


def program():
    """cargo-mutants, installed below target/ if it is missing."""
    place = Path(os.environ.get("GAMEKEEPER_TEST_TOOLS", ROOT / "target/test-tools")) / "mutants"
    if not (place / "bin/cargo-mutants").exists():
        subprocess.run(["cargo", "install", "--quiet", "--locked", "--root", place, f"cargo-mutants@{VERSION}"], check=True)
    return place / "bin/cargo-mutants"


def mutants(folders, file):
    """All mutants of these folders, in the order of their names. Of several with one name each but the first has a number."""
    wanted = [argument for folder in folders for argument in ("--file", f"{folder}/**/*.rs")]
    command = [program(), "mutants", "--workspace", "--list", "--json", "--no-config", *wanted]
    listed = json.loads(subprocess.run(command, cwd=TREE, check=True, capture_output=True, text=True).stdout)
    kept = [about for about in listed if not NO_TESTS.search(about["file"]) and (file is None or about["file"].endswith(file))]
    times = Counter()
    for about in sorted(kept, key=lambda about: (about["file"], place(about))):
        name = re.sub(r":\d+:\d+:", ":", about["name"])
        times[name] += 1
        yield Mutant(next(NUMBERS), name if times[name] == 1 else f"{name} ({times[name]})", about["name"], about)


def place(about):
    start = about["span"]["start"]
    return start["line"], start["column"]


def prepare():
    """The last commit, as it is."""
    if TREE.exists():
        subprocess.run(["git", "checkout", "--quiet", "--force", "--detach", commit()], cwd=TREE, check=True)
        return
    HOME.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
    subprocess.run(["git", "worktree", "add", "--quiet", "--detach", TREE, commit()], cwd=ROOT, check=True)


@cache
def commit():
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


@cache
def schemata():
    """The program that puts mutants into a tree."""
    subprocess.run(["cargo", "build", "--quiet", "-p", "gamekeeper-schemata"], cwd=ROOT, env=environment(), check=True)
    return BUILD / "debug/gamekeeper-schemata"


def woven(sample):
    """The files with these mutants, and the mutants that cannot be there, by number with the reason."""
    wanted = [{"number": one.number, **{key: one.about[key] for key in ("file", "genre", "replacement", "span")}} for one in sample]
    ended = subprocess.run([schemata(), TREE], input=json.dumps(wanted), check=True, capture_output=True, text=True)
    answer = json.loads(ended.stdout)
    return answer["files"], {int(number): reason for number, reason in answer["left_out"].items()}


def weave(sample):
    """Makes the tree with these mutants. What is as it was before stays untouched, so that it is not built again."""
    cargo.cache_clear()
    files, _ = woven(sample)
    for crate in {re.match(r".*?/src/", one.about["file"]).group() for one in sample}:
        root = f"{crate}lib.rs"
        files[root] = LINTS + files.get(root, (TREE / root).read_text(encoding="utf-8")) + SWITCH
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TREE, check=True, capture_output=True, text=True).stdout
    names = set(filter(None, listed.split("\0")))
    for name in names:
        source, copy = TREE / name, WOVEN / name
        if not source.is_file():
            continue
        text = files[name].encode() if name in files else source.read_bytes()
        if not copy.exists() or copy.read_bytes() != text:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(text)
            copy.chmod(source.stat().st_mode)
    # Left by a test, or of a commit before.
    for copy in WOVEN.rglob("*"):
        if copy.is_file() and str(copy.relative_to(WOVEN)) not in names:
            copy.unlink()


MARK = re.compile(rb"/\*(\d+)\[\*/|/\*\](\d+)\*/")


def to_blame(errors):
    """The mutants in whose code the errors are."""
    found = set()
    for error in errors:
        spans = sorted(error["spans"], key=lambda span: not span["is_primary"])
        blamed = next(filter(None, map(blamed_at, spans)), set())
        # A match that lacks an arm now: the error is at what it looks at, before its arms.
        if not blamed and (error["code"] or {}).get("code") == "E0004":
            blamed = arm_after(spans[0])
        found |= blamed
        if not blamed and spans:
            print(f"nobody to blame: {error['rendered']}", file=sys.stderr)
    return found


ARM = re.compile(rb"/\*(\d+)\[\*/!")


def arm_after(span):
    """The mutant that takes the next arm away."""
    arm = ARM.search((WOVEN / span["file_name"]).read_bytes(), span["byte_end"])
    return {int(arm[1])} if arm else set()


def blamed_at(span):
    """Returns the innermost mutants whose code has this place within it, else those whose code is within this place."""
    code = (WOVEN / span["file_name"]).read_bytes() if (WOVEN / span["file_name"]).exists() else b""
    begin, end = span["byte_start"], span["byte_end"]
    around, within, open_marks = None, set(), []
    for mark in MARK.finditer(code):
        if mark[1]:
            open_marks.append((int(mark[1]), mark.start()))
            continue
        number, start = open_marks.pop()
        if start <= begin and end <= mark.end() and around is None:
            around = number
        if begin <= start and mark.end() <= end:
            within.add(number)
    return {around} if around else within


def build(wanted):
    """Builds the tests of each scope, with all mutants but those that do not compile: for each scope its tests, and these mutants."""
    record = HOME / "not-compiled.json"
    known = set(json.loads(record.read_text())) if record.exists() else set()
    while True:
        wanted = [(suite, [mutant for mutant in left if mutant.about["diff"] not in known]) for suite, left in wanted]
        weave([mutant for _, left in wanted for mutant in left])
        try:
            return [(list(suite.tests()), left) for suite, left in wanted]
        except BuildFailed as failed:
            blamed = to_blame(failed.errors)
            if not blamed:
                sys.exit(f"the build fails, and not by a mutant:\n{failed}")
            print(f"{len(blamed)} mutants do not compile", flush=True)
            known |= {mutant.about["diff"] for _, left in wanted for mutant in left if mutant.number in blamed}
            record.write_text(json.dumps(sorted(known)))
