"""A known solution. It may call the world's tools and nothing else; it gets what the agent is told."""


def solve(__ARG__):
    return {"__COLUMN__": __TOOL__(__ARG__=__ARG__)["__COLUMN__"]}
