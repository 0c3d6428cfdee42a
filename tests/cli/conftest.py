"""What tests of commands share: a command run in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from worldwright.cli.main import run

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys) -> Command:
    """Runs a command here; gives its exit code, stdout and stderr."""

    def end(*argv: Any) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            run([str(one) for one in argv])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert isinstance(caught.value.code, int)
        return caught.value.code, out, err

    return end
