"""Templates are jinja in which an undefined name is an error, and nothing of Python can be reached."""

from __future__ import annotations

import pytest

from worldwright.errors import PackError, TemplateFault
from worldwright.templates import LONGEST, names_in, render


@pytest.mark.parametrize(
    "text, values, rendered",
    [
        ("plain", {}, "plain"),
        ("{{ a }} and {{ b }}", {"a": 1, "b": "x"}, "1 and x"),
        ("{{ cents // 100 }}.{{ '%02d' % (cents % 100) }}", {"cents": 1205}, "12.05"),
        ("{% if late %}late{% else %}on time{% endif %}", {"late": 0}, "on time"),
        ("{% if day == 'any' %}a{% elif day in ['sat', 'sun'] %}b{% else %}c{% endif %}", {"day": "sun"}, "b"),
        ("{{ '%.2f' | format(cents / 100) }} {{ 7 % 4 }} {{ 2 ** 10 }} {{ '-' * 3 }}", {"cents": 1205}, "12.05 3 1024 ---"),
        ("{{ a | replace('-', ' ') | title }} {{ [a, 1] | join(', ') }} {{ 2.55 | round(1, 'floor') }}", {"a": "x-y"}, "X Y x-y, 1 2.5"),
        ("{{ '%s of %s' % (a, b) }} {{ a is none }} {{ b ~ b }} {{ b[1:] }}", {"a": None, "b": "xy"}, "None of xy True xyxy y"),
        ("{{ name | upper }}", {"name": "ada"}, "ADA"),
        ("{{ none_is_text }}", {"none_is_text": None}, "None"),
        ("<b>{{ a }}</b>", {"a": "<i>"}, "<b><i></b>"),
        ("${a} %(a)s {a}", {}, "${a} %(a)s {a}"),
        ("{# a remark #}x", {}, "x"),
    ],
)
def test_render(text, values, rendered):
    assert render(text, values) == rendered


@pytest.mark.parametrize(
    "text, values",
    [
        ("{{ a }}", {}),
        ("{{ a.b }}", {"a": {}}),
        ("{{ a[0] }}", {"a": []}),
        ("{% if a %}x{% endif %}", {}),
        ("{{ 1 // a }}", {"a": 0}),
        ("{{ a + 1 }}", {"a": "x"}),
        ("{{ a | round }}", {"a": "x"}),
        ("{% include 'x' %}", {}),
        ("{% import 'x' as x %}", {}),
        ("{{ a.__class__ }}", {"a": 1}),
        ("{{ ''.__class__.__mro__ }}", {}),
        ("{{ a.append(1) }}", {"a": []}),
        ("{{ range(3) }}", {}),
        ("{{ lipsum() }}", {}),
        ("{{ cycler }}", {}),
        ("{{ self.x }}", {}),
        ("{{ '%s'.format.__globals__ }}", {}),
        ("{{ a.upper }}", {"a": "x"}),
        ("{{ self }}", {}),
        ("{{ '\\ud800' }}", {}),
        ("{{ '%(a)s' % a }}", {"a": {"a": 1}}),
    ],
)
def test_what_is_undefined_or_out_of_reach_is_a_fault(text, values):
    with pytest.raises(TemplateFault) as caught:
        render(text, values, file="brief.yaml", field="instruction")
    assert (caught.value.file, caught.value.field) == ("brief.yaml", "instruction")
    assert caught.value.expected
    assert isinstance(caught.value, PackError)


@pytest.mark.parametrize("text", ["{{ a", "{% if %}", "{% endif %}", "{{ a b }}", "{{ a | nofilter }}", "{{ }}"])
def test_a_broken_template_is_a_fault(text):
    with pytest.raises(TemplateFault) as caught:
        render(f"x\n{text}", {"a": 1}, file="f", field="g")
    assert caught.value.message.startswith("not a template")


def test_names():
    assert names_in("{{ a }} {% if b %}x{% endif %}{{ c | default(d) }}") == {"a", "b", "c", "d"}
    assert names_in("no names {here}") == set()


def test_a_broken_file_names_its_line_and_a_field_leaves_it_to_its_reader():
    with pytest.raises(TemplateFault) as caught:
        names_in("one\ntwo {{ a b }}\n", file="page.md")
    assert (caught.value.file, caught.value.line) == ("page.md", 2)
    with pytest.raises(TemplateFault) as caught:
        names_in("one\ntwo {{ a b }}\n", file="brief.yaml", field="instruction")
    assert (caught.value.line, caught.value.field) == (0, "instruction")


def test_values_are_never_templates_themselves():
    assert render("{{ a }}", {"a": "{{ b }}"}) == "{{ b }}"


# ---- nothing that a template does takes long, or much


@pytest.mark.parametrize(
    "text",
    [
        "{{ 9999 ** 9999 ** 9 }}",
        "{{ a * 3000000000 }}",
        "{{ 3000000000 * a }}",
        "{{ [a] * 100000 }}",
        "{{ '%9999999999d' % 5 }}",
        "{{ '%*d' % (9999999999, 5) }}",
        "{{ '%.9999999999f' | format(5) }}",
        "{{ 1.5 | round(999999999, 'ceil') }}",
        "{{ a | replace('a', a) | replace('a', a) }}",
        "{{ a | join(a) }}",
        "{{ a * 101 }}",
        "{{ a * 60 }}{{ a * 60 }}",
        "{{ %s1 }}" % ("10000000000 * " * 1000),
    ],
)
def test_what_would_grow_without_bound_is_a_fault(text):
    with pytest.raises(TemplateFault, match="can't be rendered"):
        render(text, {"a": "a" * 2_000})


def test_what_is_long_is_rendered_up_to_a_limit():
    assert len(render("{{ a * 100 }}", {"a": "a" * 2_000})) == LONGEST


@pytest.mark.parametrize(
    "text",
    [
        "{% for one in a %}{% endfor %}",
        "{% set b = a ~ a %}",
        "{% macro m() %}{% endmacro %}",
        "{% filter upper %}{% endfilter %}",
        "{{ a.center(9) }}",
        "{{ a | center(9) }}",
        "{{ '%9999999999d' is odd }}",
        "{{ " + "(" * 500 + "1" + ")" * 500 + " }}",
        "{{ " + "not " * 3_000 + "1 }}",
        "{% if 1 %}" * 200 + "{% endif %}" * 200,
        "{{ " + "9" * 5_000 + " }}",
    ],
)
def test_what_has_no_place_in_a_template_is_found_before_it_is_rendered(text):
    with pytest.raises(TemplateFault, match="not a template"):
        names_in(text)
    with pytest.raises(TemplateFault):
        render(text, {"a": "x"})
