"""Another right way, which must pass too: one that looks at more than it must."""


def solve(__ARG__):
    clock()
    seen = [__TOOL__(__ARG__=__ARG__) for _ in range(2)]
    return {"__COLUMN__": seen[-1]["__COLUMN__"]}
