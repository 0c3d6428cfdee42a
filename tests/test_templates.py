"""Templates are jinja in which an undefined name is an error, and nothing of Python can be reached."""

from __future__ import annotations

import pytest

from worldwright.errors import PackError, TemplateFault
from worldwright.templates import names_in, render


@pytest.mark.parametrize(
    "text, values, rendered",
    [
        ("plain", {}, "plain"),
        ("{{ a }} and {{ b }}", {"a": 1, "b": "x"}, "1 and x"),
        ("{{ cents // 100 }}.{{ '%02d' % (cents % 100) }}", {"cents": 1205}, "12.05"),
        ("{% if late %}late{% else %}on time{% endif %}", {"late": 0}, "on time"),
        ("{% for one in all %}{{ one }};{% endfor %}", {"all": ["a", "b"]}, "a;b;"),
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
        ("{% for one in a %}x{% endfor %}", {}),
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
    ],
)
def test_what_is_undefined_or_out_of_reach_is_a_fault(text, values):
    with pytest.raises(TemplateFault) as caught:
        render(text, values, file="brief.yaml", field="instruction")
    assert (caught.value.file, caught.value.field) == ("brief.yaml", "instruction")
    assert caught.value.expected
    assert isinstance(caught.value, PackError)


@pytest.mark.parametrize("text", ["{{ a", "{% if %}", "{% endif %}", "{{ a b }}", "{% for x %}{% endfor %}", "{{ a | nofilter }}", "{{ }}"])
def test_a_broken_template_is_a_fault(text):
    with pytest.raises(TemplateFault) as caught:
        render(f"x\n{text}", {"a": 1}, file="f", field="g")
    assert caught.value.message.startswith("not a template")


def test_names():
    assert names_in("{{ a }} {% if b %}x{% endif %}{% set c = d %}{{ c }}{% for e in f %}{{ e }}{% endfor %}") == {"a", "b", "d", "f"}
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
