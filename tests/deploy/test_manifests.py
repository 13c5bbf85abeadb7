"""The manifests agree with the server, with README, and with themselves."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from manifests import (
    ROOT,
    container,
    overlay,
    pod,
    port_of,
    seconds,
    secret_keys,
    settings_of_the_command_line,
    settings_of_the_server,
    template,
)

# Time to write and close the store after the last call, in seconds.
CLOSING = 10

# The service name of health that does not follow the store.
LIVENESS = re.search(
    r'const LIVENESS: &str = "(\w+)"', (ROOT / "service/server/src/health.rs").read_text()
).group(1)

IMAGE = (ROOT / "deploy/Containerfile").read_text()
README = (ROOT / "deploy/README.md").read_text()
PAGES = {path.name: path.read_text() for path in (ROOT / "deploy").glob("*.md")}


class Words(unittest.TestCase):
    def test_every_variable_of_the_image_and_of_pages_is_one_that_the_server_reads(self):
        for text in (IMAGE, README, PAGES["RUNBOOK.md"], "".join(PAGES.values())):
            # Those of the build and of the tests are not the server's.
            used = set(re.findall(r"\b(?:GAMEKEEPER|OTEL)_[A-Z_]+\b", text)) - {"GAMEKEEPER_COMMIT", "GAMEKEEPER_ADVISORY_DB"}
            self.assertTrue(used)
            self.assertEqual(used - settings_of_the_server() - settings_of_the_command_line(), set())

    def test_every_file_that_pages_name_exists(self):
        named = set(re.findall(r"(?<![\w/])(?:deploy|tests)/[\w./-]*\w", "".join(PAGES.values())))
        self.assertTrue(named)
        self.assertEqual([name for name in named if not (ROOT / name).exists()], [])

    def test_the_directory_that_readme_shows_renders_and_changes_what_it_says(self):
        [block] = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
        digest = f"sha256:{'ab' * 32}"
        with tempfile.TemporaryDirectory() as place:
            root = os.path.relpath(ROOT, Path(place).resolve())
            shown = block.replace("../gamekeeper/", f"{root}/").replace("sha256:...", digest)
            (Path(place) / "kustomization.yaml").write_text(shown)
            command = ["kubectl", "kustomize", place]
            rendered = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for words in (f"registry.your.org/gamekeeper@{digest}", f"library/redis@{digest}", "GAMEKEEPER_LOG: debug"):
            self.assertIn(words, rendered)
        # The settings of the overlay and of the base are still there.
        for words in ("GAMEKEEPER_STORE: redis", "GAMEKEEPER_AUTH: tokens"):
            self.assertIn(words, rendered)


class Overlay:
    """Checks that hold for every overlay."""

    name: str

    def setUp(self):
        self.rendered = overlay(self.name)
        self.server = self.rendered.server()
        self.variables = self.rendered.environment(self.server)

    def test_every_variable_is_one_that_the_server_reads(self):
        known = settings_of_the_server()
        self.assertIn("GAMEKEEPER_LISTEN", known)
        self.assertGreater(len(self.variables), 5)
        self.assertEqual(set(self.variables) - known, set())

    def test_the_server_listens_on_every_port_that_is_named_or_probed(self):
        grpc = port_of(self.variables["GAMEKEEPER_LISTEN"])
        admin = port_of(self.variables["GAMEKEEPER_ADMIN_LISTEN"])
        ports = {port["name"]: port["containerPort"] for port in container(self.server)["ports"]}
        self.assertEqual(ports, {"grpc": grpc, "admin": admin})
        for kind in ("startup", "readiness", "liveness"):
            probe = container(self.server)[f"{kind}Probe"]
            self.assertEqual(probe["grpc"]["port"], admin, kind)
        self.assertRegex(IMAGE, rf"(?m)^EXPOSE {grpc} {admin}$")
        for setting in ("GAMEKEEPER_LISTEN", "GAMEKEEPER_ADMIN_LISTEN"):
            self.assertIn(f"{setting}={self.variables[setting]} ", IMAGE)

    def test_readiness_follows_the_store_and_liveness_does_not(self):
        probed = container(self.server)
        asked = {kind: probed[f"{kind}Probe"]["grpc"].get("service", "") for kind in ("startup", "readiness", "liveness")}
        self.assertEqual(asked, {"startup": "", "readiness": "", "liveness": LIVENESS})

    def test_there_is_time_to_leave_the_balancers_to_drain_and_to_close(self):
        leave = container(self.server)["lifecycle"]["preStop"]["sleep"]["seconds"]
        drain = seconds(self.variables["GAMEKEEPER_DRAIN"])
        grace = pod(self.server)["terminationGracePeriodSeconds"]
        self.assertGreater(leave, 0)
        self.assertGreaterEqual(grace, leave + drain + CLOSING)

    def test_every_file_that_is_named_is_mounted(self):
        files = self.rendered.files(self.server)
        directories = self.rendered.directories(self.server)
        for name, value in self.variables.items():
            if name == "GAMEKEEPER_DATA_DIR":
                self.assertTrue(any(value.startswith(f"{there}/") for there in directories), value)
            elif value.startswith("/"):
                self.assertIn(value, files, name)

    def test_the_secrets_of_readme_are_those_that_are_mounted(self):
        mounted = {
            volume["secret"]["secretName"]
            for workload in self.rendered.workloads()
            for volume in pod(workload)["volumes"]
            if "secret" in volume
        }
        self.assertEqual(set(secret_keys(self.name)), mounted)

    def test_pods_are_restricted(self):
        for workload in self.rendered.workloads():
            inner, outer = container(workload)["securityContext"], pod(workload)["securityContext"]
            self.assertEqual(inner["capabilities"], {"drop": ["ALL"]})
            self.assertIs(inner["allowPrivilegeEscalation"], False)
            self.assertIs(inner["readOnlyRootFilesystem"], True)
            self.assertIs(outer["runAsNonRoot"], True)
            self.assertGreater(outer["runAsUser"], 10_000)
            self.assertEqual(outer["seccompProfile"], {"type": "RuntimeDefault"})
            self.assertIs(pod(workload)["automountServiceAccountToken"], False)
            self.assertIs(pod(workload)["enableServiceLinks"], False)
            account = self.rendered.named("ServiceAccount", pod(workload)["serviceAccountName"])
            self.assertIs(account["automountServiceAccountToken"], False)

    def test_a_namespace_is_strict_and_comes_only_when_it_is_asked_for(self):
        namespaces = self.rendered.of_kind("Namespace")
        self.assertEqual(len(namespaces), int(self.name == "everything"))
        for namespace in namespaces:
            labels = namespace["metadata"]["labels"]
            self.assertEqual(labels["pod-security.kubernetes.io/enforce"], "restricted")

    def test_images_have_a_version_that_does_not_move(self):
        for workload in self.rendered.workloads():
            image = container(workload)["image"]
            self.assertRegex(image, r"(@sha256:[0-9a-f]{64}|:\d+\.\d+\.\d+(-\w+)?)$")

    def test_the_server_has_a_user_of_its_own_in_redis(self):
        if self.variables["GAMEKEEPER_STORE"] == "redis":
            self.assertEqual(self.variables["GAMEKEEPER_REDIS_USER"], "gamekeeper")

    def test_pods_are_added_before_a_pod_uses_all_that_it_may(self):
        for scaler in self.rendered.of_kind("HorizontalPodAutoscaler"):
            [metric] = scaler["spec"]["metrics"]
            target = metric["resource"]["target"]
            limit = float(container(self.server)["resources"]["limits"]["cpu"])
            wanted = int(target["averageValue"].removesuffix("m")) / 1000
            self.assertTrue(0.5 * limit <= wanted <= 0.8 * limit, target)

    def test_the_user_of_the_pod_is_the_user_of_the_image(self):
        context = pod(self.server)["securityContext"]
        self.assertIn(f"\nUSER {context['runAsUser']}:{context['runAsGroup']}\n", IMAGE)

    def test_every_selector_finds_pods_and_every_port_exists(self):
        for service in self.rendered.of_kind("Service"):
            [found] = self.selected(service["spec"]["selector"])
            names = {port["name"] for port in container(found)["ports"]}
            self.assertLessEqual({port["targetPort"] for port in service["spec"]["ports"]}, names)
        for thing in self.rendered.of_kind("PodDisruptionBudget", "Deployment", "StatefulSet"):
            self.assertEqual(len(self.selected(thing["spec"]["selector"]["matchLabels"])), 1)
        for policy in self.rendered.of_kind("NetworkPolicy"):
            labels = policy["spec"]["podSelector"].get("matchLabels", {})
            self.assertTrue(self.selected(labels), policy["metadata"]["name"])
        for workload in self.rendered.of_kind("StatefulSet"):
            self.rendered.named("Service", workload["spec"]["serviceName"])
        self.assertEqual(len(self.rendered.of_kind("PodDisruptionBudget")), 1)

    def test_traffic_is_refused_both_ways_unless_a_policy_allows_it(self):
        nothing = self.rendered.named("NetworkPolicy", "nothing")["spec"]
        self.assertEqual(nothing, {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]})
        for policy in self.rendered.of_kind("NetworkPolicy"):
            for direction, rule, peers in self.allowed(policy):
                self.assertTrue(peers, f"{policy['metadata']['name']}: {direction} for all")
                self.assertTrue(rule["ports"])

    def test_the_server_may_reach_its_redis_and_nothing_where_it_has_none(self):
        labels = self.server["spec"]["template"]["metadata"]["labels"].items()
        opened = {
            port["port"]
            for policy in self.rendered.of_kind("NetworkPolicy")
            if policy["spec"]["podSelector"].get("matchLabels", {}).items() <= labels
            for direction, rule, _ in self.allowed(policy)
            if direction == "egress"
            for port in rule["ports"]
        }
        redis = self.variables.get("GAMEKEEPER_REDIS")
        wanted = {53, 5353, *map(port_of, redis.split(","))} if redis else set()
        collector = self.variables.get("OTEL_EXPORTER_OTLP_ENDPOINT")
        wanted |= {53, 5353, port_of(collector)} if collector else set()
        self.assertEqual(opened, wanted)

    def test_only_a_shared_store_has_several_replicas(self):
        shared = self.variables["GAMEKEEPER_STORE"] == "redis"
        self.assertEqual(self.server["spec"].get("replicas"), None if shared else 1)
        scalers = self.rendered.of_kind("HorizontalPodAutoscaler")
        self.assertEqual(len(scalers), int(shared))
        for scaler in scalers:
            target = scaler["spec"]["scaleTargetRef"]
            self.assertEqual(self.rendered.named(target["kind"], target["name"]), self.server)
        spread = pod(self.server).get("topologySpreadConstraints", [])
        self.assertEqual(len(spread), 2 * int(shared))
        for constraint in spread:
            self.assertEqual(self.selected(constraint["labelSelector"]["matchLabels"]), [self.server])

    def selected(self, labels):
        return [
            workload
            for workload in self.rendered.workloads()
            if labels.items() <= template(workload)["metadata"]["labels"].items()
        ]

    def allowed(self, policy):
        """The rules of a policy: the direction, the rule, and with whom it allows traffic."""
        for direction, peers in (("ingress", "from"), ("egress", "to")):
            for rule in policy["spec"].get(direction, []):
                yield direction, rule, rule.get(peers)


class Embedded(Overlay, unittest.TestCase):
    name = "embedded"


class Redis(Overlay, unittest.TestCase):
    name = "redis"


class Cluster(Overlay, unittest.TestCase):
    name = "cluster"


class Snapshots(Overlay, unittest.TestCase):
    """The overlay embedded with its backups."""

    name = "snapshots"


class Everything(Overlay, unittest.TestCase):
    """The overlay redis with all optional components."""

    name = "everything"

    def setUp(self):
        super().setUp()
        self.forward = self.rendered.named("StatefulSet", "gamekeeper-forward")
        self.settings = self.rendered.environment(self.forward)

    def test_forward_reads_its_settings_and_finds_its_files(self):
        self.assertEqual(set(self.settings) - settings_of_the_command_line(), set())
        self.assertGreater(len(self.settings), 4)
        files, [directory] = self.rendered.files(self.forward), self.rendered.directories(self.forward)
        named = {value for value in [*self.settings.values(), *container(self.forward)["args"]] if value.startswith("/")}
        state = self.settings["GAMEKEEPER_FORWARD_STATE"]
        self.assertTrue(state.startswith(f"{directory}/"))
        self.assertEqual(named, {state, *files})

    def test_forward_is_one_pod_that_reaches_the_server_and_its_receiver(self):
        self.assertEqual(self.forward["spec"]["replicas"], 1)
        [port] = container(self.forward)["ports"]
        self.assertEqual(port["containerPort"], port_of(self.settings["GAMEKEEPER_FORWARD_ADMIN_LISTEN"]))
        egress = self.rendered.named("NetworkPolicy", "forward-to-receivers")["spec"]["egress"]
        server = self.rendered.named("Service", "gamekeeper")["spec"]["ports"][0]["port"]
        self.assertEqual({port["port"] for rule in egress for port in rule["ports"]}, {53, 5353, server, 443})
        self.assertEqual(port_of(self.settings["GAMEKEEPER_SERVER"]), server)
        self.assertTrue(self.settings["GAMEKEEPER_FORWARD_TO"].startswith("https://"))
