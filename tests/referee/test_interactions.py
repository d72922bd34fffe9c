"""Combinations that are easy to get wrong, as referee files that anybody can run: examples/interactions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from dieselfront.referee import judge
from dieselfront.referee.errors import RefereeError
from dieselfront.referee.svg import draw

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "interactions"
FILES = sorted(FOLDER.glob("*.yaml"))


class Heard:
    """What the referee said about one file."""

    def __init__(self, name: str) -> None:
        self.verdict = judge((FOLDER / f"{name}.yaml").read_bytes(), name)
        self.events = [told.event for told in self.verdict.events]
        self.units = {unit["id"]: unit for unit in self.verdict.state["units"]}
        self.answers = self.verdict.to_json()["answers"]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["kind"] == kind]

    @property
    def labels(self) -> list[str]:
        return [event["label"] for event in self.of("Rolled")]

    def stages(self, label: str, number: int = 0) -> list[tuple[str, ...]]:
        """The dice of a roll: first throw, re-rolls and chains in their order."""
        rolled = [event for event in self.of("Rolled") if event["label"] == label][number]
        return [tuple(faces) for _, faces in rolled["stages"]]

    @property
    def hits(self) -> list[tuple[str, int, int]]:
        return [(event["target"], event["hits"], event["saved"]) for event in self.of("Hits")]

    def tokens(self, unit: str) -> list[str]:
        return [token for token in self.units[unit]["tokens"] if token != "activated"]

    def place_of(self, kind: str, **wanted: Any) -> int:
        """Where in the log the last such event stands."""
        return max(
            place
            for place, event in enumerate(self.events)
            if event["kind"] == kind and all(event.get(key) == value for key, value in wanted.items())
        )


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_interaction_is_told_and_can_be_drawn(file: Path):
    text = file.read_text("utf-8")
    assert text.startswith("# "), "it begins with what it shows"
    found = judge(text.encode(), file.name)
    assert found.title and found.events
    json.dumps(found.to_json())
    ElementTree.fromstring(draw(found.state, found.answers, found.title))


def test_there_is_a_file_for_every_interaction():
    assert len(FILES) >= 24


@pytest.mark.rule("d47.skill.berserk", "d47.skill.expert", "d47.open.chain_stacking")
def test_berserk_and_expert_the_extra_dice_hit_on_army_alone():
    heard = Heard("berserk-expert")
    assert heard.stages("to hit") == [("ARMY", "TARGET", "SHIELD"), ("TARGET", "ARMY"), ("TARGET",)]
    assert heard.hits == [("b1", 3, 0)] and heard.units["b1"]["left"] == 6


@pytest.mark.rule("d47.action.sustained", "d47.weapon.laser", "d47.skill.laser_sustained")
def test_a_sustained_laser_rerolls_its_initial_dice_alone():
    heard = Heard("sustained-laser")
    assert [len(faces) for faces in heard.stages("to hit")] == [3, 2, 2, 1]
    assert heard.hits == [("b1", 3, 0)]


@pytest.mark.rule("d47.skill.and_stay_down", "d47.skill.nothins_easy", "d47.open.token_immunity")
def test_stay_down_suppresses_at_once_but_not_the_followers_of_nothins_easy():
    heard = Heard("stay-down-nothins-easy")
    assert (heard.tokens("b1"), heard.tokens("b2")) == ([], ["suppressed"])
    assert [event["token"] for event in heard.of("TokenRefused")] == ["suppressed"]


@pytest.mark.rule("d47.skill.defensive_tactics", "d47.weapon.flame_saves", "d47.weapon.flame_suppression")
def test_defensive_tactics_work_in_cover_that_a_flame_ignores():
    heard = Heard("defensive-tactics-flame")
    assert heard.answers[0]["cover"] is True and heard.answers[0]["saves"] == []
    assert heard.labels == ["to hit", "damage resilient"]
    assert heard.units["b1"]["left"] == 3 and heard.tokens("b1") == ["suppressed"]


@pytest.mark.rule("d47.skill.steel_guard_artillery", "d47.skill.steel_guard_save", "d47.skill.steel_guard_resilient")
def test_steel_guards_in_cover_save_as_infantry_against_shells():
    heard = Heard("steel-guard-artillery")
    assert heard.labels == ["to hit", "infantry save", "damage resilient", "to hit", "cover save"]
    assert heard.hits == [("b1", 3, 2), ("b2", 2, 1)]
    assert (heard.units["b1"]["left"], heard.units["b2"]["left"]) == (2, 2)


@pytest.mark.rule("d47.weapon.sniper_pick", "d47.weapon.sniper_saves", "d47.open.squad_leader_combined")
def test_a_sniper_may_name_the_joined_hero_and_then_the_leader_of_the_squad():
    heard = Heard("sniper-joined-hero")
    offered = {option["label"] for item in heard.answers[0]["decision"]["items"] for option in item["options"]}
    assert {"Squad (at Frank)", "Squad (at Leader)"} <= offered
    assert "Alone (at Leader)" not in offered
    assert heard.labels == ["to hit"] and heard.units["b1"]["models_left"] == 3


@pytest.mark.rule("d47.skill.first_strike_stun", "d47.weapon.tesla_stun", "d47.skill.first_strike")
def test_whom_a_first_striker_stuns_does_not_strike_back():
    heard = Heard("first-strike-tesla")
    assert [event["unit"] for event in heard.of("WeaponsDeclared")] == ["a1", "b1"]
    assert heard.hits == [("b1", 1, 0)] and heard.tokens("b1") == ["stunned"]


@pytest.mark.rule("d47.attack.suppress.deferred", "d47.skill.infantry_ace", "d47.reactive.timing")
def test_suppressed_by_a_reaction_an_ace_still_takes_its_third_action():
    heard = Heard("reaction-third-action-suppression")
    assert heard.labels[:4] == ["infantry ace", "recovery", "reaction", "to hit"]
    assert heard.tokens("a1") == ["suppressed"]
    assert heard.place_of("TokenGained", unit="a1") > heard.place_of("Hits", target="b1")


@pytest.mark.rule("d47.skill.cheat_death", "d47.attack.cc.simultaneous")
def test_a_hero_who_cheats_death_in_close_combat_has_struck_and_stands_up_last():
    heard = Heard("cheat-death-close-combat")
    assert heard.labels == ["to hit", "to hit", "cheat death"]
    assert heard.units["a1"]["left"] == 3
    assert heard.units["b1"]["left"] == 1 and heard.tokens("b1") == ["stunned"]


@pytest.mark.rule("d47.skill.jammer_artillery", "d47.skill.artillery_observer_reload", "d47.weapon.artillery_indirect")
def test_a_jammed_call_rerolls_hits_and_the_battery_reloads():
    heard = Heard("observer-jammer-reload")
    assert heard.stages("to hit") == [("ARMY", "ARMY"), ("ARMY", "SHIELD")]
    assert heard.hits == [("b1", 1, 0)] and heard.units["b1"]["left"] == 4
    assert heard.of("Happened")[-1]["rule"] == "d47.skill.artillery_observer_reload"


@pytest.mark.rule("d47.skill.jammer_artillery", "d47.action.sustained", "d47.open.reroll_limit")
def test_a_jammed_sustained_call_rerolls_hits_first_and_misses_after():
    heard = Heard("observer-jammer-sustained")
    assert heard.stages("to hit") == [("ARMY", "SHIELD"), ("SHIELD",), ("ARMY", "ARMY")]
    assert heard.hits == [("b1", 2, 0)]


@pytest.mark.rule("d47.transport.survivors", "d47.transport.destroyed_roll", "d47.critical.fire_damage")
def test_passengers_of_a_burnt_out_transport_are_suppressed_and_done():
    heard = Heard("passengers-burning-transport")
    assert heard.units["a1"]["status"] == "lost"
    riders = heard.units["a2"]
    assert (riders["left"], riders["places"], riders["activated"]) == (3, ["C4"], True)
    assert heard.tokens("a2") == ["suppressed"]


@pytest.mark.rule("d47.height.attacker", "d47.fort.bunker_saves", "d47.open.reroll_limit")
def test_height_takes_saves_before_the_bunker_gives_them_back():
    heard = Heard("height-bunker")
    assert heard.stages("cover save") == [("ARMY", "SHIELD", "TARGET"), ("TARGET", "SHIELD"), ("SHIELD", "TARGET")]
    assert heard.hits == [("b1", 3, 2)]
    assert heard.answers[0]["cover"] is True and "d47.open.fort_cover" in heard.answers[0]["rules"]


@pytest.mark.rule("d47.weather.severe_cover", "d47.weapon.sniper_saves", "d47.attack.los.smoke_inside")
def test_a_sniper_denies_smoke_but_not_the_weather():
    heard = Heard("weather-smoke-sniper")
    near, far = heard.answers
    assert (near["cover"], near["saves"]) == (True, [])
    assert (far["cover"], [save["label"] for save in far["saves"]]) == (True, ["cover save"])
    assert "d47.weather.severe_cover" in far["rules"]
    assert heard.labels == ["to hit", "to hit", "cover save"]


@pytest.mark.rule("d47.weapon.salvo_attack", "d47.weapon.volley", "d47.weapon.wire_guided", "d47.weapon.limited_ammo")
def test_a_missile_in_company_is_not_guided_a_salvo_doubles_and_a_volley_counts_its_rockets():
    heard = Heard("salvo-volley-wire-guided")
    assert "d47.weapon.wire_guided" in heard.answers[0]["rules"], "alone it would be"
    assert [event["dice"] for event in heard.of("PoolPlanned")] == [2, 4, 2]
    assert all(len(event["stages"]) == 1 for event in heard.of("Rolled"))


@pytest.mark.rule("d47.attack.suppress.deferred", "d47.skill.and_stay_down", "d47.attack.suppress.no_cc_attack")
def test_told_to_stay_down_in_its_activation_a_unit_first_fights_its_close_combat():
    heard = Heard("stay-down-deferred")
    assert heard.hits == [("a1", 1, 1), ("b1", 3, 0)] and heard.tokens("a1") == ["suppressed"]


@pytest.mark.rule("d47.skill.radiation", "d47.height.target", "d47.open.reroll_limit")
def test_radiation_strikes_before_the_height_helps():
    heard = Heard("radiation-height")
    assert heard.stages("cover save") == [("ARMY", "TARGET"), ("TARGET",), ("ARMY", "SHIELD")]
    assert heard.hits == [("b1", 2, 2)]


@pytest.mark.rule("d47.weapon.grapple_release", "d47.reactive.uses_activation")
def test_whoever_reacts_lets_go():
    heard = Heard("grapple-reaction")
    assert heard.tokens("a1") == []
    assert [event["token"] for event in heard.of("TokenLost")] == ["grappled"]


@pytest.mark.rule("d47.skill.execute", "d47.weapon.grapple_hit", "d47.weapon.grapple_release")
def test_an_execution_ends_the_grip():
    heard = Heard("grapple-execute")
    assert heard.units["b1"]["left"] == 1 and heard.tokens("b1") == []


@pytest.mark.rule("d47.skill.cheat_death", "d47.weapon.tesla_reaction", "d47.attack.suppress.deferred")
def test_a_hero_back_from_death_in_a_reaction_acts_before_he_is_stunned():
    heard = Heard("cheat-death-reaction")
    assert heard.labels == ["reaction", "to hit", "infantry save", "cheat death", "to hit", "infantry save"]
    assert heard.tokens("a1") == ["stunned"] and heard.units["a1"]["left"] == 1


@pytest.mark.rule("d47.skill.fighting_spirit", "d47.weapon.laser", "d47.action.sustained")
def test_fighting_spirit_does_not_reach_into_the_chain():
    heard = Heard("fighting-spirit-laser")
    assert [len(faces) for faces in heard.stages("to hit")] == [2, 1, 2]
    assert heard.hits == [("b1", 2, 0)]


@pytest.mark.rule("d47.open.camouflage_area", "d47.skill.camouflage_effect", "d47.weapon.artillery_everyone")
def test_shells_aimed_beside_the_camouflaged_hit_them_too():
    heard = Heard("artillery-camouflage")
    howitzer = heard.answers[0]["decision"]["items"][0]
    offered = {option["label"].split()[0] for option in howitzer["options"]}
    assert "C7" not in offered and "D7" in offered
    assert (heard.units["b1"]["left"], heard.units["b2"]["left"]) == (3, 2)


@pytest.mark.rule("d47.skill.assassin", "d47.skill.damage_resilient", "d47.attack.damage.owner_chooses")
def test_an_assassin_chooses_who_is_hurt_by_what_was_not_negated():
    heard = Heard("assassin-resilience")
    assert [event["soldier"] for event in heard.of("SoldierLost")] == ["Machinegun"]


@pytest.mark.rule("d47.skill.scout", "d47.skill.charge", "d47.turn.max_three_actions")
def test_scouts_who_charge_have_three_actions_and_no_more():
    heard = Heard("scout-charge")
    offered = [option["label"] for option in heard.answers[0]["decision"]["options"]]
    assert {"march + attack", "march + free close-attack"} <= set(offered)
    assert not any(label.count("attack") > 1 for label in offered)


# -- positions that such questions need ---------------------------------------------------------------

SQUAD = "{kind: infantry, armour: S2, models: 5, move: 2, march: 4}"
TRUCK = "{id: truck, kind: vehicle, armour: V2, damage: 4, move: 3, march: 6, skills: [Wheeled, Passengers (4)]}"
BASE = """\
ruleset: dust1947
size: 9x9
units:
  - {{id: a1, side: blue, place: C8, facing: N, {first}}}
  - {{id: b1, side: red, card: {squad}, {second}}}
{more}
"""


def put(first: str = f"card: {SQUAD}", second: str = "place: C5", more: str = "") -> Any:
    return judge(BASE.format(first=first, second=second, squad=SQUAD, more=more).encode(), "a file")


@pytest.mark.rule("d47.transport.passenger_spaces")
def test_nobody_rides_where_there_is_no_room():
    with pytest.raises(RefereeError, match=r"line 5: .*cannot ride in a1"):
        put(f"card: {TRUCK}", "aboard: a1")
    with pytest.raises(RefereeError, match=r"line 6: .*cannot ride in a1"):
        put(f"card: {TRUCK}", more=f"  - {{id: a2, side: blue, aboard: a1, card: {SQUAD}}}")


@pytest.mark.rule("d47.weapon.reload_token")
def test_an_unloaded_weapon_cannot_be_used():
    gun = "{name: Gun, count: 1, range: 8, vs: {S2: 1/1}, rules: [Reload]}"
    card = f"card: {{kind: hero, armour: S2, damage: 3, move: 2, march: 4, weapons: [{gun}]}}"
    ask = "ask:\n  - weapons: {from: a1, to: b1}"
    loaded, empty = put(card, more=ask), put(f"{card}, unloaded: gun", more=ask)
    assert [answer.facts["weapons"][0]["usable"] for answer in (*loaded.answers, *empty.answers)] == [True, False]


@pytest.mark.rule("d47.trench.cover", "d47.skill.dozer_blade_dig", "d47.open.fort_cover", "d47.fort.full")
@pytest.mark.parametrize(
    "second, more, rule",
    [
        ("place: C5", "terrain: [trench at C5]", "d47.trench.cover"),
        ("place: D4", "fortifications: [{kind: bunker, side: red, at: C2, facing: south}]", "d47.open.fort_cover"),
        ("place: C5", "weather: severe", "d47.weather.severe_cover"),
    ],
)
def test_cover_that_is_not_on_the_line_is_told_with_its_rule(second: str, more: str, rule: str):
    found = put(second=second, more=more + "\nask: [{cover: {from: a1, to: b1}}, {sight: {from: a1, to: b1}}]")
    assert [(answer.facts["cover"], answer.rules[-1]) for answer in found.answers] == [(True, rule)] * 2


def test_a_fortification_without_a_place_or_in_the_way_is_refused_with_its_line():
    with pytest.raises(RefereeError, match=r"line 6: .*'at' is missing"):
        put(more="fortifications: [{kind: bunker, side: red}]")
    with pytest.raises(RefereeError, match=r"line 6: .*cannot stand there"):
        put(more="fortifications: [{kind: bunker, side: red, at: A1, facing: south}]")
