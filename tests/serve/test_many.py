"""Two hundred live rollouts in one process and sixteen clients at once: nothing crosses over, and all of it stops cleanly."""

from __future__ import annotations

import json
import threading
from collections import Counter

import pytest
from running import EXAMPLES, Served

pytest.importorskip("mcp.server.lowlevel")
ROLLOUTS, CLIENTS = 200, 16


@pytest.mark.slow
def test_many_rollouts_do_not_cross(tmp_path):
    out = tmp_path / "run.jsonl"
    with Served(EXAMPLES / "tool-hire", "--out", out, "--most", ROLLOUTS) as served:
        task = "tool-hire/credit-late-deliveries"
        started = [served.start(task, index=n, seed=n % 2) for n in range(ROLLOUTS)]
        faults: list[str] = []

        def work(client: int) -> None:
            for n in range(client, ROLLOUTS, CLIENTS):
                rental = 3 if n % 2 == 0 else 1
                asked = {"rental_id": rental, "amount_cents": 1000 + n}
                given = served.call(started[n]["url"], "issue_credit", asked)
                told = json.loads(given["content"][0]["text"])
                if told != asked and "error" not in told:
                    faults.append(f"{n}: {told}")
                served.call(started[n]["url"], "submit_answer", {"credited": n, "total_cents": 1000 + n})

        threads = [threading.Thread(target=work, args=(client,)) for client in range(CLIENTS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert not faults
        code, err = served.stop()
    assert (code, "0 rollouts were open" in err) == (0, True)
    made = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert Counter(one["trace"]["answer"]["credited"] for one in made) == Counter(range(ROLLOUTS))
    credited = 0
    for one in made:
        n = one["trace"]["answer"]["credited"]
        assert one["trace"]["instance"].endswith(f"@{n % 2}")
        amounts = [change["new"]["amount_cents"] for change in one["changes"] if change["table"] == "credits"]
        assert amounts in ([], [1000 + n])
        credited += len(amounts)
    assert credited >= ROLLOUTS // 2
