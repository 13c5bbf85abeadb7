"""Tests of programs with mutants: which mutants they reach, whether they notice one, and what was found so far."""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

from weaving import FOLDERS, HOME, WOVEN, environment

# A mutant may take that many times as long as healthy code, and at least these seconds: of a processor, and on the clock,
# where it may wait for a machine that is busy. After that it has no end.
PATIENCE, LEAST, LEAST_WAIT = 10, 10, 120
# An hour, in which healthy code has ended.
LONG = 3600
# What a mutant may use of memory, in bytes: one that collects without end must not take the machine along.
MEMORY = 6 << 30
# A test that takes no more seconds is quick: it is asked before the others.
QUICK = 0.4


@dataclass
class Test:
    """A test of a program, or the sessions of a file."""

    name: str
    command: list
    seconds: float = 0.0  # of a processor
    waited: float = 0.0  # on the clock
    reaches: set = field(default_factory=set)
    noticed: int = 0
    tried: int = 0

    def promise(self):
        """How many mutants it may notice in a second."""
        return (self.noticed + 1) / (self.tried + 2) / (self.seconds + 0.05)


class Running:
    """The programs that run now. What they have started is in the group of each, and ends with it."""

    def __init__(self):
        self.groups, self.lock, self.is_over = set(), threading.Lock(), False

    def start(self, command, seconds, **how):
        with self.lock:
            if self.is_over:
                sys.exit("stopped")
            program = subprocess.Popen(command, start_new_session=True, preexec_fn=lambda: limited(seconds), **how)
            self.groups.add(program.pid)
        return program

    def end(self, group):
        with self.lock:
            self.groups.discard(group)
            kill(group)

    def end_all(self, number, _frame):
        """On a signal: a run that is stopped leaves no program behind."""
        # Whoever starts one just now holds the lock for a moment.
        self.lock.acquire(timeout=5)
        self.is_over = True
        for group in self.groups:
            kill(group)
        os._exit(128 + number)


RUNNING = Running()


def kill(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def limited(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(test, seconds, wait, **told):
    """Runs a test: does it pass, and how many seconds of a processor did it take? None: it does not end in time."""
    with tempfile.TemporaryFile() as said:
        folder = FOLDERS.get(test.command[0], WOVEN)
        how = {"cwd": folder, "env": environment(CARGO_MANIFEST_DIR=str(folder), **told), "stdin": subprocess.DEVNULL, "stdout": said, "stderr": said}
        started = RUNNING.start(test.command, seconds, **how)
        is_late = threading.Event()
        alarm = threading.Timer(wait, lambda: (is_late.set(), kill(started.pid)))
        alarm.start()
        try:
            _, status, used = os.wait4(started.pid, 0)
        finally:
            alarm.cancel()
            RUNNING.end(started.pid)
        started.returncode = os.waitstatus_to_exitcode(status)
        passed = None if is_late.is_set() or started.returncode == -signal.SIGXCPU else started.returncode == 0
        return passed, used.ru_utime + used.ru_stime


def passes(test, **told):
    """Returns whether a test passes with this mutant, or `None` if it does not end in time."""
    seconds, wait = (max(least, int(PATIENCE * took)) for least, took in ((LEAST, test.seconds), (LEAST_WAIT, test.waited)))
    return run(test, seconds, wait, **told)[0]


def observed(numbered):
    """Runs a test of healthy code: how long it takes, and what it reaches. Does it pass?"""
    number, test = numbered
    notes = HOME / f"reached-{os.getpid()}-{number}"
    notes.write_bytes(b"")
    begun = time.monotonic()
    passed, test.seconds = run(test, LONG, LONG, MUTANTS_REACHED=str(notes))
    test.waited = time.monotonic() - begun
    test.reaches = {int(line) for line in notes.read_text().split()}
    notes.unlink()
    return passed


def observe(tests, jobs):
    """Runs every test of healthy code. It must pass: alone, if not beside others."""
    with ThreadPoolExecutor(jobs) as pool:
        passed = list(pool.map(observed, enumerate(tests)))
    failed = [test for test, passed in zip(tests, passed) if not passed]
    failed = [test.name for test in failed if not observed((0, test))]
    if failed:
        sys.exit("the code as it is fails: " + ", ".join(failed))


def noticed_by(mutant, tests):
    """The first test that notices the mutant, and how; None if there is none."""
    asked = sorted((test for test in tests if mutant.number in test.reaches), key=Test.promise, reverse=True)
    for test in asked:
        passed = passes(test, MUTANT_ON=str(mutant.number))
        test.tried += 1
        if not passed:
            test.noticed += 1
            return {"result": "noticed" if passed is False else "no end", "by": test.name}
    return {"result": "missed", "by": None, "reached_by": len(asked)}


def ask(tests, able, record, title, jobs):
    """Asks these tests about mutants, and writes down what becomes of each as soon as it is known. Those that they miss."""
    left = [mutant for mutant in able if not record.knows(mutant, title)]
    with ThreadPoolExecutor(jobs) as pool:
        asked = {pool.submit(noticed_by, mutant, tests): mutant for mutant in left}
        for done in as_completed(asked):
            record.note(asked[done], title, done.result())
    return [mutant for mutant in able if record.result(mutant) == "missed"]


class Record:
    """The results of the mutants of a sample, a line for each answer; the last line about a mutant counts.

    A run that was stopped goes on where it was, if the commit is the same.
    """

    def __init__(self, path, commit):
        self.path, self.found, self.asked = path, {}, set()
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        if lines[:1] == [{"commit": commit}]:
            for line in lines[1:]:
                self.found[line["mutant"]] = line
                self.asked.add((line["mutant"], line["asked"]))
        else:
            path.write_text(json.dumps({"commit": commit}) + "\n")

    def knows(self, mutant, title):
        return (mutant.name, title) in self.asked

    def result(self, mutant):
        return self.found[mutant.name]["result"] if mutant.name in self.found else "not compiled"

    def note(self, mutant, title, answer):
        line = {"mutant": mutant.name, "at": mutant.shown, "asked": title, **answer, "diff": mutant.about["diff"]}
        self.found[mutant.name] = line
        self.asked.add((mutant.name, title))
        with self.path.open("a") as lines:
            lines.write(json.dumps(line) + "\n")
