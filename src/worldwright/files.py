"""Files of a pack: typed YAML with line numbers, and content digests.

Takes text; gives msgspec records. A scalar is read by the type of the field it fills, never by its look, so `no` in
a text field is the text "no". Duplicate keys, anchors, aliases, tags and unknown keys are errors that name file,
line, field and expectation. Doesn't check meaning: that is each stage's own business.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, TypeVar

import msgspec
import yaml

from worldwright.errors import PackError

__all__ = ["DERIVED", "decode_yaml", "digest", "encode_yaml", "locate", "plain"]

T = TypeVar("T")

DERIVED = frozenset({"certificate.json", "ledger.jsonl", "built.toml"})
"""Files that are made from a pack and lie outside its digest."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def digest(files: Mapping[str, bytes]) -> str:
    """The identity of a set of files: sha256 over the sorted lines `path sha256(content)`, derived files left out."""
    total = hashlib.sha256()
    for path in sorted(files):
        if PurePosixPath(path).name not in DERIVED:
            total.update(f"{path} {hashlib.sha256(files[path]).hexdigest()}\n".encode())
    return total.hexdigest()


def decode_yaml(text: str, kind: type[T], file: str) -> T:
    """Read YAML text as one record of the msgspec type `kind`.

    Raises PackError with file, line, field and expectation.
    """
    node = _compose(text, file)
    if node is None:
        raise PackError("the file is empty", file=file, line=1, expected="content")
    built = _Reader(file).read(node, msgspec.inspect.type_info(kind), "")
    try:
        return msgspec.convert(built, kind)
    except msgspec.ValidationError as fault:
        raise PackError(str(fault), file=file, line=1) from fault


def plain(text: str, file: str) -> Any:
    """Read YAML text as plain dicts, lists and text, without typing (for tools that only look)."""
    node = _compose(text, file)
    return None if node is None else _untyped(node)


def _compose(text: str, file: str) -> Any:
    try:
        event: Any
        for event in yaml.parse(text, Loader=_LOADER):
            if getattr(event, "anchor", None):
                raise PackError(
                    "anchors and aliases are not part of the format", file=file, line=event.start_mark.line + 1, expected="the text in full"
                )
            if getattr(event, "tag", None) not in (None, "!"):
                raise PackError(f"the tag {event.tag} is not part of the format", file=file, line=event.start_mark.line + 1)
        return yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line + 1 if fault.problem_mark else 1
        raise PackError(f"not YAML: {fault.problem or fault.context}", file=file, line=line, expected="YAML 1.2") from fault
    except yaml.YAMLError as fault:
        raise PackError(f"not YAML: {fault}", file=file, line=1, expected="YAML 1.2") from fault
    except RecursionError as fault:
        raise PackError("nested too deeply", file=file, line=1) from fault


def _untyped(node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {key.value: _untyped(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_untyped(item) for item in node.value]
    return node.value


class _Reader:
    """Turns YAML nodes into plain values, guided by a msgspec type."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fault(self, node: Any, field: str, message: str, expected: str = "") -> PackError:
        return PackError(message, file=self.file, line=node.start_mark.line + 1, field=field, expected=expected)

    def read(self, node: Any, kind: Any, field: str) -> Any:
        name = type(kind).__name__
        if name == "UnionType":
            return self.union(node, kind, field)
        if name == "StructType":
            return self.struct(node, kind, field)
        if name == "DictType":
            return {
                key.value: self.read(value, kind.value_type, f"{field}.{key.value}" if field else key.value)
                for key, value in self.pairs(node, field)
            }
        if name in ("ListType", "VarTupleType"):
            return self.sequence(node, kind.item_type, field)
        return self.scalar(node, name, kind, field)

    def pairs(self, node: Any, field: str) -> list[tuple[Any, Any]]:
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, field, f"got {_kind(node)}", "a mapping")
        seen: dict[str, int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise self.fault(key, field, "a key is not text", "text keys")
            if key.value in seen:
                raise self.fault(key, field, f"the key '{key.value}' stands twice (first in line {seen[key.value]})", "each key once")
            seen[key.value] = key.start_mark.line + 1
        return list(node.value)

    def struct(self, node: Any, kind: Any, field: str) -> dict[str, Any]:
        fields = {item.encode_name: item for item in kind.fields}
        out: dict[str, Any] = {}
        for key, value in self.pairs(node, field):
            if key.value not in fields:
                raise self.fault(key, field, f"unknown key '{key.value}'", "one of " + ", ".join(sorted(fields)))
            out[key.value] = self.read(value, fields[key.value].type, f"{field}.{key.value}" if field else key.value)
        for name, item in fields.items():
            if item.required and name not in out:
                raise self.fault(node, field, f"the key '{name}' is missing", f"'{name}'")
        return out

    def sequence(self, node: Any, item: Any, field: str) -> list[Any]:
        if not isinstance(node, yaml.SequenceNode):
            raise self.fault(node, field, f"got {_kind(node)}", "a list")
        return [self.read(value, item, f"{field}[{n}]") for n, value in enumerate(node.value)]

    def union(self, node: Any, kind: Any, field: str) -> Any:
        """A union is told apart by the shape of the node: mapping, list, or a scalar tried in the type's own order."""
        wanted = []
        for option in sorted(kind.types, key=lambda t: _SCALAR_ORDER.get(type(t).__name__, 9)):
            name = type(option).__name__
            fits = {
                "StructType": yaml.MappingNode,
                "DictType": yaml.MappingNode,
                "ListType": yaml.SequenceNode,
                "VarTupleType": yaml.SequenceNode,
            }.get(name, yaml.ScalarNode)
            wanted.append(_EXPECTED.get(name, name))
            if not isinstance(node, fits):
                continue
            if fits is not yaml.ScalarNode:
                return self.read(node, option, field)
            try:
                return self.scalar(node, name, option, field)
            except PackError:
                continue
        raise self.fault(node, field, f"got {_kind(node)}", " or ".join(dict.fromkeys(wanted)))

    def scalar(self, node: Any, name: str, kind: Any, field: str) -> Any:
        if not isinstance(node, yaml.ScalarNode):
            raise self.fault(node, field, f"got {_kind(node)}", _EXPECTED.get(name, "a scalar"))
        text, quoted = node.value, node.style in ("'", '"', "|", ">")
        if name == "AnyType":
            return _by_look(text, quoted)
        if name == "NoneType" and not quoted and text in ("", "null", "~"):
            return None
        if name == "StrType" and (text or quoted):
            return text
        if name == "BoolType" and text in ("true", "false") and not quoted:
            return text == "true"
        if name in ("IntType", "FloatType") and not quoted:
            try:
                return int(text) if name == "IntType" else float(text)
            except ValueError:
                pass
        if name == "LiteralType" and text in kind.values:
            return text
        expected = "one of " + ", ".join(map(str, kind.values)) if name == "LiteralType" else _EXPECTED.get(name, name)
        raise self.fault(node, field, f"got '{text[:60]}'" if text else "got nothing", expected)


_EXPECTED = {
    "StrType": "text",
    "IntType": "a whole number",
    "FloatType": "a number",
    "BoolType": "true or false",
    "NoneType": "null",
    "StructType": "a mapping",
    "DictType": "a mapping",
    "ListType": "a list",
    "VarTupleType": "a list",
}
_SCALAR_ORDER = {"NoneType": 0, "BoolType": 1, "IntType": 2, "FloatType": 3, "LiteralType": 4, "StrType": 5}


def _kind(node: Any) -> str:
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    return "a list" if isinstance(node, yaml.SequenceNode) else f"'{node.value[:60]}'"


def _by_look(text: str, quoted: bool) -> Any:
    """A scalar of a field without a type of its own (an argument's default): JSON's own scalars, else text."""
    if quoted:
        return text
    if text in ("true", "false"):
        return text == "true"
    if text in ("", "null", "~"):
        return None
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        return value if value == value and abs(value) != float("inf") else text
    return text


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> Any:
    style = "|" if "\n" in value and not any(line != line.rstrip() for line in value.split("\n")) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def encode_yaml(record: Any) -> str:
    """A record as YAML text that `decode_yaml` reads back to an equal record; defaults are left out."""
    built = msgspec.to_builtins(record)
    return str(yaml.dump(built, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=150))


def locate(text: str, field: str) -> int:
    """The line of a field such as `tools.x.args.y` or `expect[0].rows` in a YAML text; 0 if it can't be told.

    In a list of mappings a name picks the entry whose `name` it is.
    """
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError):
        return 0
    line = 0
    for part in re.findall(r"[^.\[\]]+|\[\d+\]", field):
        found = _step(node, part)
        if found is None:
            dotted = _step(node, field)
            return dotted[0] if dotted is not None else line
        line, node = found
    return line


def _step(node: Any, part: str) -> tuple[int, Any] | None:
    if isinstance(node, yaml.SequenceNode):
        if part.startswith("["):
            n = int(part[1:-1])
            return (node.value[n].start_mark.line + 1, node.value[n]) if n < len(node.value) else None
        for item in node.value:
            named = _step(item, "name")
            if named is not None and getattr(named[1], "value", None) == part:
                return item.start_mark.line + 1, item
        return None
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key.start_mark.line + 1, value
    return None
