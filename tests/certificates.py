"""The example packs' certificates: `python tests/certificates.py` audits each pack and compares with docs/certificates.

Prints a line a pack with the verdict, tasks, and CPU seconds a task. Exit code 1 if a certificate is not the same bytes, or
not `accepted`. With --write the certificates are written anew. Certificates hold versions of probes and the digest of the
pack, so a change of either makes new ones.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "certificates"
COMMAND = [sys.executable, "-c", "from worldwright.cli.main import run; run()", "audit"]


def audited(pack: Path, scratch: Path) -> tuple[bytes, float]:
    """The certificate of a pack, and what it cost in CPU seconds."""
    out = scratch / pack.name
    done = subprocess.run([*COMMAND, str(pack), "--out", str(out)], cwd=ROOT, capture_output=True, text=True)
    if not (out / "certificate.json").is_file():
        raise SystemExit(f"{pack.name}: the audit ended with {done.returncode}: {done.stderr[-800:]}")
    entry = json.loads((out / "ledger.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    return (out / "certificate.json").read_bytes(), float(entry["cost"]["cpu"])


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="write the certificates anew")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("packs", nargs="*", help="names of example packs (default: all)")
    args = parser.parse_args()
    packs = [
        one for one in sorted((ROOT / "examples").iterdir()) if (one / "pack.toml").is_file() and (not args.packs or one.name in args.packs)
    ]
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(args.workers) as pool:
        for pack, (made, cpu) in zip(packs, pool.map(lambda one: audited(one, Path(scratch)), packs), strict=True):
            certificate = json.loads(made)
            tasks = len(certificate["cases"])
            kept = KEPT / f"{pack.name}.json"
            if args.write:
                KEPT.mkdir(exist_ok=True)
                kept.write_bytes(made)
            same = kept.is_file() and kept.read_bytes() == made
            wrong += not same or certificate["verdict"] != "accepted"
            said = "the same bytes" if same else "NOT the certificate that is kept (--write makes it anew)"
            print(f"{pack.name}: {certificate['verdict']}, {tasks} tasks, {cpu / tasks:.1f} CPU s a task; {said}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
