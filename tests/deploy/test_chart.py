"""The Helm chart renders the objects of the kustomize overlays, and its values change what they say."""

import json
import re
import tempfile
import unittest

import helm_python as helm
import yaml
from manifests import ROOT, Overlay, container, overlay, pod, template

CHART = ROOT / "deploy/helm/gamekeeper"
# Labels that Helm alone adds, and one that kustomize gives to what an overlay has, but not to components added later.
OTHERS = {"app.kubernetes.io/managed-by", "helm.sh/chart", "app.kubernetes.io/part-of"}
# Rendered with kustomize by `run`, and the same with values.
SAME = {
    "embedded": {"store": "embedded"},
    "redis": {},
    "cluster": {"store": "cluster"},
    "everything": {part: {"enabled": True} for part in ("backup", "monitoring", "tracing", "forward")},
    "snapshots": {"store": "embedded", "snapshots": {"enabled": True}},
}


def rendered(values, chart=CHART, namespace="gamekeeper"):
    with helm.Chart.load(str(chart)) as loaded:
        loaded.validate_schema(values)
        files = loaded.render(values, name="gamekeeper", namespace=namespace)
    [text] = [text for path, text in files.items() if path.endswith(".yaml")]
    return Overlay("chart", tuple(thing for thing in yaml.safe_load_all(text) if thing))


def compared(part):
    """Without those labels; lists of things with names, whose order says nothing, in the order of the names."""
    if isinstance(part, dict):
        inner = {key: compared(value) for key, value in part.items() if key not in OTHERS}
        return {key: value for key, value in inner.items() if (key, value) != ("labels", {})}
    if isinstance(part, list):
        inner = [compared(one) for one in part]
        has_names = all(isinstance(one, dict) and "name" in one for one in inner)
        return sorted(inner, key=lambda one: str(one["name"])) if has_names else inner
    return part


def plain(thing):
    """An object without what only kustomize or only Helm adds: names with hashes, sums of settings."""
    thing = yaml.safe_load(re.sub(r"\b((?:gamekeeper|gamekeeper-forward|redis)-settings)-[0-9a-z]{10}\b", r"\1", yaml.safe_dump(thing)))
    if "template" in thing.get("spec", {}):
        template(thing)["metadata"].pop("annotations", None)
    return compared(thing)


def objects(found):
    named = {(thing["kind"], thing["metadata"]["name"]): thing for thing in map(plain, found.objects)}
    assert len(named) == len(found.objects), "an object comes twice"
    # Helm makes namespaces itself: --create-namespace.
    return {key: thing for key, thing in named.items() if key[0] != "Namespace"}


class Chart(unittest.TestCase):
    maxDiff = None

    def test_it_renders_the_objects_of_the_overlays(self):
        for name, values in SAME.items():
            with self.subTest(name):
                ours, theirs = objects(rendered(values)), objects(overlay(name))
                self.assertEqual(sorted(ours), sorted(theirs))
                for key, thing in theirs.items():
                    self.assertEqual(ours[key], thing, key)

    def test_a_packaged_chart_renders_the_same(self):
        with tempfile.TemporaryDirectory() as place:
            package = helm.package(str(CHART), destination=place)
            self.assertEqual(rendered({}, package), rendered({}))

    def test_it_has_no_findings(self):
        result = helm.lint(str(CHART))
        self.assertEqual(result["messages"], [])

    def test_every_value_is_documented_and_has_a_type(self):
        text = (CHART / "values.yaml").read_text()
        values = yaml.safe_load(text)
        schema = json.loads((CHART / "values.schema.json").read_text())
        self.assertEqual(set(schema["properties"]), set(values) | {"global"})
        for name in values:
            [above] = re.findall(rf"(?m)^(.*)\n{name}:", text)
            self.assertRegex(above, "^# .", name)
        for name, kind in schema["properties"].items():
            if "properties" in kind:
                self.assertEqual(set(kind["properties"]), set(values[name]), name)

    def test_the_network_of_a_cluster_can_be_narrowed(self):
        chart = rendered({"store": "cluster", "redisNetwork": "10.1.2.0/24"})
        egress = chart.named("NetworkPolicy", "gamekeeper-to-redis")["spec"]["egress"]
        self.assertEqual(egress[-1]["to"], [{"ipBlock": {"cidr": "10.1.2.0/24"}}])

    def test_values_change_what_they_say(self):
        digest = f"sha256:{'ab' * 32}"
        chart = rendered(
            {
                "image": {"repository": "registry.your.org/gamekeeper", "digest": digest},
                "redisImage": f"library/redis@{digest}",
                "settings": {"GAMEKEEPER_LOG": "debug", "GAMEKEEPER_STORE": "redis"},
                "replicas": {"min": 2, "max": 5},
                "resources": {"limits": {"cpu": "4"}},
                "pod": {"nodeSelector": {"games": "here"}, "containers": [{"name": "beside", "image": "other"}]},
                "storage": {"class": "fast", "redis": "5Gi", "backups": "7Gi", "forward": "2Gi"},
                "tls": {"enabled": True},
                "backup": {"enabled": True},
                "tracing": {"enabled": True, "endpoint": "https://collector.your.org:4317"},
                "forward": {
                    "enabled": True,
                    "to": "https://receiver.your.org/in",
                    "image": {"repository": "registry.your.org/gamekeeper-cli", "tag": "1.2.3"},
                    "settings": {"GAMEKEEPER_FORWARD_KINDS": "your_turn"},
                },
            },
            namespace="games",
        )
        server = chart.named("Deployment", "gamekeeper")
        named = {one["name"]: one for one in pod(server)["containers"]}
        self.assertEqual(named["gamekeeperd"]["image"], f"registry.your.org/gamekeeper@{digest}")
        self.assertEqual(named["gamekeeperd"]["resources"], {"limits": {"cpu": "4"}})
        self.assertEqual(named["beside"]["image"], "other")
        self.assertEqual(pod(server)["nodeSelector"], {"games": "here"})
        settings = chart.named("ConfigMap", "gamekeeper-settings")["data"]
        self.assertEqual(settings["GAMEKEEPER_LOG"], "debug")
        self.assertEqual(settings["OTEL_EXPORTER_OTLP_ENDPOINT"], "https://collector.your.org:4317")
        self.assertEqual(settings["OTEL_RESOURCE_ATTRIBUTES"], "k8s.namespace.name=games")
        self.assertEqual(settings["GAMEKEEPER_TLS_CERT_FILE"], "/etc/gamekeeper/tls/tls.crt")
        scaler = chart.named("HorizontalPodAutoscaler", "gamekeeper")["spec"]
        self.assertEqual((scaler["minReplicas"], scaler["maxReplicas"]), (2, 5))
        redis = chart.named("StatefulSet", "gamekeeper-redis")
        for workload in (redis, chart.named("CronJob", "gamekeeper-backup")):
            self.assertEqual(container(workload)["image"], f"library/redis@{digest}")
        [claim] = redis["spec"]["volumeClaimTemplates"]
        copies = chart.named("PersistentVolumeClaim", "gamekeeper-backups")
        sizes = {(one["spec"]["resources"]["requests"]["storage"], one["spec"]["storageClassName"]) for one in (claim, copies)}
        self.assertEqual(sizes, {("5Gi", "fast"), ("7Gi", "fast")})
        forward = chart.named("StatefulSet", "gamekeeper-forward")
        self.assertEqual(container(forward)["image"], "registry.your.org/gamekeeper-cli:1.2.3")
        self.assertEqual(forward["spec"]["volumeClaimTemplates"][0]["spec"]["resources"]["requests"], {"storage": "2Gi"})
        settings = chart.named("ConfigMap", "gamekeeper-forward-settings")["data"]
        self.assertEqual(settings["GAMEKEEPER_FORWARD_TO"], "https://receiver.your.org/in")
        self.assertEqual(settings["GAMEKEEPER_FORWARD_KINDS"], "your_turn")
        self.assertEqual(settings["GAMEKEEPER_SERVER"], "https://gamekeeper:50051")
        self.assertEqual(chart.of_kind("ServiceMonitor"), [])
        self.assertEqual({thing["metadata"]["namespace"] for thing in chart.objects}, {"games"})
        parts = {thing["metadata"]["labels"]["app.kubernetes.io/part-of"] for thing in chart.objects}
        self.assertEqual(parts, {"gamekeeper"})

    def test_pods_and_the_service_take_annotations_and_labels(self):
        values = {
            "podAnnotations": {"sidecar.istio.io/inject": "true"},
            "podLabels": {"team": "games", "app.kubernetes.io/name": "other"},
            "service": {
                "type": "LoadBalancer",
                "annotations": {"example.org/internal": "true"},
                "labels": {"team": "games"},
            },
        }
        chart = rendered(values)
        pods = template(chart.named("Deployment", "gamekeeper"))["metadata"]
        self.assertEqual(pods["annotations"]["sidecar.istio.io/inject"], "true")
        self.assertIn("checksum/settings", pods["annotations"])
        # Services and policies select pods by this label.
        self.assertEqual((pods["labels"]["team"], pods["labels"]["app.kubernetes.io/name"]), ("games", "gamekeeper"))
        service = chart.named("Service", "gamekeeper")
        self.assertEqual(service["spec"]["type"], "LoadBalancer")
        self.assertEqual(service["metadata"]["annotations"], {"example.org/internal": "true"})
        self.assertEqual(service["metadata"]["labels"]["team"], "games")
        for other in ("gamekeeper-pods", "gamekeeper-redis"):
            self.assertNotIn("team", chart.named("Service", other)["metadata"]["labels"])
        redis = template(chart.named("StatefulSet", "gamekeeper-redis"))["metadata"]
        self.assertNotIn("sidecar.istio.io/inject", redis["annotations"])
        plain = rendered({}).named("Service", "gamekeeper")
        self.assertNotIn("annotations", plain["metadata"])

    def test_changed_settings_roll_the_pods(self):
        def sums(settings):
            server = rendered({"settings": settings}).named("Deployment", "gamekeeper")
            return template(server)["metadata"]["annotations"]["checksum/settings"]

        self.assertEqual(sums({}), sums({}))
        self.assertNotEqual(sums({}), sums({"GAMEKEEPER_LOG": "debug"}))

    def test_values_that_cannot_work_are_refused(self):
        for values, words in (
            ({"store": "files"}, "store"),
            ({"stores": "redis"}, "stores"),
            ({"settings": {"LOG": "debug"}}, "LOG"),
            ({"settings": {"GAMEKEEPER_CACHED_GAMES": 20}}, "GAMEKEEPER_CACHED_GAMES"),
            ({"image": {"digest": "latest"}}, "digest"),
            ({"storage": {"games": "20"}}, "games"),
            ({"store": "cluster", "backup": {"enabled": True}}, "backup.enabled"),
            ({"snapshots": {"enabled": True}}, "snapshots.enabled"),
            ({"forward": {"enabled": True, "to": "http://plain.your.org"}}, "to"),
            ({"service": {"type": "ExternalName"}}, "type"),
            ({"podAnnotations": {"number": 1}}, "number"),
            ({"replicas": {"min": 5, "max": 2}}, "replicas.min"),
        ):
            with self.subTest(values), self.assertRaisesRegex(helm.HelmError, re.escape(words)):
                rendered(values)

    def test_the_version_is_that_of_the_project(self):
        chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
        version = re.search(r'(?m)^version = "(.*)"', (ROOT / "Cargo.toml").read_text())[1]
        self.assertEqual((chart["version"], chart["appVersion"]), (version, version))


if __name__ == "__main__":
    unittest.main()
