"""The job that takes snapshots of the embedded store does so, and deletes old ones alone."""

import json
import os
import subprocess
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from manifests import container, overlay

COLLECTION = "/apis/snapshot.storage.k8s.io/v1/namespaces/where/volumesnapshots"
DAY = 86_400


def name_of(age):
    return time.strftime("games-%Y%m%d-%H%M%S", time.gmtime(time.time() - age))


class Api(BaseHTTPRequestHandler):
    """As much of an API server as the job asks."""

    def do_POST(self):
        self.server.snapshots.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.answer(201, self.server.snapshots[-1])

    def do_GET(self):
        self.answer(200, {"items": self.server.snapshots})

    def do_DELETE(self):
        name = self.path.rpartition("/")[2]
        self.server.snapshots[:] = [kept for kept in self.server.snapshots if kept["metadata"]["name"] != name]
        self.answer(200, {})

    def answer(self, status, body):
        known = self.headers["Authorization"] == "Bearer secret" and self.path.startswith(COLLECTION)
        self.send_response(status if known else 403)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


class Snapshots(unittest.TestCase):
    def run_job(self, ages, token="secret"):
        """Runs the job where there are snapshots of these ages; gives how it ended and the snapshots."""
        server = HTTPServer(("127.0.0.1", 0), Api)
        self.addCleanup(server.server_close)
        source = {"persistentVolumeClaimName": "games-gamekeeper-0"}
        server.snapshots = [{"metadata": {"name": name_of(age)}, "spec": {"source": source}} for age in ages]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        [job] = overlay("snapshots").of_kind("CronJob")
        with tempfile.TemporaryDirectory() as place:
            for name, text in (("namespace", "where"), ("token", token), ("ca.crt", "")):
                (Path(place) / name).write_text(text)
            [shell, flags, script] = container(job)["command"]
            environment = os.environ | {"API": f"http://127.0.0.1:{server.server_port}"}
            script = script.replace("/var/run/api/", f"{place}/").replace(f"--cacert {place}/ca.crt", "")
            ended = subprocess.run([shell, flags, script], env=environment, capture_output=True, text=True)
        return ended, server.snapshots

    def test_a_snapshot_is_taken_and_old_ones_go(self):
        ended, snapshots = self.run_job([30 * DAY, 7 * DAY + 60, 7 * DAY - 60, DAY])
        self.assertEqual(ended.returncode, 0, ended.stderr)
        names = [snapshot["metadata"]["name"] for snapshot in snapshots]
        self.assertEqual(len(names), 3, names)
        self.assertEqual(names, sorted(names))
        self.assertGreaterEqual(names[-1], name_of(60))
        taken = snapshots[-1]
        self.assertEqual(taken["kind"], "VolumeSnapshot")
        [server] = overlay("snapshots").of_kind("StatefulSet")
        [claim] = server["spec"]["volumeClaimTemplates"]
        claim = f"{claim['metadata']['name']}-{server['metadata']['name']}-0"
        self.assertEqual(taken["spec"]["source"]["persistentVolumeClaimName"], claim)

    def test_the_first_snapshot_is_taken(self):
        ended, snapshots = self.run_job([])
        self.assertEqual((ended.returncode, len(snapshots)), (0, 1), ended.stderr)

    def test_a_job_that_may_not_fails(self):
        ended, _ = self.run_job([], token="another")
        self.assertNotEqual(ended.returncode, 0)

    def test_the_account_may_do_what_the_job_does_and_nothing_else(self):
        rendered = overlay("snapshots")
        [role], [binding], [job] = (rendered.of_kind(kind) for kind in ("Role", "RoleBinding", "CronJob"))
        wanted = {"apiGroups": ["snapshot.storage.k8s.io"], "resources": ["volumesnapshots"]}
        self.assertEqual(role["rules"], [wanted | {"verbs": ["create", "list", "delete"]}])
        self.assertEqual(binding["roleRef"]["name"], role["metadata"]["name"])
        account = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]["serviceAccountName"]
        self.assertEqual([subject["name"] for subject in binding["subjects"]], [account])
