"""A service's settings file gets a retry limit and a time-out."""

import json
import random
from types import SimpleNamespace

SERVICES = ["mailer", "indexer", "thumbnails", "billing-sync", "geocoder"]


def desk(keys_named: bool) -> SimpleNamespace:
    def start(case: str, seed: int) -> SimpleNamespace:
        rng = random.Random(f"settings/{case}/{seed}")
        service = rng.choice(SERVICES)
        files = {}
        for name in rng.sample(SERVICES, 5):
            values = {"service": name, "logLevel": rng.choice(["info", "warn", "debug"]), "workers": rng.randint(2, 16)}
            files[name] = json.dumps(values | ({"region": rng.choice(["north", "west"])} if rng.random() < 0.6 else {}), indent=2)
        retries, seconds = rng.randint(3, 12), rng.randrange(15, 95, 5)
        goal = {name: json.loads(text) for name, text in files.items()}
        goal[service] |= {"maxRetries": retries, "timeoutSeconds": seconds}

        def read_settings(service: str) -> str:
            """The settings file of a service, in JSON."""
            if service not in files:
                raise ValueError(f"services are {', '.join(sorted(files))}")
            return files[service]

        def write_settings(service: str, text: str) -> str:
            """Replace the settings file of a service by a JSON object."""
            if service not in files or not isinstance(text, str) or len(text) > 4000:
                raise ValueError("no such service, or no text of at most 4000 characters")
            try:
                values = json.loads(text)
            except RecursionError:
                raise ValueError("too deep") from None
            if not isinstance(values, dict) or any(isinstance(v, dict | list) for v in values.values()):
                raise ValueError("settings are a JSON object of texts, numbers and booleans")
            files[service] = text
            return "saved"

        def finish(answer: object) -> float:
            return 1.0 if {name: json.loads(text) for name, text in files.items()} == goal else 0.0

        names = " under the keys maxRetries and timeoutSeconds, as numbers" if keys_named else ""
        text = json.dumps(goal[service])
        return SimpleNamespace(
            prompt=(
                f"Give the service {service} a limit of {retries} retries and a time-out of {seconds} seconds in its settings "
                f"file{names}. All other settings stay as they are. No answer is needed."
            ),
            tools=[read_settings, write_settings],
            finish=finish,
            reference=lambda: ([("read_settings", {"service": service}), ("write_settings", {"service": service, "text": text})], None),
            state=lambda: {"settings": [{"service": name, "text": json.dumps(json.loads(t), sort_keys=True)} for name, t in files.items()]},
        )

    return SimpleNamespace(name="service-settings", cases=lambda: ["staging", "production"], start=start)


def faulty() -> SimpleNamespace:
    return desk(keys_named=False)


def repaired() -> SimpleNamespace:
    return desk(keys_named=True)
