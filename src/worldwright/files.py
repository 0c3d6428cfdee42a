"""Files of a pack: typed YAML with line numbers, and content digests.

Takes text; gives msgspec records. A scalar is read by the type of the field it fills, never by its look, so `no` in
a text field is the text "no". Duplicate keys, anchors, aliases, tags and unknown keys are errors that name file,
line, field and expectation. Doesn't check meaning: that is each stage's own business.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, TypeVar

import msgspec
import yaml

from worldwright.errors import PackError

__all__ = ["DERIVED", "decode_yaml", "digest", "encode_yaml", "locate", "plain"]

T = TypeVar("T")

DERIVED = frozenset({"certificate.json", "ledger.jsonl", "built.toml", "forge.json"})
"""Files that are made from a pack and lie outside its digest."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 100
_OPENS, _CLOSES = (yaml.MappingStartEvent, yaml.SequenceStartEvent), (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_WHOLE = re.compile(r"[-+]?[0-9]+\Z")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")


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
    """The node tree, or None if there is none. Raises PackError."""
    depth = 0
    try:
        event: Any
        for event in yaml.parse(text, Loader=_LOADER):
            _check_event(event, file)
            depth += isinstance(event, _OPENS) - isinstance(event, _CLOSES)
            if depth > _DEEPEST:
                raise PackError("nested too deeply", file=file, line=event.start_mark.line + 1, expected=f"at most {_DEEPEST} levels")
        return yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        what = ", ".join(part for part in (fault.context, fault.problem) if part)
        raise PackError(f"not YAML: {what}", file=file, line=mark.line + 1 if mark else 1, expected="YAML 1.2") from fault
    except yaml.reader.ReaderError as fault:
        line = text.encode()[: fault.position].count(b"\n") + 1
        raise PackError(f"not YAML: {fault.reason}", file=file, line=line, expected="YAML 1.2") from fault
    except (yaml.YAMLError, UnicodeEncodeError) as fault:
        raise PackError(f"not YAML: {fault}", file=file, line=1, expected="YAML 1.2") from fault


def _check_event(event: Any, file: str) -> None:
    """What YAML has and the format hasn't."""
    line = event.start_mark.line + 1
    if getattr(event, "anchor", None):
        raise PackError("anchors and aliases are not part of the format", file=file, line=line, expected="the text in full")
    if getattr(event, "tag", None) is not None:
        raise PackError(f"the tag {event.tag} is not part of the format", file=file, line=line, expected="no tag")


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
            if key.value == "<<" and not key.style:
                raise self.fault(key, field, "the merge key << is not part of the format", "the text in full")
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
            wanted.append(_expected(option))
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
            raise self.fault(node, field, f"got {_kind(node)}", _expected(kind))
        text, quoted = node.value, node.style in ("'", '"', "|", ">")
        if name == "NoneType" and not quoted and text in ("", "null", "~"):
            return None
        if name == "StrType" and (text or quoted):
            return text
        if name == "BoolType" and text in ("true", "false") and not quoted:
            return text == "true"
        if name in ("IntType", "FloatType") and not quoted:
            number = _number(text, int if name == "IntType" else float)
            if number is not None:
                return number
        if name == "LiteralType" and text in kind.values:
            return text
        raise self.fault(node, field, f"got '{text[:60]}'" if text else "got nothing", _expected(kind))


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


def _expected(kind: Any) -> str:
    name = type(kind).__name__
    return "one of " + ", ".join(map(str, kind.values)) if name == "LiteralType" else _EXPECTED.get(name, "a scalar")


def _kind(node: Any) -> str:
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    return "a list" if isinstance(node, yaml.SequenceNode) else f"'{node.value[:60]}'"


def _number(text: str, kind: type[int] | type[float]) -> int | float | None:
    """What YAML 1.2 reads as a decimal number (`012` is 12), if it is finite and of bearable length."""
    if len(text) > 400 or not (_WHOLE if kind is int else _NUMBER).match(text):
        return None
    value = kind(text)
    return value if isinstance(value, int) or math.isfinite(value) else None


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> Any:
    """Blocks stay blocks where nothing would be lost; what a reader takes for a line break is escaped."""
    style = None
    if any(sign in value for sign in "\r\x85\u2028\u2029\ufeff"):
        style = '"'
    elif "\n" in value and not any(line != line.rstrip() for line in value.split("\n")):
        style = "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def encode_yaml(record: Any) -> str:
    """A record as YAML text that `decode_yaml` reads back to an equal record; defaults are left out."""
    built = msgspec.to_builtins(record)
    return str(yaml.dump(built, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=150))


def locate(text: str, field: str) -> int:
    """The line of a field such as `tools.x.args.y` or `expect[0].rows` in a YAML text, or of the nearest thing around it.

    In a list of mappings a name picks the entry whose `name` it is. 0 if the text can't be read.
    """
    try:
        node = _compose(text, "")
    except PackError:
        return 0
    return (_line(node, field) or node.start_mark.line + 1) if node is not None else 0


def _line(node: Any, path: str) -> int:
    """The line of what `path` leads to from here, as far as it leads; 0 if it leads nowhere."""
    for name, line, inner in sorted(_children(node), key=lambda child: -len(child[0])):
        rest = path[len(name) :]
        if path.startswith(name) and rest[:1] in ("", ".", "["):
            return (_line(inner, rest.removeprefix(".")) if rest else 0) or line
    return 0


def _children(node: Any) -> list[tuple[str, int, Any]]:
    """(name, line, node) of what stands in a mapping or list; in a list both `[n]` and its `name` lead to an entry."""
    if isinstance(node, yaml.MappingNode):
        return [(str(key.value), key.start_mark.line + 1, value) for key, value in node.value]
    if not isinstance(node, yaml.SequenceNode):
        return []
    out = [(f"[{n}]", item.start_mark.line + 1, item) for n, item in enumerate(node.value)]
    for item in node.value:
        pairs = item.value if isinstance(item, yaml.MappingNode) else []
        out += [(str(value.value), item.start_mark.line + 1, item) for key, value in pairs if key.value == "name"]
    return out
