"""The workflows call commands that exist, with as few rights as they need."""

import re
import unittest

import yaml
from manifests import ROOT

FOLDER = ROOT / ".github/workflows"
WORKFLOWS = {path.name: yaml.safe_load(path.read_text()) for path in sorted(FOLDER.glob("*.yml"))}


def steps():
    """The steps of all jobs, with the names of workflow and job."""
    for name, workflow in WORKFLOWS.items():
        for job, described in workflow["jobs"].items():
            for step in described["steps"]:
                yield f"{name}, {job}", step


class Workflows(unittest.TestCase):
    def test_check_docs_and_release_are_there(self):
        self.assertEqual(list(WORKFLOWS), ["check.yml", "docs.yml", "release.yml"])

    def test_files_that_steps_name_exist(self):
        named = 0
        for where, step in steps():
            for path in re.findall(r"(?:^|[\s=/])((?:\.ci|deploy|tests|proto)/[\w./-]+)", step.get("run", "")):
                named += 1
                self.assertTrue((ROOT / path).exists(), f"{where}: {path}")
        self.assertGreaterEqual(named, 3)

    def test_packages_that_steps_build_exist(self):
        manifests = [path.read_text() for path in (*ROOT.glob("service/*/Cargo.toml"), ROOT / "client-cli/Cargo.toml")]
        names = {re.search(r'^name = "(.*)"$', text, re.M).group(1) for text in manifests}
        built = {name for _, step in steps() for name in re.findall(r"-p (\S+)", step.get("run", ""))}
        self.assertTrue(built)
        self.assertLessEqual(built, names)

    def test_a_workflow_may_only_read_unless_a_job_says_more(self):
        for name, workflow in WORKFLOWS.items():
            self.assertEqual(workflow["permissions"], {"contents": "read"}, name)

    def test_every_job_ends(self):
        for name, workflow in WORKFLOWS.items():
            for job, described in workflow["jobs"].items():
                self.assertIn("timeout-minutes", described, f"{name}, {job}")


if __name__ == "__main__":
    unittest.main()
