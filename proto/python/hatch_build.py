"""Compiles the contract when the package is built, so no generated file is kept in the repository.

Generated code refuses to run with libraries that are older than its compiler, so the package depends on those.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from importlib.metadata import requires
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Dependencies(MetadataHookInterface):
    """Adds the libraries that the compiler itself needs: grpcio and protobuf."""

    def update(self, metadata: dict[str, Any]) -> None:
        needed = [line for line in requires("grpcio-tools") or () if line.startswith(("grpcio", "protobuf"))]
        metadata["dependencies"] = ["googleapis-common-protos>=1.66", *needed]


class CompileContract(BuildHookInterface[Any]):
    """Adds messages, their types and gRPC stubs to the package as `gamekeeper.v1`, `gamekeeper.<ruleset>.v1`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        self.folder = Path(tempfile.mkdtemp(prefix="gamekeeper-contract-"))
        compile_contract(contract(Path(self.root)), self.folder)
        # Each folder by itself: the package's own modules lie beside them.
        for folder in sorted((self.folder / "gamekeeper").iterdir()):
            build_data["force_include"][str(folder)] = f"gamekeeper/{folder.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.target_name == "wheel":
            shutil.rmtree(self.folder)


def contract(root: Path) -> Path:
    """The folder that holds the protos: in a source distribution a copy, in the repository the folder above."""
    copy = root / "contract"
    return copy if copy.is_dir() else root.parent


def compile_contract(source: Path, target: Path) -> None:
    files = sorted(str(path.relative_to(source)) for path in (source / "gamekeeper").rglob("*.proto"))
    compile_files(source, target, ["python", "mypy"], files)
    compile_files(source, target, ["grpc_python", "mypy_grpc"], [file for file in files if file.endswith("_service.proto")])
    for folder in (target / "gamekeeper").rglob("*"):
        if folder.is_dir():
            (folder / "__init__.py").touch()


def compile_files(source: Path, target: Path, kinds: list[str], files: list[str]) -> None:
    from grpc_tools import _proto, protoc

    well_known = Path(next(iter(_proto.__path__)))
    plugins = [f"--plugin={name}={command(name)}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    outputs = [f"--{kind}_out={target}" for kind in kinds]
    quiet = [f"--{kind}_opt=quiet" for kind in kinds if kind.startswith("mypy")]
    status = protoc.main(["protoc", f"-I{source}", f"-I{well_known}", *plugins, *outputs, *quiet, *files])
    if status != 0:
        raise RuntimeError(f"protoc failed with status {status}")


def command(name: str) -> str:
    """The path of a command that a package of the build brought: beside this Python, or on the path."""
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    found = shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        raise FileNotFoundError(f"cannot find {name}, a command of mypy-protobuf")
    return found
