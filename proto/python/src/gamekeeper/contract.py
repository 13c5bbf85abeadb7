"""The compiled contract, looked up by name: nothing in this package is written for one ruleset alone."""

from __future__ import annotations

import importlib.util
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any

from google.protobuf import message_factory
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor


class Ruleset:
    """The messages and the service of one ruleset."""

    def __init__(self, name: str) -> None:
        module = importlib.import_module(f"gamekeeper.{name}.v1.{name}_service_pb2")
        (service,) = module.DESCRIPTOR.services_by_name.values()
        self.name = name
        self.service: ServiceDescriptor = service
        self.package: str = module.DESCRIPTOR.package

    @property
    def action(self) -> Descriptor:
        """What a player can do."""
        return self._shown("actions")

    @property
    def view(self) -> Descriptor:
        """The table as one viewer may see it."""
        return self._shown("view")

    @property
    def options(self) -> Descriptor:
        """What the creator of a game may choose."""
        plan = _message(self.method("SelfPlay").input_type, "plan")
        return _message(plan, "options")

    def method(self, name: str) -> MethodDescriptor:
        """A method of the ruleset's service."""
        return self.service.methods_by_name[name]

    def _shown(self, field: str) -> Descriptor:
        observation = _message(self.method("SelfPlay").output_type, "observations")
        return _message(observation, field)


@cache
def ruleset(name: str) -> Ruleset:
    """The contract of one ruleset, such as `dominion`.

    Raises `ValueError` when the package was built without it.
    """
    if name not in rulesets():
        raise ValueError(f"no ruleset {name!r}; there are {', '.join(rulesets())}")
    return Ruleset(name)


@cache
def rulesets() -> tuple[str, ...]:
    """The ids of all rulesets that the package was built with."""
    import gamekeeper

    folders = (module.name for module in pkgutil.iter_modules(gamekeeper.__path__) if module.ispkg and not module.name.startswith("_"))
    return tuple(sorted(name for name in folders if _is_ruleset(name)))


def _is_ruleset(folder: str) -> bool:
    return folder != "v1" and importlib.util.find_spec(f"gamekeeper.{folder}.v1") is not None


def _message(descriptor: Descriptor, field: str) -> Descriptor:
    """The message that a field holds."""
    held = descriptor.fields_by_name[field].message_type
    assert held is not None, f"{descriptor.full_name}.{field} is no message"
    return held


def message_class(descriptor: Descriptor) -> type[Message]:
    """The class of a message."""
    return message_factory.GetMessageClass(descriptor)


def unpacked(packed: Packed) -> Any:
    """The message of a ruleset that `TableService` packed."""
    name = packed.type_url.rpartition("/")[2]
    parts = name.split(".")
    descriptor = ruleset(parts[1]).service.file.pool.FindMessageTypeByName(name)
    message = message_class(descriptor)()
    message.ParseFromString(packed.value)
    return message


def packed(message: Message) -> Packed:
    """A message of a ruleset, as `TableService` takes it."""
    any_message = Packed()
    any_message.Pack(message)
    return any_message


def names(catalogue: Message) -> tuple[str, ...]:
    """The components that the contract names by text instead of an enum, such as spaces of a map, in their order.

    They are the entries of a catalogue whose first field is a text named `id`.
    """
    found: list[str] = []
    for field, value in catalogue.ListFields():
        if field.message_type is not None and field.is_repeated:
            key = field.message_type.fields_by_number.get(1)
            if key is not None and key.name == "id" and key.type == key.TYPE_STRING:
                found += (entry.id for entry in value)
    return tuple(found)
