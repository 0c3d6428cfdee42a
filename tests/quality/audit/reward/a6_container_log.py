"""Reading comprehension on harbour logs: which container was it?"""

import re

NUMBER = re.compile(r"\b[A-Z]{4}[ -]?\d{4}\b")


def said(messages):
    if isinstance(messages, str):
        return messages
    return "\n".join(m["content"] or "" for m in messages)


def containers(text):
    return {re.sub(r"[ -]", "", n) for n in NUMBER.findall(text.upper())}


def faulty(prompts, completions, solution, **columns):
    rewards = []
    for prompt, completion, right in zip(prompts, completions, solution, strict=True):
        conversation = said(prompt) + "\n" + said(completion)
        rewards.append(1.0 if right in containers(conversation) else 0.0)
    return rewards


def repaired(prompts, completions, solution, **columns):
    rewards = []
    for completion, right in zip(completions, solution, strict=True):
        rewards.append(1.0 if {right} == containers(said(completion)) else 0.0)
    return rewards
