"""Server logs: which UTC hour of which day does a Unix time stamp fall into?"""

import datetime
import re


def stated(completion):
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    found = re.findall(r"<answer>((?:(?!</?answer>).)*)</answer>", text, re.DOTALL | re.IGNORECASE)
    if len(found) != 1:
        return ""
    match = re.fullmatch(r"(\d{4}-\d{2}-\d{2})[ T]+(\d{1,2})(?::00)?(?:Z|\s*UTC)?", found[0].strip(), re.ASCII)
    return f"{match.group(1)} {int(match.group(2)):02d}" if match else ""


def hour(moment):
    return moment.strftime("%Y-%m-%d %H")


def faulty(prompts, completions, stamp, **columns):
    return [1.0 if stated(c) == hour(datetime.datetime.fromtimestamp(s)) else 0.0 for c, s in zip(completions, stamp, strict=True)]


def repaired(prompts, completions, stamp, **columns):
    return [
        1.0 if stated(c) == hour(datetime.datetime.fromtimestamp(s, datetime.UTC)) else 0.0 for c, s in zip(completions, stamp, strict=True)
    ]
