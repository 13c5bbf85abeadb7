"""The manifests that the overlays make, for tests."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
OTEL_SETTINGS = {"OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"}
# Rendered for tests alone: the overlay that it builds on, and components that need secrets.
PARTS_OF = {"everything": {"redis", "forward"}, "snapshots": {"embedded"}}
OVERLAYS = ("embedded", "redis", "cluster")


@dataclass(frozen=True)
class Overlay:
    """The objects of one overlay, rendered."""

    name: str
    objects: tuple

    def of_kind(self, *kinds):
        return [thing for thing in self.objects if thing["kind"] in kinds]

    def named(self, kind, name):
        [found] = [thing for thing in self.of_kind(kind) if thing["metadata"]["name"] == name]
        return found

    def workloads(self):
        return self.of_kind("Deployment", "StatefulSet", "CronJob")

    def server(self):
        """The workload that runs gamekeeperd."""
        [found] = [thing for thing in self.workloads() if container(thing)["name"] == "gamekeeperd"]
        return found

    def environment(self, workload):
        """The variables of a workload's container."""
        variables = {}
        for source in container(workload).get("envFrom", []):
            variables |= self.named("ConfigMap", source["configMapRef"]["name"])["data"]
        for variable in container(workload).get("env", []):
            variables[variable["name"]] = variable["value"]
        return variables

    def files(self, workload):
        """The files that volumes bring into a workload's container: path -> (kind, object, key)."""
        volumes = {volume["name"]: volume for volume in pod(workload)["volumes"]}
        files = {}
        for mount in container(workload)["volumeMounts"]:
            volume = volumes.get(mount["name"], {})
            if "configMap" in volume:
                name = volume["configMap"]["name"]
                for key in self.named("ConfigMap", name)["data"]:
                    files[f"{mount['mountPath']}/{key}"] = ("ConfigMap", name, key)
            if "secret" in volume:
                name = volume["secret"]["secretName"]
                items = volume["secret"].get("items")
                keys = [item["key"] for item in items] if items else secret_keys(self.name)[name]
                for key in keys:
                    files[f"{mount['mountPath']}/{key}"] = ("Secret", name, key)
        return files

    def directories(self, workload):
        """The directories of a workload's container that can be written."""
        claims = {claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])}
        return [mount["mountPath"] for mount in container(workload)["volumeMounts"] if mount["name"] in claims]


def overlay(name):
    text = (Path(os.environ["RENDERED"]) / f"{name}.yaml").read_text()
    return Overlay(name, tuple(yaml.safe_load_all(text)))


def template(workload):
    spec = workload["spec"]
    return (spec["jobTemplate"]["spec"] if workload["kind"] == "CronJob" else spec)["template"]


def pod(workload):
    return template(workload)["spec"]


def container(workload):
    [only] = pod(workload)["containers"]
    return only


def settings_of_the_server():
    """The environment variables that gamekeeperd reads."""
    rooms = (ROOT / "service/server/src/config").glob("*.rs")
    source = "".join(room.read_text() for room in rooms)
    # What the libraries of telemetry read, as their standard says.
    return OTEL_SETTINGS | set(re.findall(r'\benv = "((?:GAMEKEEPER|OTEL)_\w+)"', source))


def settings_of_the_command_line():
    """The environment variables that gamekeeper reads, which operators use too."""
    source = "".join(file.read_text() for file in (ROOT / "client-cli/src").rglob("*.rs"))
    return set(re.findall(r'\benv = "(GAMEKEEPER_\w+)"', source))


def secret_keys(overlay_name):
    """The secrets that README tells the operator to make, and their keys: what pods can rely on.

    A block of commands there is for the overlays or components that its first line names.
    """
    readme = (ROOT / "deploy/README.md").read_text()
    secrets = {}
    for block in re.findall(r"```sh\n(# .*?)```", readme, re.DOTALL):
        if not PARTS_OF.get(overlay_name, {overlay_name}) & set(re.findall(r"\w+", block.splitlines()[0])):
            continue
        commands = block.replace("\\\n", " ")
        for name, arguments in re.findall(r"create secret generic (\S+)(.*)", commands):
            keys = re.findall(r"--from-file=([\w.-]+)=\S+", arguments)
            secrets.setdefault(name, []).extend(keys)
        for name in re.findall(r"create secret tls (\S+)", commands):
            secrets.setdefault(name, []).extend(["tls.crt", "tls.key"])
    return secrets


def seconds(duration):
    """The seconds of a duration such as 20s."""
    return float(re.fullmatch(r"(\d+)s", duration).group(1))


def port_of(address):
    return int(address.rpartition(":")[2])
