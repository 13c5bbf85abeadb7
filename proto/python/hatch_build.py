"""Compiles the contract when the package is built, so no generated file is kept in the repository."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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
    from grpc_tools import _proto, protoc

    files = sorted(str(path.relative_to(source)) for path in (source / "gamekeeper").rglob("*.proto"))
    well_known = Path(next(iter(_proto.__path__)))
    outputs = [f"--{kind}_out={target}" for kind in ("python", "pyi", "grpc_python")]
    status = protoc.main(["protoc", f"-I{source}", f"-I{well_known}", *outputs, *files])
    if status != 0:
        raise RuntimeError(f"protoc failed with status {status}")
    for folder in (target / "gamekeeper").rglob("*"):
        if folder.is_dir():
            (folder / "__init__.py").touch()
