"""A run that is replaced is not spoken of as one that is gone on with."""

from pathlib import Path

import pytest

from worldwright.cli.main import run

TASK = str(Path(__file__).parents[2] / "examples" / "tool-hire" / "tool-hire" / "decide-on-a-complaint")


def test_nothing_is_said_to_be_dropped_where_a_run_is_replaced(tmp_path, capsys):
    out = tmp_path / "run.jsonl"
    for more in ([], ["--force"]):
        with pytest.raises(SystemExit) as ended:
            run(["rollout", TASK, "-s", "noop", "--seeds", "2", "-o", str(out), *more])
        assert ended.value.code in (0, None)
    assert "dropped" not in capsys.readouterr().err
    assert len(out.read_text(encoding="utf-8").splitlines()) == 2
