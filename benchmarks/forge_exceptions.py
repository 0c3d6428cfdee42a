"""How often each exception of the shipped trades decides: `python benchmarks/forge_exceptions.py [--seeds 12] [TRADE...]`.

For every ruling of the trades' worlds and every clause that is an exception: the share of decided rows whose outcome is another without
that clause. A unit is a row of the decided table on one seed; its outcome is computed by SQL from the norm (no verifier, no reference).
"""

from __future__ import annotations

import argparse
import importlib

import msgspec

from worldwright.domain.trades import TRADES
from worldwright.forge.run import OFFICES
from worldwright.forge.sources import sources_of
from worldwright.forge.trial import pack_toml
from worldwright.pack import Pack
from worldwright.synthesis.assemble import assemble, furnished
from worldwright.synthesis.ruling import Ruling
from worldwright.synthesis.strata import joined, outcome_of


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trades", nargs="*", default=list(TRADES))
    parser.add_argument("--seeds", type=int, default=12)
    args = parser.parse_args()
    common: dict[str, list[bool]] = {}
    for trade in args.trades:
        for office, patterns in OFFICES.items():
            material = sources_of([trade])[0].material(0)
            modules = {one: importlib.import_module(f"worldwright.synthesis.patterns.{one}") for one in patterns}
            draft = furnished(f"{trade}-{office}", trade, material, modules, 0)
            rulings: dict[str, Ruling] = {}
            for task in draft.tasks:
                ruling = getattr(task.given, "ruling", None)
                if isinstance(ruling, Ruling):
                    rulings[ruling.slug] = ruling
            if not rulings:
                continue
            pack = Pack(assemble(draft, material) | {"pack.toml": pack_toml("measured", "Measured.")}, "")
            world = next(iter(pack.tasks())).world.world
            for ruling in rulings.values():
                for clause in ruling.clauses:
                    if not clause.exception:
                        continue
                    without = msgspec.structs.replace(ruling, clauses=tuple(one for one in ruling.clauses if one != clause))
                    sql = f"SELECT count(*), sum(({outcome_of(ruling)}) <> ({outcome_of(without)})) FROM {joined(draft, ruling)}"
                    rows = [world.image(seed).query(sql)[0] for seed in range(args.seeds)]
                    n, other = sum(int(row[0]) for row in rows), sum(int(row[1] or 0) for row in rows)
                    common.setdefault(trade, []).append(other >= 0.1 * n)
                    mark = "  below one in ten" if other < 0.1 * n else ""
                    print(
                        f"{trade}: {ruling.title}, clause {clause.number}: decides {other} of {n} rows ({other / n:.2f}){mark}", flush=True
                    )
    for trade, some in common.items():
        print(f"{trade}: {sum(some)} of {len(some)} exceptions decide at least one row in ten")


if __name__ == "__main__":
    main()
