"""The token estimate: exact on its own rules, close to counts taken from real vocabularies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwright.solver.tokens import count_prompt, count_text, count_tool
from worldwright.solver.trace import json_text
from worldwright.world.arguments import openai_tool


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("", 0),
        ("word", 1),
        ("two words", 2),
        ("customers", 1),
        ("equipments", 2),
        ("internationalisation", 4),
        ("customer_id", 2),
        ("12", 1),
        ("54507", 2),
        ("2026-03-30", 6),
        ('":{"', 1),
        ('"}}}}', 2),
        ("\n\n  ", 1),
        ("çüñé", 2),
        ("世界世界", 2),
    ],
)
def test_count_text(text, tokens):
    assert count_text(text) == tokens


# Counts that tiktoken gave for these texts with the vocabulary o200k_base.
KNOWN = {
    "A delivery is late when the carrier handed it over more than 3 days after it was due. "
    "The carrier's record counts, not the desk's.": 31,
    '{"type":"function","function":{"name":"ask_carrier","description":"Ask the carrier when a rental was really handed over.",'
    '"parameters":{"type":"object","properties":{"rental_id":{"type":"integer","description":"The rental\'s id."}},'
    '"required":["rental_id"],"additionalProperties":false}}}': 64,
}


@pytest.mark.parametrize("text, tokens", KNOWN.items(), ids=["prose", "tool"])
def test_estimate_is_near_a_real_count(text, tokens):
    assert abs(count_text(text) - tokens) <= 0.15 * tokens


@given(st.text(max_size=60), st.text(max_size=60))
def test_more_text_never_takes_fewer_tokens(left, right):
    assert count_text(left) <= len(left)
    assert count_text(left) <= count_text(left + "\n" + right)


def test_prompt_counts_text_and_each_tool(packing, tool_hire_tasks):
    for task in (packing, *tool_hire_tasks.values()):
        prompt = task.prompt(task.instance(0))
        counts = count_prompt(prompt)
        assert counts.tools == {tool.name: count_tool(tool) for tool in prompt.tools}
        assert counts.total == counts.text + sum(counts.tools.values())
        spoken = "".join(f"{sender}{text}" for sender, text in prompt.opening)
        assert counts.text >= count_text(prompt.system) + count_text(prompt.instruction) + bool(spoken)


def test_tool_is_counted_in_the_form_models_know(tool_hire):
    tool = tool_hire.tools()[0]
    assert count_tool(tool) == count_text(json_text(openai_tool(tool)))
    assert count_tool(tool) > count_text(tool.doc)
