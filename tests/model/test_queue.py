"""The queue of files, through its door with real clients: parallel requests, halves of files, bad answers, restarts."""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
from pathlib import Path

import pytest

from worldwright.errors import UsageError
from worldwright.model import Access, Message, Request
from worldwright.model.door import Door
from worldwright.model.queue import Queue
from worldwright.rollout import Job, collect
from worldwright.solver.chat import ChatSolver
from worldwright.verifier import Status

from .desk import clerk


def wait_for(condition, seconds=20):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "nothing happened"
        time.sleep(0.01)


@pytest.fixture
def opened(tmp_path):
    """Opens doors onto the folder; all are closed at the end."""
    doors = []

    def make(seconds=30.0):
        doors.append(Door(Queue(tmp_path / "q", look=0.02), seconds=seconds))
        doors[-1].start()
        return doors[-1]

    yield make
    for door in doors:
        door.close()


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "q"


def post(url, body, headers=None, path="/v1/chat/completions", method="POST"):
    connection = http.client.HTTPConnection(url.split("/")[2], timeout=30)
    connection.request(
        method,
        path,
        body if isinstance(body, (bytes, type(None))) else json.dumps(body),
        {"content-type": "application/json", **(headers or {})},
    )
    reply = connection.getresponse()
    data = reply.read()
    connection.close()
    return reply.status, data


class Asking(threading.Thread):
    """A request that waits in a thread of its own."""

    def __init__(self, url, text, **more):
        super().__init__(daemon=True)
        self.url, self.body, self.got = url, {"model": "m", "messages": [{"role": "user", "content": text}], **more}, None
        self.start()

    def run(self):
        self.got = post(self.url, self.body)

    def answer(self):
        self.join(30)
        assert self.got is not None
        return self.got[0], json.loads(self.got[1])


def said(reply):
    return reply["choices"][0]["message"]["content"]


def test_requests_wait_beside_each_other_and_get_their_own_answers(opened, folder):
    door = opened()
    asking = [Asking(door.url, f"question {n}") for n in range(8)]
    wait_for(lambda: len(list(folder.glob("*.request.json"))) == 8)
    for path in sorted(folder.glob("*.request.json"), reverse=True):
        text = json.loads(path.read_text())["request"]["messages"][0]["content"]
        (folder / path.name.replace("request", "response")).write_text(json.dumps({"text": text.replace("question", "answer")}))
    for n, one in enumerate(asking):
        status, reply = one.answer()
        assert (status, said(reply)) == (200, f"answer {n}")
    wait_for(lambda: Queue(folder).waiting() == [])  # the mark is made once the answer is out


def test_half_a_file_is_never_read(opened, folder):
    door = opened()
    one = Asking(door.url, "hello")
    wait_for((folder / "1.request.json").exists)
    whole = json.dumps({"text": "a whole answer"})
    with (folder / "1.response.json").open("w") as file:
        for letter in whole:
            file.write(letter)
            file.flush()
            time.sleep(0.01)
    status, reply = one.answer()
    assert (status, said(reply)) == (200, "a whole answer")
    assert not (folder / "1.problem.txt").exists()


@pytest.mark.parametrize(
    "bad, words",
    [
        ("not json", "it is not JSON"),
        ("[1]", "it is list, not an object"),
        ("{}", "it is empty"),
        ('{"answer": 1}', "unknown: answer"),
        ('{"text": 1}', "the text is not text"),
        ('{"calls": [{"tool": 1}]}', "calls[0] needs a tool"),
        ('{"calls": {"tool": "x"}}', "calls is not a list"),
        ('{"choices": []}', "choices[0].message is missing"),
        ('{"choices": [{"message": {"tool_calls": [{"function": {"name": "x"}}]}}]}', "function needs a name and arguments"),
        ('{"choices": [{"message": {"tool_calls": 5}}]}', "tool_calls is not a list"),
        ('{"choices": [{"message": {"content": "x"}}], "usage": "much"}', "usage is not an object"),
        ('{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": -9}}', "usage is not an object"),
        ("[" * 100_000, "it is not JSON"),
    ],
)
def test_bad_answer_is_reported_beside_it_and_can_be_mended(opened, folder, bad, words):
    door = opened()
    one = Asking(door.url, "hello")
    wait_for((folder / "1.request.json").exists)
    (folder / "1.response.json").write_text(bad)
    wait_for((folder / "1.problem.txt").exists)
    text = (folder / "1.problem.txt").read_text()
    assert words in text
    assert '{"text": "what the model says"}' in text
    (folder / "part").write_text('{"text": "mended", "calls": [{"tool": "look", "args": {"at": 1}}]}')
    (folder / "part").rename(folder / "1.response.json")
    status, reply = one.answer()
    assert (status, said(reply)) == (200, "mended")
    assert json.loads(reply["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]) == {"at": 1}
    assert not (folder / "1.problem.txt").exists()


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "large"])
def test_what_is_no_plain_file_of_some_size_is_not_read(opened, folder, kind):
    door = opened()
    one = Asking(door.url, "hello")
    wait_for((folder / "1.request.json").exists)
    path = folder / "1.response.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(33 * 2**20)
    wait_for((folder / "1.problem.txt").exists)
    assert ("at most" if kind == "large" else "plain file" if kind != "folder" else "Is a directory") in (
        folder / "1.problem.txt"
    ).read_text()
    (folder / "part").write_text('{"text": "mended"}')
    path.rmdir() if kind == "folder" else path.unlink()
    (folder / "part").rename(path)
    assert said(one.answer()[1]) == "mended"


@pytest.mark.parametrize("stop", ["length", "content_filter"])
def test_a_whole_completion_stays_cut_or_withheld(opened, folder, stop):
    door = opened()
    one = Asking(door.url, "hello")
    wait_for((folder / "1.request.json").exists)
    choice = {"message": {"content": "half an"}, "finish_reason": stop}
    (folder / "1.response.json").write_text(json.dumps({"choices": [choice], "usage": {"prompt_tokens": 7}}))
    _, reply = one.answer()
    assert (reply["choices"][0]["finish_reason"], reply["usage"]) == (
        stop,
        {"prompt_tokens": 7, "completion_tokens": 0, "total_tokens": 0},
    )


def test_unanswered_request_is_told_so_and_answered_later(opened, folder):
    door = opened(seconds=0.2)
    status, reply = Asking(door.url, "hello").answer()
    assert status == 504
    assert "stays in the queue" in reply["error"]["message"]
    (folder / "1.response.json").write_text('{"text": "late"}')
    assert said(Asking(door.url, "hello").answer()[1]) == "late"
    assert len(list(folder.glob("*.request.json"))) == 1


def test_queue_goes_on_as_it_was_left(opened, folder):
    first = opened()
    asking = [Asking(first.url, text) for text in ("one", "two")]
    wait_for(lambda: len(list(folder.glob("*.request.json"))) == 2)
    first.close()
    assert {one.answer()[0] for one in asking} == {504}
    assert Queue(folder).waiting() == [1, 2]
    for path in folder.glob("*.request.json"):
        text = json.loads(path.read_text())["request"]["messages"][0]["content"]
        (folder / path.name.replace("request", "response")).write_text(json.dumps({"text": f"to {text}"}))
    second = opened()
    assert said(Asking(second.url, "two").answer()[1]) == "to two"
    assert said(Asking(second.url, "one").answer()[1]) == "to one"
    third = Asking(second.url, "one")  # that one has its answer: this is a new request
    wait_for((folder / "3.request.json").exists)
    (folder / "3.response.json").write_text('{"text": "again"}')
    assert said(third.answer()[1]) == "again"


def test_client_that_goes_away_leaves_its_request_for_the_next(opened, folder):
    door = opened()
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hello"}]})
    connection = http.client.HTTPConnection(door.url.split("/")[2], timeout=30)
    connection.request("POST", "/v1/chat/completions", body, {"content-type": "application/json"})
    wait_for((folder / "1.request.json").exists)
    connection.close()
    wait_for(lambda: not door.queue._taken)
    again = Asking(door.url, "hello")
    (folder / "1.response.json").write_text('{"text": "for whoever asks"}')
    assert said(again.answer()[1]) == "for whoever asks"
    assert len(list(folder.glob("*.request.json"))) == 1


@pytest.mark.parametrize(
    "body, headers, path, method, status",
    [
        (b"nonsense", {}, "/v1/chat/completions", "POST", 400),
        ({"model": "x"}, {}, "/v1/chat/completions", "POST", 400),
        ({"messages": []}, {"host": "evil.example"}, "/v1/chat/completions", "POST", 403),
        ({"messages": []}, {"origin": "http://evil.example"}, "/v1/chat/completions", "POST", 403),
        ({"messages": []}, {"origin": "null"}, "/v1/chat/completions", "POST", 403),
        (b'{"messages": [{"role": "user", "content": "\\ud800"}]}', {}, "/v1/chat/completions", "POST", 400),
        ({"messages": []}, {"content-length": "99999999999"}, "/v1/chat/completions", "POST", 413),
        ({"messages": []}, {}, "/etc/passwd", "POST", 404),
        (None, {}, "/v1/chat/completions", "GET", 404),
    ],
)
def test_wrong_request_is_refused_and_leaves_no_file(opened, folder, body, headers, path, method, status):
    assert post(opened().url, body, headers, path, method)[0] == status
    assert list(folder.iterdir()) == []


def test_models_are_listed(opened):
    status, data = post(opened().url, None, path="/v1/models", method="GET")
    assert (status, json.loads(data)["data"][0]["id"]) == (200, "queue")


def test_folder_that_is_a_file_is_a_clear_error(tmp_path):
    (tmp_path / "q").write_text("")
    with pytest.raises(UsageError, match="expected a folder for the queue"):
        Queue(tmp_path / "q")


@pytest.mark.parametrize("stream", [False, True])
def test_real_client_does_a_task_through_files(opened, folder, hosted, hire, complaint, stream):
    """The chat solver over the OpenAI client; whoever answers sees the files alone."""
    door = opened()
    server = type("Served", (), {"form": "openai", "url": door.url})()
    stop = threading.Event()

    def answer():
        while not stop.wait(0.01):
            for n in Queue(folder).waiting():
                path = folder / f"{n}.request.json"
                if not (folder / f"{n}.response.json").exists():
                    reply = clerk(json.loads(path.read_text())["request"], n)
                    part = folder / f"part-{n}"
                    part.write_text(json.dumps({"text": reply.text, "calls": [{"tool": tool, "args": args} for tool, args in reply.calls]}))
                    part.rename(folder / f"{n}.response.json")

    person = threading.Thread(target=answer)
    person.start()
    try:
        access = Access(hosted(server, stream=stream))
        [run] = collect([Job(complaint, ChatSolver(access), 0)], hire.digest)
    finally:
        stop.set()
        person.join()
    assert run.verdict.status is Status.PASS
    assert run.spent.estimated  # nobody counts tokens there


def test_same_request_at_once_is_two_requests(opened, folder):
    door = opened()
    asking = [Asking(door.url, "same"), Asking(door.url, "same")]
    wait_for(lambda: len(list(folder.glob("*.request.json"))) == 2)
    for n in (1, 2):
        (folder / f"{n}.response.json").write_text(json.dumps({"text": f"answer {n}"}))
    assert {said(one.answer()[1]) for one in asking} == {"answer 1", "answer 2"}


def test_request_record_holds_what_was_asked(hosted, opened, folder):
    door = opened()
    server = type("Served", (), {"form": "openai", "url": door.url})()
    model = hosted(server)
    request = Request("solver", "served", "Be brief.", (Message("user", "Why?"),))
    threading.Thread(
        target=lambda: (wait_for((folder / "1.request.json").exists), (folder / "1.response.json").write_text('{"text": "So."}')),
        daemon=True,
    ).start()
    assert model.complete(request).text == "So."
    kept = json.loads((folder / "1.request.json").read_text())["request"]
    assert [message["content"] for message in kept["messages"]] == ["Be brief.", "Why?"]
