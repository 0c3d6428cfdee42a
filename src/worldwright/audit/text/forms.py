"""Forms of a completion: what may stand around an answer, and how a data set's answer is written in it.

Takes prompts, the right answers and the reward function's source; gives candidate forms, those that the prompt states first.
Which of them is paid, the adapter finds out by trying. Promises the same candidates in the same order for the same input.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

__all__ = ["REASONING", "Form", "Key", "candidates", "keys_of", "named_tags", "states"]

REASONING = (
    "think",
    "thinking",
    "reasoning",
    "thought",
    "thoughts",
    "scratchpad",
    "reflection",
    "analysis",
    "work",
    "working",
    "explanation",
)
"""Names of tags for what is not the answer."""
_ORDINARY = (
    "a b body bos br div em eos h1 h2 h3 head hr html i im_end im_start img li ol p pad pre s script span strong style "
    "sub sup table tbody td th thead tr ul unk"
)
_MARKUP = frozenset(_ORDINARY.split())
_TAG = re.compile(r"<([A-Za-z_][\w-]{0,30})>")
_REASON = "Let me work this out step by step."
_MOST = 90


class Form(msgspec.Struct, frozen=True):
    """What stands before and after the answer. `stated`: the prompt names it."""

    name: str
    before: str
    after: str
    stated: bool = False

    @property
    def frame(self) -> tuple[str, str]:
        """As `Facts` has it."""
        return self.before, self.after


class Key(msgspec.Struct, frozen=True):
    """A right answer as it can be read off a column, and other right ones."""

    name: str
    answer: Any
    others: tuple[Any, ...] = ()


# ---- answers


def keys_of(value: Any) -> list[Key]:
    """The readings of a column's value as a right answer, the likeliest first."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return []
    if isinstance(value, bool):
        return [Key("as it stands", str(value)), Key("as a word", "yes" if value else "no"), Key("lower case", str(value).lower())]
    if isinstance(value, (int, float)):
        return [Key("as it stands", f"{value:g}" if isinstance(value, float) and value == int(value) else str(value))]
    if isinstance(value, (list, tuple)):
        return _of_list(list(value))
    if isinstance(value, dict):
        inside = next((value[name] for name in ("answer", "value", "ground_truth", "target") if name in value), None)
        return [*([] if inside is None else keys_of(inside)), Key("as JSON", value)]
    return _of_text(str(value))


def _of_list(values: list[Any]) -> list[Key]:
    plain = [str(one) for one in values if isinstance(one, (str, int, float))]
    if len(plain) != len(values) or not plain:
        return [Key("as JSON", values)]
    together = [Key("as JSON", values), Key("joined by commas", ", ".join(plain))]
    return [Key("any of the list", plain[0], tuple(plain[1:])), *together]


def _of_text(text: str) -> list[Key]:
    found = [Key("as it stands", text.strip())]
    if text.strip().startswith(("{", "[")):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, (dict, list)) and value:
            found.insert(0, Key("as JSON", value))
    inner = _last_of(text)
    if inner and inner != text.strip():
        found.insert(0, Key("the end of the worked solution", inner))
    return found


def _last_of(text: str) -> str:
    """What a worked solution ends in: after ####, in the last box, in the last answer tag."""
    if "####" in text:
        return text.rsplit("####", 1)[1].strip()
    if "\\boxed{" in text:
        rest = text.rsplit("\\boxed{", 1)[1]
        depth = 1
        for n, mark in enumerate(rest):
            depth += (mark == "{") - (mark == "}")
            if depth == 0:
                return rest[:n].strip()
    tagged = re.findall(r"<answer>(.*?)</answer>", text, re.DOTALL)
    return str(tagged[-1]).strip() if tagged else ""


# ---- frames


def named_tags(text: str) -> list[str]:
    """Names of tags that a text has, in their order, those of ordinary markup left out."""
    return [name for name in dict.fromkeys(_TAG.findall(text)) if name.lower() not in _MARKUP]


def states(prompt: str) -> list[Form]:
    """The forms that a prompt states, the likeliest first."""
    found: list[Form] = []
    names = named_tags(re.sub(r"([\"'])<\w+>\1", "", prompt))
    inner = [name for name in names if name.lower() not in REASONING]
    before = "".join(f"<{name}>\n{_REASON}\n</{name}>\n" for name in names if name.lower() in REASONING)
    for name in reversed(inner):
        found += [Form(f"<{name}>", f"{before}<{name}>", f"</{name}>", True)]
        found += [Form(f"<{name}>, lines apart", f"{before}<{name}>\n", f"\n</{name}>", True)]
    if before and not inner:
        found.append(Form("after the reasoning's tags", before, "", True))
    if re.search(r"\bbox(?:ed)?\b", prompt, re.IGNORECASE):
        found.append(Form("\\boxed", "\\boxed{", "}", True))
    if "####" in prompt or re.search(r"\bfour (?:hash|pound|number)", prompt, re.IGNORECASE):
        found.append(Form("####", "#### ", "", True))
    for hit in re.finditer(
        r"\b((?:final |my |the )?answer(?: is)?)(?:[\"'’”`*]* ?:| and a colon|,? followed by a colon)", prompt, re.IGNORECASE
    ):
        found.append(Form(f"{hit.group(1)}:", f"{hit.group(1)}: ", "", True))
    if "```" in prompt or re.search(r"\bcode (?:block|fence)", prompt, re.IGNORECASE):
        found += [Form(f"a fence{' of ' + kind if kind else ''}", f"```{kind}\n", "\n```", True) for kind in ("", "python", "json")]
    if "[[" in prompt:
        found.append(Form("[[ ]]", "[[", "]]", True))
    if field := re.search(r"\{\s*[\"'](\w+)[\"']\s*:\s*[\"']?(?:<|\.\.\.|\w|…)", prompt):
        found.append(Form(f"JSON with {field.group(1)}", f'{{"{field.group(1)}": "', '"}', True))
    return _distinct(found)


def candidates(prompts: Sequence[str], source: str = "") -> list[Form]:
    """Every form worth a try: stated ones, the bare answer, those that the source names, usual ones; then each after some reasoning."""
    stated = _common(prompts)
    named = list(_from_source(source))
    usual = [
        Form("<answer>", "<answer>", "</answer>"),
        Form("\\boxed", "\\boxed{", "}"),
        Form("####", "#### ", ""),
        Form("Answer:", "Answer: ", ""),
        Form("the answer is", "The answer is ", "."),
        Form("a fence", "```\n", "\n```"),
    ]
    bare = _distinct([*stated, Form("bare", "", ""), *named, *usual])
    deeper = [
        *_thoughtful(bare),
        *(msgspec.structs.replace(one, name=f"{one.name}, after prose", before=f"{_REASON}\n{one.before}") for one in bare),
    ]
    return _distinct([*bare, *deeper])[:_MOST]


def _common(prompts: Sequence[str]) -> list[Form]:
    """Forms that most of the prompts state."""
    every = [states(prompt) for prompt in prompts]
    count: dict[tuple[str, str], int] = {}
    for forms in every:
        for one in forms:
            count[one.frame] = count.get(one.frame, 0) + 1
    return _distinct([one for forms in every for one in forms if 2 * count[one.frame] > len(prompts)])


def _thoughtful(forms: Sequence[Form]) -> Iterator[Form]:
    for one in forms:
        if "<think>" not in one.before:
            yield msgspec.structs.replace(one, name=f"{one.name}, after thoughts", before=f"<think>\n{_REASON}\n</think>\n{one.before}")


def _from_source(source: str) -> Iterator[Form]:
    """Forms whose marks stand in the texts of a source."""
    try:
        texts = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    except (SyntaxError, ValueError, RecursionError):
        return
    together = "\n".join(texts)
    reasoning = [name for name in named_tags(together) if name.lower() in REASONING]
    before = "".join(f"<{name}>\n{_REASON}\n</{name}>\n" for name in reasoning)
    for name in named_tags(together):
        if name not in reasoning:
            yield Form(f"<{name}>", f"<{name}>", f"</{name}>")
            if before:
                yield Form(f"<{name}> after <{reasoning[0]}>", f"{before}<{name}>", f"</{name}>")
                yield Form(f"<{name}> after <{reasoning[0]}>, lines apart", f"{before}<{name}>\n", f"\n</{name}>\n")
    for hit in re.finditer(r"\b((?:final |the )?answer(?: is)?)\b[^\w\n]{0,8}?:", together, re.IGNORECASE):
        yield Form(f"{hit.group(1)}:", f"{hit.group(1)}: ", "")
    if "[[" in together or r"\[\[" in together:
        yield Form("[[ ]]", "[[", "]]")


def _distinct(forms: Sequence[Form]) -> list[Form]:
    """One form a frame, the first of its kind."""
    first: dict[tuple[str, str], Form] = {}
    for one in forms:
        first.setdefault(one.frame, one)
    return list(first.values())
