"""Alerts, runbook, dashboard and custom resources agree with the metrics that exist.

The metrics are those of the tables in deploy/MONITORING.md, which tests of the server and of the command line keep true.
"""

import json
import re
import unittest

import promql_parser

from manifests import ROOT, container, overlay, pod

MONITORING = (ROOT / "deploy/MONITORING.md").read_text()
RUNBOOK = (ROOT / "deploy/RUNBOOK.md").read_text()
DASHBOARD = json.loads((ROOT / "deploy/grafana/gamekeeper.json").read_text())

# Labels that Prometheus and its operator add to what a pod says.
ADDED_LABELS = {"namespace", "pod", "service", "le"}
# Series of other programs that alerts need: who makes backups beside the server is seen by Kubernetes alone
# (kube-state-metrics).
OF_KUBERNETES = {
    "kube_cronjob_status_last_successful_time": {"cronjob"},
    "kube_job_status_failed": {"job_name", "reason", "cronjob"},
}
SEVERITIES = {"critical", "warning", "info"}


def metrics():
    """The series that Prometheus has, and their labels."""
    tables = re.findall(r"<!-- metrics(?: of forward)? -->\n(.*?)<!-- end of metrics", MONITORING, re.DOTALL)
    assert len(tables) == 2, "the metrics of the server, and those of forward"
    table = "".join(tables)
    series = {}
    for name, kind, labels in re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \|", table, re.MULTILINE):
        names = [f"{name}_{end}" for end in ("bucket", "count", "sum")] if kind == "histogram" else [name]
        for one in names:
            series[one] = set(re.findall(r"`(\w+)`", labels)) | ADDED_LABELS
    # Those that the page names below the table: a fresh server does not have them.
    for name in re.findall(r"^`(\w+)`, a histogram, appears", MONITORING, re.MULTILINE):
        series |= {f"{name}_{end}": ADDED_LABELS for end in ("bucket", "count", "sum")}
    return series | {name: labels | ADDED_LABELS for name, labels in OF_KUBERNETES.items()}


def without_variables(expression):
    """An expression of a dashboard as Prometheus gets it."""
    return expression.replace("$__rate_interval", "5m").replace("$namespace", "gamekeeper")


class Expressions(unittest.TestCase):
    def check(self, expression):
        """The expression can be read, and asks for series and labels that exist."""
        known = metrics()
        self.assertGreater(len(known), 20)
        promql_parser.parse(expression)
        # What is asked for, without texts and durations.
        bare = re.sub(r'"[^"]*"', '""', expression)
        asked = set(re.findall(r"\b((?:gamekeeper|rpc|db|process|target|kube)_\w+)\s*(?=[{\[)\s]|$)", bare))
        asked = {name for name in asked if name not in set().union(*known.values())}
        self.assertTrue(asked, expression)
        self.assertEqual(asked - set(known), set(), expression)
        for name, selected in re.findall(r"(\w+)\{([^}]*)\}", bare):
            labels = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selected))
            self.assertEqual(labels - known[name], set(), expression)
        grouped = {label for labels in re.findall(r"\bby\s*\(([^)]*)\)", bare) for label in re.findall(r"\w+", labels)}
        allowed = set().union(*(known[name] for name in asked))
        self.assertEqual(grouped - allowed, set(), expression)

    def test_what_does_not_exist_is_found_out(self):
        for wrong in (
            "rate(gamekeeper_wonders_total[5m])",
            'gamekeeper_watches{game="1"}',
            "sum by (game) (gamekeeper_watches)",
            "sum(gamekeeper_watches",
            "kube_job_status_succeeded",
            'kube_job_status_failed{pod_name="x"}',
        ):
            with self.subTest(wrong=wrong), self.assertRaises((AssertionError, ValueError)):
                self.check(wrong)

    def test_every_panel_of_the_dashboard_shows_what_exists(self):
        panels = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
        self.assertGreater(len(panels), 20)
        self.assertEqual(len({panel["id"] for panel in DASHBOARD["panels"]}), len(DASHBOARD["panels"]))
        for panel in panels:
            self.assertTrue(panel["targets"], panel["title"])
            for target in panel["targets"]:
                with self.subTest(panel=panel["title"]):
                    self.check(without_variables(target["expr"]))

    def test_every_metric_is_shown(self):
        shown = " ".join(target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", []))
        for name in {re.sub(r"_(bucket|count|sum)$", "", series) for series in metrics()} - {"target_info", *OF_KUBERNETES}:
            self.assertIn(name, shown)

    def test_panels_do_not_overlap(self):
        places = set()
        for panel in DASHBOARD["panels"]:
            at = panel["gridPos"]
            self.assertLessEqual(at["x"] + at["w"], 24)
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(cells & places, panel["title"])
            places |= cells

    def test_every_alert_asks_for_what_exists(self):
        for rule in rules():
            with self.subTest(alert=rule["alert"]):
                self.check(rule["expr"])


def rules():
    rendered = overlay("everything")
    found = [rendered.named("PrometheusRule", name)["spec"] for name in ("gamekeeper", "gamekeeper-store", "gamekeeper-forward")]
    return [rule for spec in found for group in spec["groups"] for rule in group["rules"]]


class Runbook(unittest.TestCase):
    def test_every_alert_has_its_entry_and_every_entry_its_alert(self):
        entries = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", RUNBOOK, re.MULTILINE | re.DOTALL)
        self.assertEqual([name for name, _ in entries], [rule["alert"] for rule in rules()])
        known = metrics()
        for name, text in entries:
            with self.subTest(alert=name):
                self.assertEqual(
                    re.findall(r"^\* \*\*(\w+)\*\*: \S", text, re.MULTILINE),
                    ["Symptom", "Metric", "Cause", "Action"],
                )
                named = set(re.findall(r"`((?:gamekeeper|rpc|db|process|kube)_\w+)", text))
                labels = set().union(*known.values())
                self.assertEqual(named - set(known) - labels, set())


class CustomResources(unittest.TestCase):
    """Field by field, since Kubernetes has no schema of them."""

    def setUp(self):
        self.rendered = overlay("everything")

    def test_there_are_no_other_custom_resources(self):
        custom = [thing for thing in self.rendered.objects if "coreos.com" in thing["apiVersion"]]
        self.assertEqual(sorted(thing["kind"] for thing in custom), [*3 * ["PrometheusRule"], *2 * ["ServiceMonitor"]])
        for thing in custom:
            self.assertEqual(thing["apiVersion"], "monitoring.coreos.com/v1")
            self.assertEqual(set(thing), {"apiVersion", "kind", "metadata", "spec"})

    def test_the_service_monitor_finds_the_admin_port_of_every_pod(self):
        spec = self.rendered.named("ServiceMonitor", "gamekeeper")["spec"]
        self.assertEqual(set(spec), {"selector", "endpoints"})
        self.assertEqual(set(spec["selector"]), {"matchLabels"})
        [service] = [
            service
            for service in self.rendered.of_kind("Service")
            if spec["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
        ]
        [endpoint] = spec["endpoints"]
        self.assertEqual(set(endpoint), {"port", "path", "interval", "scrapeTimeout"})
        self.assertEqual(endpoint["path"], "/metrics")
        self.assertIn(endpoint["port"], [port["name"] for port in service["spec"]["ports"]])
        self.assertRegex(endpoint["interval"] + endpoint["scrapeTimeout"], r"^(\d+s){2}$")
        server = self.rendered.server()
        labels = server["spec"]["template"]["metadata"]["labels"]
        self.assertLessEqual(service["spec"]["selector"].items(), labels.items())

    def test_the_metrics_of_forward_are_found(self):
        spec = self.rendered.named("ServiceMonitor", "gamekeeper-forward")["spec"]
        [endpoint] = spec["endpoints"]
        service = self.rendered.named("Service", "gamekeeper-forward")
        self.assertLessEqual(spec["selector"]["matchLabels"].items(), service["metadata"]["labels"].items())
        self.assertEqual([endpoint["port"]], [port["name"] for port in service["spec"]["ports"]])
        self.assertEqual(endpoint["path"], "/metrics")

    def test_rules_have_the_fields_that_rules_have(self):
        spec = self.rendered.named("PrometheusRule", "gamekeeper")["spec"]
        self.assertEqual(set(spec), {"groups"})
        for group in spec["groups"]:
            self.assertEqual(set(group), {"name", "rules"})
        names = [rule["alert"] for rule in rules()]
        self.assertGreater(len(names), 10)
        self.assertEqual(len(set(names)), len(names))
        for rule in rules():
            with self.subTest(alert=rule["alert"]):
                self.assertLessEqual(set(rule), {"alert", "expr", "for", "labels", "annotations"})
                self.assertLessEqual({"alert", "expr", "labels", "annotations"}, set(rule))
                self.assertRegex(rule["alert"], r"^Gamekeeper[A-Z]\w+$")
                self.assertRegex(rule.get("for", "1m"), r"^\d+[smh]$")
                self.assertEqual(set(rule["labels"]), {"severity"})
                self.assertIn(rule["labels"]["severity"], SEVERITIES)
                self.assertEqual(set(rule["annotations"]), {"summary"})
                summary = rule["annotations"]["summary"]
                self.assertEqual(summary.count("{{"), summary.count("}}"))
                # A summary can only name labels that the expression leaves.
                for label in re.findall(r"\$labels\.(\w+)", summary):
                    grouped = re.findall(r"\bby \(([^)]*)\)", rule["expr"])
                    self.assertTrue(not grouped or label in " ".join(grouped), label)

    def test_alerts_look_at_this_service_alone(self):
        for rule in rules():
            for name, labels in re.findall(r"\b((?:gamekeeper|rpc|db|process)_\w+)(\{[^}]*\})?", rule["expr"]):
                if not re.search(rf"\b(by|without) \([^)]*\b{name}\b", rule["expr"]):
                    service = "gamekeeper-forward" if name.startswith("gamekeeper_forward_") else "gamekeeper-admin"
                    self.assertIn(f'service="{service}"', labels, f"{rule['alert']}: {name}")

    def test_the_alert_on_memory_knows_the_limit_of_the_pod(self):
        [rule] = [rule for rule in rules() if rule["alert"] == "GamekeeperMemory"]
        limit = container(self.rendered.server())["resources"]["limits"]["memory"]
        self.assertEqual(limit, "1Gi")
        self.assertIn(str(2**30), rule["expr"])

    def test_prometheus_and_the_collector_are_let_through(self):
        ports = {}
        for policy in self.rendered.of_kind("NetworkPolicy"):
            for direction in ("ingress", "egress"):
                for rule in policy["spec"].get(direction, []):
                    for port in rule["ports"]:
                        ports.setdefault((policy["metadata"]["name"], direction), set()).add(port["port"])
        self.assertEqual(ports["gamekeeper-monitoring", "ingress"], {"admin"})
        self.assertEqual(ports["forward-monitoring", "ingress"], {"admin"})
        self.assertEqual(ports["gamekeeper-to-collector", "egress"], {53, 5353, 4317})
        named = {port["name"] for port in pod(self.rendered.server())["containers"][0]["ports"]}
        self.assertIn("admin", named)
