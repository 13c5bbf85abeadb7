"""The server and Redis start with the settings, files and secrets of the manifests.

There is no Kubernetes here: the files of a pod lie in a directory, and ports are free ones.
"""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import grpc

from manifests import OVERLAYS, ROOT, container, overlay, pod, port_of

# Answers of grpc.health.v1.Health/Check, as bytes: field 1 is the status.
SERVING, NOT_SERVING = b"\x08\x01", b"\x08\x02"


class Running(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.secrets = self.root / "secrets"
        subprocess.run([ROOT / "deploy/make-secrets", self.secrets, "acme"], check=True)

    def test_the_server_accepts_the_settings_of_every_overlay(self):
        for name in OVERLAYS:
            with self.subTest(overlay=name):
                place = self.lay_out(overlay(name), overlay(name).server())
                checked = self.server(place.environment, "--check")
                self.assertEqual(checked.wait(30), 0, place.environment)

    def test_the_server_refuses_a_setting_that_is_wrong(self):
        place = self.lay_out(overlay("embedded"), overlay("embedded").server())
        wrong = place.environment | {"GAMEKEEPER_DRAIN": "soon"}
        self.assertNotEqual(self.server(wrong, "--check").wait(30), 0)
        lines = (self.secrets / "tenant-keys").read_text()
        (place.root / "etc/gamekeeper/keys/tenant-keys").write_text(lines.replace(":", ""))
        self.assertNotEqual(self.server(place.environment, "--check").wait(30), 0)

    def test_embedded_serves_and_stops_in_time(self):
        rendered = overlay("embedded")
        place = self.lay_out(rendered, rendered.server())
        server = self.server(place.environment)
        self.await_health(place, SERVING)
        self.assertTrue(list(Path(place.environment["GAMEKEEPER_DATA_DIR"]).iterdir()))
        self.stop(server, rendered)

    def test_redis_keeps_what_it_must_and_its_loss_does_not_touch_liveness(self):
        rendered = overlay("redis")
        redis, redis_port = self.redis(rendered)
        place = self.lay_out(rendered, rendered.server())
        place.environment["GAMEKEEPER_REDIS"] = f"127.0.0.1:{redis_port}"
        server = self.server(place.environment)
        self.await_health(place, SERVING)
        redis.kill()
        redis.wait()
        self.await_health(place, NOT_SERVING)
        liveness = container(rendered.server())["livenessProbe"]["grpc"]["service"]
        self.assertEqual(self.health(place, liveness), SERVING)
        self.assertIsNone(server.poll())
        # It comes back with what it held: an empty one would be told from it.
        self.start(redis.args, stdout=subprocess.DEVNULL)
        self.await_health(place, SERVING)
        self.stop(server, rendered)

    def test_the_cluster_overlay_serves_over_tls_and_is_probed_in_plain_text(self):
        rendered = overlay("cluster")
        place = self.lay_out(rendered, rendered.server())
        # The cluster of others is not here.
        server = self.server(place.environment | {"GAMEKEEPER_STORE": "memory"})
        self.await_health(place, SERVING)
        trust = ssl.create_default_context(cafile=place.environment["GAMEKEEPER_TLS_CERT_FILE"])
        trust.set_alpn_protocols(["h2"])
        with socket.create_connection(("127.0.0.1", place.service), timeout=5) as plain:
            with trust.wrap_socket(plain, server_hostname="gamekeeper.test") as secure:
                self.assertEqual(secure.selected_alpn_protocol(), "h2")
        self.stop(server, rendered)

    def lay_out(self, rendered, workload):
        """The files of a pod, below a directory of its own."""
        place = Place(Path(tempfile.mkdtemp(dir=self.root)), rendered.environment(workload))
        for path, (kind, name, key) in rendered.files(workload).items():
            target = place.below(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if kind == "ConfigMap":
                target.write_text(rendered.named("ConfigMap", name)["data"][key])
            else:
                target.write_bytes(self.secret(name, key).read_bytes())
        for directory in rendered.directories(workload):
            place.below(directory).mkdir(parents=True)
        return place

    def secret(self, name, key):
        """The file that README puts under a key of a secret."""
        if re.fullmatch(r"(ca|tls)\.(crt|key)", key):
            return self.certificate(key)
        readme = (ROOT / "deploy/README.md").read_text().replace("\\\n", " ")
        for secret, arguments in re.findall(r"create secret generic (\S+)(.*)", readme):
            found = re.search(rf"--from-file={re.escape(key)}=secrets/(\S+)", arguments)
            if secret == name and found:
                return self.secrets / found.group(1)
        raise KeyError(f"README makes no {key} in the secret {name}")

    def certificate(self, key):
        """One that signs itself stands for that of the operator."""
        cert, private = self.root / "crt", self.root / "key"
        if not cert.exists():
            command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
            names = ["-subj", "/CN=gamekeeper.test", "-addext", "subjectAltName=DNS:gamekeeper.test"]
            files = ["-keyout", private, "-out", cert]
            subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)
        return private if key.endswith(".key") else cert

    def server(self, environment, *arguments):
        command = [os.environ["GAMEKEEPERD"], *arguments]
        return self.start(command, env=environment, stderr=subprocess.DEVNULL)

    def redis(self, rendered):
        """A Redis with the file of the overlay, which must be what it says; it and its port."""
        [workload] = [one for one in rendered.workloads() if container(one)["name"] == "redis"]
        place = self.lay_out(rendered, workload)
        program, file = container(workload)["command"]
        lines = place.below(file).read_text()
        place.below(file).write_text(place.rewrite(lines))
        port = free_port()
        command = [program, place.below(file), "--port", str(port), "--bind", "127.0.0.1"]
        redis = self.start(command, stdout=subprocess.DEVNULL)
        probe = container(workload)["readinessProbe"]["exec"]["command"]
        probe = [place.rewrite(word).replace("redis-cli", f"redis-cli -p {port}") for word in probe]
        self.eventually(lambda: subprocess.run(probe, capture_output=True).returncode == 0, "Redis is ready")
        password = {"REDISCLI_AUTH": (self.secrets / "redis-admin-password").read_text().strip()}
        for setting, value in (("appendonly", "yes"), ("appendfsync", "always"), ("maxmemory-policy", "noeviction")):
            ask = ["redis-cli", "-p", str(port), "--user", "admin", "config", "get", setting]
            said = subprocess.run(ask, env=os.environ | password, capture_output=True, text=True, check=True)
            self.assertEqual(said.stdout.split(), [setting, value])
        return redis, port

    def start(self, command, **how):
        process = subprocess.Popen(command, **how)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def stop(self, server, rendered):
        server.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(pod(rendered.server())["terminationGracePeriodSeconds"]), 0)

    def await_health(self, place, status):
        """Asks until the answer is this."""
        def answers():
            try:
                return self.health(place) == status
            except grpc.RpcError:
                return False

        self.eventually(answers, f"health is {status}")

    def health(self, place, service=""):
        """Asks as the kubelet does."""
        request = b"\x0a" + bytes([len(service)]) + service.encode() if service else b""
        with grpc.insecure_channel(f"127.0.0.1:{place.admin}") as channel:
            return channel.unary_unary("/grpc.health.v1.Health/Check")(request, timeout=5)

    def eventually(self, holds, what, patience=45):
        end = time.monotonic() + patience
        while not holds():
            self.assertLess(time.monotonic(), end, f"{what}: not within {patience} s")
            time.sleep(0.2)


class Place:
    """A directory that stands for the root of a container, and what its process is given."""

    def __init__(self, root, environment):
        self.root = root
        self.service, self.admin = free_port(), free_port()
        self.environment = {name: self.rewrite(value) for name, value in environment.items()}
        for setting, port in (("LISTEN", self.service), ("ADMIN_LISTEN", self.admin)):
            if f"GAMEKEEPER_{setting}" in environment:
                self.environment[f"GAMEKEEPER_{setting}"] = f"0.0.0.0:{port}"

    def below(self, path):
        return self.root / path.lstrip("/")

    def rewrite(self, text):
        """Absolute paths lie below the directory."""
        return re.sub(r"(?<![\w./])/(etc|var|data)\b", rf"{self.root}/\1", text)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return port_of(f":{probe.getsockname()[1]}")
