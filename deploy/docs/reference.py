"""The reference of the contract: a page for each package, from the compiled descriptors and the comments in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterator

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

# The numbers of fields in descriptors, of which the paths of comments consist.
MESSAGES, ENUMS, SERVICES = 4, 5, 6
FIELDS, NESTED, INNER_ENUMS, VALUES, METHODS = 2, 3, 4, 2, 2
NAMES = {number: name.removeprefix("TYPE_").lower() for name, number in Field.Type.items()}


def packages(descriptors: Path) -> dict[str, list[FileDescriptorProto]]:
    """The files of the contract by package, in order. Others that they import are not ours to explain."""
    found: dict[str, list[FileDescriptorProto]] = {}
    for file in FileDescriptorSet.FromString(descriptors.read_bytes()).file:
        if file.package.startswith("gamekeeper."):
            found.setdefault(file.package, []).append(file)
    return dict(sorted(found.items()))


def write(descriptors: Path, folder: Path) -> list[str]:
    """Writes the pages, and tells their names."""
    folder.mkdir(parents=True)
    every = packages(descriptors)
    known = {name: package for package, files in every.items() for name in of_package(files)}
    for package, files in every.items():
        (folder / f"{package}.md").write_text("\n".join(page(package, files, known)) + "\n")
    return list(every)


def of_package(files: list[FileDescriptorProto]) -> Iterator[str]:
    """The full names of messages and enums."""
    for file in files:
        for kind, name, _, _ in declared(file):
            if kind != "service":
                yield name


def declared(file: FileDescriptorProto) -> Iterator[tuple[str, str, Any, tuple[int, ...]]]:
    """Yields the declarations of a file: kind, full name, descriptor, path."""
    for at, service in enumerate(file.service):
        yield "service", f"{file.package}.{service.name}", service, (SERVICES, at)
    for at, message in enumerate(file.message_type):
        yield from of_message(file.package, message, (MESSAGES, at))
    for at, enum in enumerate(file.enum_type):
        yield "enum", f"{file.package}.{enum.name}", enum, (ENUMS, at)


def of_message(outer: str, message: Any, path: tuple[int, ...]) -> Iterator[tuple[str, str, Any, tuple[int, ...]]]:
    if message.options.map_entry:
        return
    name = f"{outer}.{message.name}"
    yield "message", name, message, path
    for at, inner in enumerate(message.nested_type):
        yield from of_message(name, inner, (*path, NESTED, at))
    for at, enum in enumerate(message.enum_type):
        yield "enum", f"{name}.{enum.name}", enum, (*path, INNER_ENUMS, at)


class Comments:
    """The comments of a file by path, each as one line."""

    def __init__(self, file: FileDescriptorProto):
        self.by_path = {tuple(place.path): " ".join(place.leading_comments.split()) for place in file.source_code_info.location}

    def of(self, *path: int) -> str:
        return self.by_path.get(path, "")

    def cell(self, *path: int) -> str:
        return self.of(*path).replace("|", "\\|")


def page(package: str, files: list[FileDescriptorProto], known: dict[str, str]) -> Iterator[str]:
    yield f"# {package}"
    yield ""
    yield "Made from the comments of the contract."
    for file in files:
        comments = Comments(file)
        for kind, name, thing, path in declared(file):
            yield from ("", f"({anchor(name)})=", f"## {name.removeprefix(package + '.')}", "", comments.of(*path), "")
            rows = {"service": methods, "message": fields, "enum": values}[kind]
            yield from rows(thing, path, comments, known)


def anchor(name: str) -> str:
    return name.replace(".", "-").lower()


def link(name: str, known: dict[str, str]) -> str:
    """A type, with a link if a page explains it."""
    name = name.removeprefix(".")
    if name not in known:
        return f"`{name}`"
    return f"[{name.removeprefix(known[name] + '.')}](#{anchor(name)})"


def methods(service: Any, path: tuple[int, ...], comments: Comments, known: dict[str, str]) -> Iterator[str]:
    yield "| method | request | response | |"
    yield "|---|---|---|---|"
    for at, method in enumerate(service.method):
        request = ("stream of " if method.client_streaming else "") + link(method.input_type, known)
        response = ("stream of " if method.server_streaming else "") + link(method.output_type, known)
        yield f"| `{method.name}` | {request} | {response} | {comments.cell(*path, METHODS, at)} |"


def fields(message: Any, path: tuple[int, ...], comments: Comments, known: dict[str, str]) -> Iterator[str]:
    if not message.field:
        yield "It has no fields."
        return
    yield "| field | number | type | |"
    yield "|---|---|---|---|"
    for at, field in enumerate(message.field):
        yield f"| `{field.name}` | {field.number} | {kind_of(message, field, known)} | {comments.cell(*path, FIELDS, at)} |"


def kind_of(message: Any, field: Any, known: dict[str, str]) -> str:
    entries = {f"{inner.name}": inner for inner in message.nested_type if inner.options.map_entry}
    entry = entries.get(field.type_name.rpartition(".")[2])
    if entry is not None:
        key, value = (plain(one, known) for one in entry.field)
        return f"map of {key} to {value}"
    if field.label == Field.LABEL_REPEATED:
        return f"list of {plain(field, known)}"
    if field.proto3_optional:
        return f"optional {plain(field, known)}"
    if field.HasField("oneof_index"):
        return f"{plain(field, known)}, one of `{message.oneof_decl[field.oneof_index].name}`"
    return plain(field, known)


def plain(field: Any, known: dict[str, str]) -> str:
    return link(field.type_name, known) if field.type_name else f"`{NAMES[field.type]}`"


def values(enum: Any, path: tuple[int, ...], comments: Comments, _known: dict[str, str]) -> Iterator[str]:
    yield "| name | number | |"
    yield "|---|---|---|"
    for at, value in enumerate(enum.value):
        yield f"| `{value.name}` | {value.number} | {comments.cell(*path, VALUES, at)} |"
