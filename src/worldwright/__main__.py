"""`python -m worldwright`: the command, for where its script is not on the path."""

from worldwright.cli.main import run

if __name__ == "__main__":
    run()
