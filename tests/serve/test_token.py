"""The control channel's token: where it comes from, who can read it, and that no message shows it."""

from __future__ import annotations

import stat

import pytest

from worldwright.errors import UsageError
from worldwright.serve.token import VARIABLE, find_token


def test_the_variable_comes_first(tmp_path):
    token, where = find_token({VARIABLE: "a-token-of-some-length"}, tmp_path / "token")
    assert (token, where) == ("a-token-of-some-length", f"in ${VARIABLE}")
    assert not (tmp_path / "token").exists()


def test_a_new_one_is_for_its_owner_alone(tmp_path):
    file = tmp_path / "run" / "token"
    token, where = find_token({}, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(token) >= 40
    assert token not in where
    assert find_token({}, file)[0] == token
    assert find_token({}, tmp_path / "another")[0] != token


def test_a_file_that_others_read_is_refused(tmp_path):
    file = tmp_path / "token"
    file.write_text("a-token-of-some-length\n", encoding="ascii")
    file.chmod(0o644)
    with pytest.raises(UsageError, match="chmod 600"):
        find_token({}, file)


@pytest.mark.parametrize("token", ["short", "", "with a space and enough", "ünïcödé-ünïcödé-ünïcödé", "line\nline-line-line-line"])
def test_what_is_no_token_is_refused_without_being_shown(tmp_path, token):
    with pytest.raises(UsageError, match="not a token") as caught:
        find_token({VARIABLE: token}, tmp_path / "token")
    assert not token or token not in str(caught.value)
