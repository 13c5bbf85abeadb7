"""The image is built as README says, holds nothing but the server, and runs."""

import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import grpc
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from manifests import ROOT
from test_running import SERVING, free_port

# In bytes. What tests/run builds is made to be built quickly, and is much larger than what is shipped: most of it is built
# without optimization, and half is the library for networks.
LARGEST_IMAGE = 20_000_000 if "release" in Path(os.environ["GAMEKEEPERD"]).parts else 150_000_000
USER = 65532


class Image(unittest.TestCase):
    """Needs buildah and, to enter the image, root."""

    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        context = cls.place / "context"
        (context / "games").mkdir(parents=True)
        command = ["strip", "-o", context / "gamekeeperd", os.environ["GAMEKEEPERD"]]
        subprocess.run(command, check=True)
        cls.buildah(
            "build", "--isolation=chroot", "--file", ROOT / "deploy/Containerfile",
            "--build-arg=REVISION=0123456789ab", "--tag=gamekeeper:test", context,
        )
        cls.working = cls.buildah("from", "--pull=never", "gamekeeper:test").strip()
        cls.root = Path(cls.buildah("mount", cls.working).strip())
        cls.addClassCleanup(cls.buildah, "umount", cls.working)

    @classmethod
    def buildah(cls, *words):
        storage = [f"--root={cls.place}/storage", f"--runroot={cls.place}/run", "--storage-driver=vfs"]
        done = subprocess.run(["buildah", *storage, *words], capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"buildah {words[0]}: {done.stderr}")
        return done.stdout

    def test_it_holds_the_server_alone_and_is_small(self):
        files = {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()}
        self.assertEqual(files, {"gamekeeperd"})
        size = (self.root / "gamekeeperd").stat().st_size
        print(f"image: {size} bytes")
        self.assertLess(size, LARGEST_IMAGE)

    def test_the_server_needs_no_library(self):
        said = subprocess.run(
            ["readelf", "--program-headers", "--dynamic", self.root / "gamekeeperd"],
            check=True, capture_output=True, text=True,
        ).stdout
        self.assertNotIn("INTERP", said)
        self.assertNotIn("NEEDED", said)

    def test_it_says_what_it_is(self):
        config = json.loads(self.buildah("inspect", "--type=image", "gamekeeper:test"))["OCIv1"]["config"]
        self.assertEqual(config["User"], f"{USER}:{USER}")
        self.assertEqual(config["Entrypoint"], ["/gamekeeperd"])
        self.assertEqual(config["Labels"]["org.opencontainers.image.revision"], "0123456789ab")
        version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE).group(1)
        self.assertEqual(config["Labels"]["org.opencontainers.image.version"], version)
        said = self.enter("--version").communicate(timeout=30)[0]
        self.assertRegex(said, rf"^gamekeeperd {re.escape(version)} \([\w-]+\)$")

    def setUp(self):
        """Adds the devices that every container runtime puts there."""
        devices = self.root / "dev"
        devices.mkdir()
        self.addCleanup(shutil.rmtree, devices)
        for name, minor in (("null", 3), ("random", 8), ("urandom", 9)):
            os.mknod(devices / name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))

    def test_it_serves_as_a_nobody_from_a_root_that_it_cannot_write(self):
        port, admin = free_port(), free_port()
        games = self.root / "var/lib/gamekeeper"
        self.assertEqual((games.stat().st_uid, games.stat().st_gid), (USER, USER))
        server = self.enter(
            f"--listen=127.0.0.1:{port}", f"--admin-listen=127.0.0.1:{admin}", "--data-dir=/var/lib/gamekeeper/games"
        )
        self.await_serving(server, admin)
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            listed = channel.unary_unary("/gamekeeper.v1.RulesetService/ListRulesets")(b"", timeout=10)
        self.assertIn(b"dominion", listed)
        written = {path.parts[len(self.root.parts)] for path in self.root.rglob("*") if path.stat().st_uid == USER}
        self.assertEqual(written, {"var"})
        server.terminate()
        self.assertEqual(server.wait(30), 0)

    def test_names_are_looked_up_without_libraries(self):
        etc = self.root / "etc"
        etc.mkdir()
        self.addCleanup(shutil.rmtree, etc)
        (etc / "hosts").write_text("127.0.0.1 redis.of.the.test\n")
        redis, port, admin = free_port(), free_port(), free_port()
        store = subprocess.Popen(
            ["redis-server", "--port", str(redis), "--save", "", "--dir", self.place], stdout=subprocess.DEVNULL
        )
        self.addCleanup(store.wait)
        self.addCleanup(store.kill)
        ping = ["redis-cli", "-p", str(redis), "ping"]
        self.eventually(lambda: b"PONG" in subprocess.run(ping, capture_output=True).stdout, "Redis")
        server = self.enter(
            "--store=redis", f"--redis=redis.of.the.test:{redis}",
            f"--listen=127.0.0.1:{port}", f"--admin-listen=127.0.0.1:{admin}",
        )
        self.await_serving(server, admin)

    def enter(self, *arguments):
        """Runs the image's program in the image, as its user."""
        command = [shutil.which("chroot"), f"--userspec={USER}:{USER}", self.root, "/gamekeeperd", *arguments]
        process = subprocess.Popen(command, env={}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def await_serving(self, server, admin):
        def serves():
            self.assertIsNone(server.poll(), "the server has ended")
            with grpc.insecure_channel(f"127.0.0.1:{admin}") as channel:
                try:
                    return channel.unary_unary("/grpc.health.v1.Health/Check")(b"", timeout=2) == SERVING
                except grpc.RpcError:
                    return False

        self.eventually(serves, "the image serves")

    def eventually(self, holds, what, patience=45):
        end = time.monotonic() + patience
        while not holds():
            self.assertLess(time.monotonic(), end, f"{what}: not within {patience} s")
            time.sleep(0.1)


class CommandLine(unittest.TestCase):
    """The image of `gamekeeper forward`."""

    def test_it_holds_the_command_line_alone(self):
        text = (ROOT / "deploy/Containerfile.cli").read_text()
        copied = re.findall(r"(?m)^COPY (?:--\S+ )*(\S+) (\S+)$", text)
        self.assertEqual(copied, [("gamekeeper", "/gamekeeper"), ("state", "/var/lib/gamekeeper")])
        self.assertIn("FROM scratch\n", text)
        self.assertIn(f"\nUSER {USER}:{USER}\n", text)
        program = Path(os.environ["GAMEKEEPERD"]).with_name("gamekeeper")
        said = subprocess.run(["readelf", "--program-headers", program], check=True, capture_output=True, text=True).stdout
        self.assertNotIn("INTERP", said)


class BillOfMaterials(unittest.TestCase):
    def test_that_of_the_command_line_is_about_it(self):
        command = [ROOT / "deploy/make-sbom", "--program", "gamekeeper"]
        made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        bom = json.loads(made)
        self.assertEqual(bom["metadata"]["component"]["name"], "gamekeeper")
        listed = {one["name"] for one in bom["components"]}
        self.assertLessEqual({"hyper-rustls", "redb", "rustls"}, listed)
        self.assertNotIn("gamekeeperd", listed)

    def test_it_is_valid_and_lists_what_is_linked(self):
        made = subprocess.run([ROOT / "deploy/make-sbom"], check=True, capture_output=True, text=True).stdout
        self.assertIsNone(JsonStrictValidator(SchemaVersion.V1_6).validate_str(made))
        bom = json.loads(made)
        listed = {one["name"] for one in bom["components"]}
        self.assertEqual(bom["metadata"]["component"]["name"], "gamekeeperd")
        self.assertLessEqual({"tonic", "tokio", "redb", "redis", "gamekeeper-rules", "libmimalloc-sys"}, listed)
        # What only builds, tests or is another program is not in it.
        self.assertEqual({"protox", "rcgen", "clap_derive", "gamekeeper", "serde_derive"} & listed, set())
        for one in bom["components"]:
            if not one["name"].startswith("gamekeeper"):
                self.assertIn("hashes", one, one["name"])
                self.assertIn("licenses", one, one["name"])
        refs = {one["bom-ref"] for one in bom["components"]} | {bom["metadata"]["component"]["bom-ref"]}
        self.assertEqual({one["ref"] for one in bom["dependencies"]}, refs)
