"""The shapes of the wire: what the server really sends fits them, and the browser app's types are made from them."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from dieselfront.forces.families import catalogued
from dieselfront.kernel import views
from dieselfront.server import messages, shapes
from dieselfront.server.routes import library
from server.kit import Server, Table, some_answer

ROOT = Path(__file__).resolve().parents[2]
GAMES = ["dust1947", "freeform1947", "konflikt47"]


def fits(shape: Any, told: Any) -> None:
    """Fails with the place and the reason if it does not."""
    msgspec.convert(told, shape)


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_api_types", ROOT / "tools/make_api_types.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play_on(table: Table, choices: int, seed: int) -> list[dict[str, Any]]:
    """Snapshots of a game while both sides choose by chance."""
    chance = random.Random(seed)
    seen = [table.look()]
    for _ in range(choices):
        shown = seen[-1]
        if shown["over"]:
            break
        decision = shown["decision"]
        spots = decision.get("region", {}).get("spots")
        answer = chance.choice(spots) if spots else some_answer(decision, chance)
        if table.choose(answer, shown["version"]).status_code != 200:
            break
        seen.append(table.look())
    return seen


def test_the_types_of_the_browser_app_are_fresh() -> None:
    made = tool()
    stale = "web/src/lib/api-types.ts is stale; run tools/make_api_types.py"
    assert made.TARGET.read_text(encoding="utf-8") == made.generate(), stale


def test_fields_that_may_be_missing_are_marked_and_no_others() -> None:
    made = tool()
    assert made.is_optional(views.UnitView, "hull")
    assert not made.is_optional(messages.Offers, "draw")  # null, but always there
    assert made.is_optional(messages.NewGame, "dice")
    assert not made.is_optional(messages.Snapshot, "type")


@pytest.mark.parametrize("ruleset", GAMES)
def test_snapshots_fit_their_shape_for_players_and_spectators(server: Server, ruleset: str) -> None:
    table = server.begin(ruleset=ruleset)
    for shown in play_on(table, 25, seed=3):
        fits(messages.Snapshot, shown)
    fits(messages.Snapshot, table.look(table.spectator))


def test_previews_and_odds_of_declarations_fit_their_shapes(server: Server) -> None:
    table = server.begin()
    chance = random.Random(5)
    seen = set()
    shown = table.look()
    for _ in range(120):
        if shown["over"] or {"odds", "dice", "reach"} <= seen:
            break
        answer = some_answer(shown["decision"], chance)
        if shown["decision"]["shape"] == "assign":
            odds = server.get(f"{table.path}/odds", table.both).json()
            fits(shapes.OptionsOdds, odds)
            answer = odds["targets"][0]["answer"] if odds["targets"] else answer
        told = server.post(f"{table.path}/preview", {"decision": shown["version"], "answer": answer}, table.both).json()
        fits(shapes.PreviewFacts, told)
        seen |= {name for name in ("odds", "dice", "reach") if told[name]}
        table.choose(answer, shown["version"])
        shown = table.look()
    assert {"odds", "dice", "reach"} <= seen


@pytest.mark.parametrize("ruleset", GAMES)
def test_replays_and_luck_fit_their_shapes(server: Server, ruleset: str) -> None:
    table = server.begin(ruleset=ruleset)
    play_on(table, 12, seed=8)
    table.do("concede", {"seat": 0})
    record = server.get(f"{table.path}/record", table.both).json()
    for path in (table.path, f"/api/records/{server.post('/api/records', record).json()['id']}"):
        fits(shapes.Frame, server.get(f"{path}/replay", table.both, at=5).json())
        fits(shapes.Luck, server.get(f"{path}/luck", table.both).json())
    fits(shapes.Story, server.get(path).json())


def test_the_library_fits_its_shapes(server: Server) -> None:
    fits(list[shapes.Ruleset], server.get("/api/rulesets").json())
    fits(list[shapes.Level], server.get("/api/levels").json())
    fits(list[shapes.RuleText], server.get("/api/rules").json())
    fits(list[shapes.CardRow], server.get("/api/cards").json())
    fits(list[shapes.Starter], server.get("/api/armies/starters").json())
    for ruleset in GAMES:
        fits(list[shapes.Scenario], server.get("/api/scenarios", ruleset=ruleset).json())
        fits(shapes.BalanceNotes, server.get("/api/balance", ruleset=ruleset).json())


def test_every_card_fits_its_shape() -> None:
    for game in catalogued():
        for id in game.catalogue.cards:
            msgspec.json.decode(library._card_json(id, game.ruleset), type=shapes.CardFacts)


def test_reports_about_armies_and_odds_between_cards_fit_their_shapes(server: Server) -> None:
    for starter in server.get("/api/armies/starters").json():
        fits(shapes.ArmyReport, server.post("/api/armies/check", starter["army"]).json())
    asked = {"attacker": "allies-ranger-weapon-squad", "target": "axis-sturmgrenadier-assault-squad"}
    fits(shapes.CardOdds, server.post("/api/odds", asked).json())


def test_messages_of_a_socket_fit_their_shapes(server: Server) -> None:
    table = server.begin()
    visitor = table.socket(table.both)
    shown = visitor.wait_for("snapshot")
    visitor.send({"type": "choose", "decision": 99, "answer": None, "id": 1})
    fits(messages.Outgoing, visitor.wait_for("refused"))
    answer = some_answer(shown["decision"], random.Random(1))
    visitor.send({"type": "choose", "decision": shown["version"], "answer": answer, "id": 2})
    visitor.send({"type": "chat", "text": "Well met"})
    for kind in ("presence", "ack", "update", "chat"):
        fits(messages.Outgoing, visitor.wait_for(kind))
    visitor.close()
