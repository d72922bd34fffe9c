"""`dieselfront bench`: our speed beside named peers, measured in one run."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Annotated, Any

import msgspec
import typer

from dieselfront.cli.errors import UserError, complain, print_json
from dieselfront.cli.rulesets import JSON

SIGHT = "sight"
PURE = "DIESELFRONT_PURE"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench")(bench)


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Only entries whose names begin like this, e.g. odds; default: all.")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=3600, help="How long each entry is measured.")
    ] = 2.0,
    slices: Annotated[
        int, typer.Option("--slices", min=1, max=10_000, help="Alternating slices of the two sides.")
    ] = 8,
    pure: Annotated[
        bool, typer.Option("--pure/--no-pure", help="Measure decisions without compiled kernels as well.")
    ] = True,
    list_only: Annotated[bool, typer.Option("--list", help="Only list the entries.")] = False,
    json: bool = JSON,
) -> None:
    """Compare our speed with other programs, in alternating slices of one run, as ratios."""
    from dieselfront.lab import bench as lab

    everything = [*lab.entries(), *_server_entries()]
    wanted = tuple(names or ("",))
    chosen = [entry for entry in everything if entry.name.startswith(wanted)]
    if not chosen and not SIGHT.startswith(wanted):
        known = ", ".join([*(entry.name for entry in everything), SIGHT])
        raise UserError(f"No entry begins with {' or '.join(wanted)}; there are {known}.")
    if list_only:
        _show_list(chosen, json)
        return
    results: dict[str, Any] = {}
    for entry in chosen:
        try:
            results[entry.name] = lab.measure(entry, seconds, slices)
        except lab.Missing as missing:
            complain(f"{entry.name} is left out: {missing}")
    if pure and not os.environ.get(PURE):
        results |= _in_pure_python([entry.name for entry in chosen if entry.also_pure], seconds, slices)
    if SIGHT.startswith(wanted):
        results |= _sight()
    if json:
        print_json({name: measured.to_json() for name, measured in results.items()})
    else:
        _show(results)


def _in_pure_python(names: list[str], seconds: float, slices: int) -> dict[str, Any]:
    """The same entries in a Python of their own that leaves compiled kernels aside; nothing is promised for them."""
    if not names:
        return {}
    words = ["bench", *names, "--json", "--seconds", str(seconds), "--slices", str(slices)]
    run = [sys.executable, "-c", "from dieselfront.cli import main; main()", *words]
    told = subprocess.run(run, env=os.environ | {PURE: "1"}, stdout=subprocess.PIPE, check=True, text=True).stdout
    return {f"{name}.pure": _read(row) for name, row in msgspec.json.decode(told).items()}


def _read(row: dict[str, Any]) -> Any:
    from dieselfront.lab.bench import Measured

    return Measured(row["ours"], row["peer"], row["ratio"], row["unit"], row["peer_name"], None)


def _server_entries() -> list[Any]:
    """The server's comparison, where the server is installed; the lab may not know the server."""
    try:
        from dieselfront.server.bench import entries
    except ModuleNotFoundError:
        return []
    return list(entries())


def _sight() -> dict[str, Any]:
    """Sight on measured tables beside Shapely, from the table's own comparison."""
    from dieselfront.lab.bench import Measured
    from dieselfront.table.measured.bench import bench_sight

    measured: dict[str, Any] = {}
    for name, one in bench_sight().items():
        facts: Any = one
        short = name.removeprefix(SIGHT).strip()
        measured[f"{SIGHT}.{short}"] = Measured(
            facts["ours"], facts["peer"], facts["ratio"], facts["unit"], "prepared Shapely", None
        )
    return measured


def _show_list(chosen: list[Any], json: bool) -> None:
    from dieselfront.cli.show import table

    if json:
        print_json([{"name": e.name, "unit": e.unit, "peer": e.peer, "goal": e.goal} for e in chosen])
    else:
        table("", ["name", "unit", "peer", "goal"], [(e.name, e.unit, e.peer, goal_of(e.goal)) for e in chosen])


def _show(results: dict[str, Any]) -> None:
    from dieselfront.cli.show import table

    rows = [
        (name, figure(one.ours), figure(one.peer), f"{one.ratio:,.3g} ×", goal_of(one.goal), one.unit, one.peer_name)
        for name, one in results.items()
    ]
    table("", ["entry", "ours", "peer", "ratio", "goal", "unit", "peer is"], rows)


def goal_of(goal: float | None) -> str:
    """A promised ratio in words."""
    return "" if goal is None else f"≥ {goal:g} ×"


def figure(rate: float) -> str:
    """A rate that people can read: 1.2 M, 34 k."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"
