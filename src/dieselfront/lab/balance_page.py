"""The balance report as one HTML file: every share with its interval as a chart, in the colours of the app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files

from dieselfront import rulesets
from dieselfront.lab.attribution import UnitWorth
from dieselfront.lab.balance import FAIR, LOPSIDED, Cell, Report, Share

WIDTH, LABEL, ROW = 760, 250, 22
MOST_UNITS = 15
"""The best and the worst so many cards are drawn; the table below lists all."""
COLOURS = {"even": "#2c6a3c", "unsure": "#86620e", LOPSIDED: "#b3340f"}


def page(report: Report) -> str:
    """The whole page."""
    rules = rulesets.load(report.ruleset)
    title = f"Balance of {rules.name}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{report.games} games between the armies named below and {report.unit_games} between random armies, "
        f"all played by two <b>{escape(report.player)}</b> players. Version {escape(report.version)} of the rules, "
        f"seed {escape(report.seed)}.</p>",
        '<p class="small">Bars are 95 % intervals (Wilson) of the share won among decided games; the green band is '
        "45 to 55 %. Green: inside the band. Brown: outside, but too few games to be sure. Red: the whole interval "
        "lies outside.</p>",
        _warnings(report),
        _section("Scenarios", f"How often {rules.sides[0]} wins.", report.scenarios),
        _section("Who acts first", "How often the side with the first activation wins.", [report.first_player]),
        _section("Armies", "How often each army wins against all others, on both sides.", report.armies),
        _section("Army against army", "How often the first of two armies wins.", report.pairs),
        _cells(report.cells, rules.sides),
        _units(report.units),
        f'<p class="small">Digest of all games: <code>{report.digest}</code></p>',
    ]
    body = "\n".join(parts)
    style = files("dieselfront.lab").joinpath("balance.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n"
        "</html>\n"
    )


def _warnings(report: Report) -> str:
    if not report.warnings:
        return '<p class="small">Nothing is proven to be lopsided.</p>'
    lines = "".join(f"<p>{escape(one)}</p>" for one in report.warnings)
    return f'<div class="warn">{lines}</div>'


def _section(title: str, sentence: str, shares: Sequence[Share]) -> str:
    if not shares:
        return ""
    rows = "".join(
        f"<tr><td>{escape(one.name)}</td><td>{one.games}</td><td>{one.won}</td><td>{one.drawn}</td>"
        f"<td>{one.share:.0%}</td><td>{one.low:.0%} – {one.high:.0%}</td></tr>"
        for one in shares
    )
    table = (
        "<table><tr><th></th><th>games</th><th>won</th><th>drawn</th><th>share</th><th>95 % interval</th></tr>"
        f"{rows}</table>"
    )
    bars = [(one.name, one.share, one.low, one.high, COLOURS[one.verdict]) for one in shares]
    return f"<h2>{title}</h2><p>{sentence}</p>{_chart(bars, 0.0, 1.0, FAIR, 0.25, _percent)}{table}"


def _cells(cells: Sequence[Cell], sides: tuple[str, str]) -> str:
    """Armies across, scenarios down; a number is the share won of decided games."""
    if not cells:
        return ""
    armies = sorted({cell.army for cell in cells})
    known = {(cell.scenario, cell.army, cell.side): cell.won for cell in cells}
    head = "".join(f"<th>{escape(army)}<br>as {side}</th>" for army in armies for side in sides)
    rows = ""
    for scenario in sorted({cell.scenario for cell in cells}):
        shares = "".join(_cell(known.get((scenario, army, side))) for army in armies for side in (0, 1))
        rows += f"<tr><td>{escape(scenario)}</td>{shares}</tr>"
    return (
        "<h2>Armies by scenario and side</h2><p>Share won of decided games, and how many of them were decided.</p>"
        f"<table><tr><th></th>{head}</tr>{rows}</table>"
    )


def _cell(won: Share | None) -> str:
    return f"<td>{won.share:.0%} <small>of {won.games - won.drawn}</small></td>" if won is not None else "<td></td>"


def _units(units: Sequence[UnitWorth]) -> str:
    if not units:
        return ""
    drawn = units if len(units) <= 2 * MOST_UNITS else [*units[:MOST_UNITS], *units[-MOST_UNITS:]]
    most = max(5.0, *(max(abs(one.low), abs(one.high)) for one in drawn))
    bars = [(one.card, one.adds, one.low, one.high, _unit_colour(one)) for one in drawn]
    rows = "".join(
        f"<tr><td>{escape(one.card)}</td><td>{one.games}</td><td>{one.adds:+.1f}</td>"
        f"<td>{one.low:+.1f} … {one.high:+.1f}</td><td>{one.per_point:+.2f}</td></tr>"
        for one in units
    )
    return (
        "<h2>What units add</h2><p>Percentage points by which the chance of an even game changes if a tenth of the "
        "army's points goes into this card instead of others, from games between random legal armies (logistic "
        "regression with a ridge).</p>"
        f"{_chart(bars, -most, most, (0.0, 0.0), most / 2, _signed)}"
        "<table><tr><th></th><th>games</th><th>adds</th><th>95 % interval</th><th>per point</th></tr>"
        f"{rows}</table>"
    )


def _unit_colour(unit: UnitWorth) -> str:
    return "#2c6a3c" if unit.low > 0 else "#b3340f" if unit.high < 0 else "#574f3d"


def _percent(value: float) -> str:
    return f"{value:.0%}"


def _signed(value: float) -> str:
    return f"{value:+.0f}" if value else "0"


Bar = tuple[str, float, float, float, str]


def _chart(
    bars: Sequence[Bar], least: float, most: float, band: tuple[float, float], step: float, mark: Callable[[float], str]
) -> str:
    """Intervals one below the other: a line from low to high, a dot for the share."""
    height = ROW * len(bars) + 28

    def x(value: float) -> float:
        inside = min(most, max(least, value))
        return round(LABEL + (inside - least) / (most - least) * (WIDTH - LABEL - 20), 1)

    parts = [f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="shares with their intervals">']
    if band[0] < band[1]:
        width = round(x(band[1]) - x(band[0]), 1)
        parts.append(
            f'<rect x="{x(band[0])}" y="0" width="{width}" height="{height - 22}" fill="#2c6a3c" opacity=".16"/>'
        )
    ticks = round((most - least) / step)
    for place in (least + number * step for number in range(ticks + 1)):
        parts.append(f'<line x1="{x(place)}" x2="{x(place)}" y1="0" y2="{height - 22}" stroke="#c3b695"/>')
        parts.append(f'<text x="{x(place)}" y="{height - 6}" text-anchor="middle">{mark(place)}</text>')
    for number, (name, share, low, high, colour) in enumerate(bars):
        y = number * ROW + ROW / 2
        parts.append(f'<text x="{LABEL - 10}" y="{y + 4}" text-anchor="end">{escape(_short(name))}</text>')
        parts.append(f'<line x1="{x(low)}" x2="{x(high)}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="4"/>')
        parts.append(f'<circle cx="{x(share)}" cy="{y}" r="6" fill="{colour}" stroke="#f3ecdb" stroke-width="1.5"/>')
    return "".join([*parts, "</svg>"])


def _short(name: str) -> str:
    return name if len(name) <= 36 else name[:35] + "…"


__all__ = ["page"]
