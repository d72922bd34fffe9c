"""Dust army lists: blocs, factions, mercenaries, captured vehicles, heroes, pilots, passengers, platoons."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dieselfront.forces.armies import Army, ArmyUnit, starter_armies
from dieselfront.forces.army_check import ArmyReport, check_army
from dieselfront.forces.dust_check import PlatoonChart, Section, are_siblings, platoon_faults
from dieselfront.forces.dust_units import fielded_card
from dieselfront.forces.muster import muster


def army(*units: ArmyUnit | str, **head: Any) -> Army:
    """A list of those units; Allied and for 200 points unless told otherwise."""
    rows = tuple(ArmyUnit(unit) if isinstance(unit, str) else unit for unit in units)
    return Army(**{"ruleset": "dust1947", "name": "Test", "points": 200, "bloc": "Allies", "units": rows, **head})


def rules(*units: ArmyUnit | str, **head: Any) -> list[str]:
    """The rules a list breaks."""
    return [fault.rule for fault in check_army(army(*units, **head)).errors]


def report(*units: ArmyUnit | str, **head: Any) -> ArmyReport:
    return check_army(army(*units, **head))


@pytest.mark.parametrize("name", sorted(starter_armies()))
def test_starter_armies_are_legal_and_use_their_points(name: str) -> None:
    starter = starter_armies()[name]
    found = check_army(starter)
    assert found.errors == () and found.points >= 0.9 * starter.points


# Blocs and factions


@pytest.mark.rule("d47.force.single_bloc")
def test_a_unit_of_another_bloc_is_refused() -> None:
    assert rules("allies-pounder", "axis-hanomag") == ["d47.force.single_bloc"]


@pytest.mark.rule("d47.force.mercenary", "d47.skill.mercenary")
@pytest.mark.parametrize("bloc", ["Allies", "Axis", "SSU"])
def test_any_bloc_takes_mercenaries(bloc: str) -> None:
    assert rules("mercenaries-wrecker", "mercenaries-tanya", bloc=bloc) == []


@pytest.mark.rule("d47.force.single_bloc")
def test_an_unknown_bloc_names_the_nearest() -> None:
    found = report("allies-pounder", bloc="Alies")
    assert "Allies" in found.errors[0].message


USMC = ("allies-usmc-rifle-squad", "allies-usmc-fire-squad", "allies-usmc-assault-squad")


@pytest.mark.rule("d47.force.faction_force")
def test_three_quarters_of_the_points_make_a_faction_force() -> None:
    assert report(*USMC, "allies-ranger-recon-squad", faction="USMC").faction_force


@pytest.mark.rule("d47.force.faction_force")
def test_less_than_three_quarters_make_none() -> None:
    assert rules(*USMC, "allies-ranger-recon-squad", "allies-costa", faction="USMC") == ["d47.force.faction_force"]


@pytest.mark.rule("d47.force.faction_force")
def test_one_unit_of_another_faction_spoils_a_faction_force() -> None:
    assert rules(*USMC, "allies-desert-scorpions-sniper-squad", faction="USMC") == ["d47.force.faction_force"]


@pytest.mark.rule("d47.force.faction_force")
def test_what_the_whole_bloc_may_take_spoils_no_faction_force() -> None:
    assert report(*USMC, USMC[0], "allies-command-truck", faction="USMC").faction_force


@pytest.mark.rule("d47.force.mercenary")
def test_mercenaries_do_not_spoil_a_faction_force() -> None:
    assert report(*USMC, "mercenaries-justine-co", faction="USMC").faction_force


@pytest.mark.rule("d47.skill.commissar_faction")
def test_a_commissar_counts_for_the_faction_of_his_squad() -> None:
    plain = ArmyUnit("ssu-spetsnaz-assault-squad")  # 9 AP, and 3 of 12 on a bloc squad would be just enough
    led = ArmyUnit("ssu-spetsnaz-assault-squad", options={"nkvd-political-commissar-machine-gunner": 1})
    assert report(plain, "ssu-red-army-sniper-squad", bloc="SSU", faction="Spetsnaz").errors  # 9 of 13
    assert report(led, "ssu-red-army-sniper-squad", bloc="SSU", faction="Spetsnaz").ok  # 12 of 16


@pytest.mark.rule("d47.force.faction_bonus", "d47.open.faction_75_base")
def test_a_faction_force_gets_a_tenth_more_for_heroes() -> None:
    squads = ["allies-usmc-rifle-squad"] * 11  # 99 AP
    found = report(*squads, "allies-diver", faction="USMC", points=99)
    assert found.ok and found.bonus == 9  # Diver is 9 AP
    assert report(*squads, "allies-diver", faction="USMC", points=98).errors  # one AP short


@pytest.mark.rule("d47.force.faction_bonus")
def test_the_bonus_buys_no_tank() -> None:
    squads = ["allies-usmc-rifle-squad"] * 11
    assert rules(*squads, "allies-bushmaster", faction="USMC", points=99) == ["d47.force.faction_bonus"]


@pytest.mark.rule("d47.force.faction_bonus")
def test_without_a_faction_there_is_no_bonus() -> None:
    squads = ["allies-usmc-rifle-squad"] * 11
    assert not report(*squads, "allies-diver", points=99).ok


@pytest.mark.rule("d47.force.mercenary_bonus")
def test_a_force_of_mercenaries_only_gets_the_bonus_too() -> None:
    team = ["mercenaries-mercenary-cleaning-team"] * 4  # 40 AP
    found = report(*team, "mercenaries-emma", bloc="Mercenaries", points=40)
    assert found.ok and found.bonus == 4


@pytest.mark.rule("d47.force.mercenary_bonus")
def test_a_captured_walker_leaves_them_the_bonus_a_tank_does_not() -> None:
    team = ["mercenaries-mercenary-cleaning-team"] * 4
    walker = ArmyUnit("axis-ludwig", captured=True)
    tank = ArmyUnit("ssu-red-fury", captured=True)
    assert report(*team, walker, bloc="Mercenaries").bonus > 0
    assert report(*team, tank, bloc="Mercenaries").bonus == 0


@pytest.mark.rule("d47.force.captured_one")
def test_one_captured_vehicle_is_allowed_two_are_not() -> None:
    one, other = ArmyUnit("axis-ludwig", captured=True), ArmyUnit("ssu-nadya", captured=True)
    assert rules("allies-pounder", one) == []
    assert rules("allies-pounder", one, other) == ["d47.force.captured_one"]


@pytest.mark.rule("d47.force.captured_one")
def test_what_is_not_on_the_captured_list_cannot_be_captured() -> None:
    assert rules("allies-pounder", ArmyUnit("axis-wotan", captured=True)) == ["d47.force.captured_one"]
    assert rules(ArmyUnit("allies-pounder", captured=True)) == ["d47.force.captured_one"]


@pytest.mark.rule("d47.force.captured_cost")
def test_a_captured_vehicle_costs_two_more() -> None:
    assert report("allies-pounder", ArmyUnit("axis-ludwig", captured=True)).points == 13 + 14


def test_a_list_over_its_limit_is_refused() -> None:
    found = report("allies-pounder", points=12)
    assert "13 points; the limit is 12" in found.errors[0].message


# Heroes


@pytest.mark.rule("d47.hero.unique")
def test_no_hero_stands_twice() -> None:
    assert rules("allies-costa", "allies-costa") == ["d47.hero.unique"]


@pytest.mark.rule("d47.hero.unique")
def test_two_versions_of_one_hero_are_one_hero() -> None:
    assert rules("allies-machete-mack-bar", "allies-machete-mack-pistol") == ["d47.hero.unique"]
    assert rules("allies-bushmaster", "allies-rattlesnake") == []


@pytest.mark.rule("d47.hero.unique")
def test_a_second_profile_is_not_bought() -> None:
    assert rules("mythos-lilith", "mythos-lilith-possessed", bloc="Mythos")[0] == "d47.hero.unique"


@pytest.mark.rule("d47.hero.same_armor", "d47.hero.join_before_game")
def test_hero_and_squad_need_the_same_armour() -> None:
    assert rules(joining("allies-costa", "allies-ranger-recon-squad"), "allies-ranger-recon-squad") == []
    broken = rules(joining("allies-costa", "allies-usmc-fire-squad"), "allies-usmc-fire-squad")
    assert broken == ["d47.hero.same_armor"]
    lighter = rules(joining("allies-diver", "allies-ranger-recon-squad"), "allies-ranger-recon-squad")
    assert lighter == ["d47.hero.same_armor"]


def joining(hero: str, squad: str) -> ArmyUnit:
    return ArmyUnit(hero, joins=squad)


@pytest.mark.parametrize(
    ("hero", "squad", "bloc", "rule"),
    [
        pytest.param(
            *("axis-christoph", "axis-fallschirmjager-battle-squad", "Axis", "d47.skill.airborne_join"),
            marks=pytest.mark.rule("d47.skill.airborne_join"),
        ),
        pytest.param(
            *("axis-christoph", "axis-raketentruppe-battle-squad", "Axis", "d47.skill.flying_join"),
            marks=pytest.mark.rule("d47.skill.flying_join"),
        ),
        pytest.param(
            *("axis-manfred", "axis-gorilla-squad", "Axis", "d47.skill.gorilla"),
            marks=pytest.mark.rule("d47.skill.gorilla"),
        ),
        pytest.param(
            *("axis-markus", "axis-sturmgrenadier-assault-squad", "Axis", "d47.skill.gorilla"),
            marks=pytest.mark.rule("d47.skill.gorilla"),
        ),
        pytest.param(
            *("axis-christoph", "axis-zombie-grenadier-squad", "Axis", "d47.skill.zombie_join"),
            marks=pytest.mark.rule("d47.skill.zombie_join"),
        ),
        pytest.param(
            *("axis-wolfgang", "axis-grenadier-battle-squad", "Axis", "d47.skill.zombie_join"),
            marks=pytest.mark.rule("d47.skill.zombie_join"),
        ),
        pytest.param(
            *("axis-christoph", "axis-zombie-squad", "Axis", "d47.skill.mindless_join"),
            marks=pytest.mark.rule("d47.skill.mindless_join"),
        ),
        pytest.param(
            *("ssu-winter-child", "ssu-steel-guards-assault-squad", "SSU", "d47.skill.superhuman_join"),
            marks=pytest.mark.rule("d47.skill.superhuman_join"),
        ),
        pytest.param(
            *("ssu-winter-child", "ssu-steel-guards-assault-squad", "SSU", "d47.skill.steel_guard_join"),
            marks=pytest.mark.rule("d47.skill.steel_guard_join"),
        ),
        pytest.param(
            *("axis-angela-spy", "axis-sturmgrenadier-assault-squad", "Axis", "d47.skill.loner"),
            marks=pytest.mark.rule("d47.skill.loner"),
        ),
    ],
)
def test_skills_limit_who_joins_whom(hero: str, squad: str, bloc: str, rule: str) -> None:
    assert rule in rules(joining(hero, squad), squad, bloc=bloc)


@pytest.mark.parametrize(
    ("hero", "squad", "bloc"),
    [
        ("axis-kurt", "axis-fallschirmjager-battle-squad", "Axis"),
        ("axis-kaori", "axis-raketentruppe-battle-squad", "Axis"),
        ("axis-markus", "axis-gorilla-squad", "Axis"),
        ("axis-wolfgang", "axis-zombie-squad", "Axis"),
        ("axis-totenmeister", "axis-zombie-squad", "Axis"),
        ("ssu-guai-lo", "ssu-steel-guards-assault-squad", "SSU"),
        ("allies-diver", "allies-usmc-heavy-machine-gun-squad", "Allies"),
    ],
)
def test_like_may_join_like(hero: str, squad: str, bloc: str) -> None:
    assert rules(joining(hero, squad), squad, bloc=bloc) == []


def test_a_hero_joins_no_vehicle() -> None:
    assert rules(joining("allies-costa", "allies-pounder"), "allies-pounder") == ["d47.hero.join_before_game"]


@pytest.mark.rule("d47.hero.one_per_unit")
def test_a_second_hero_in_a_squad_is_refused() -> None:
    squad = "allies-ranger-recon-squad"
    assert rules(joining("allies-costa", squad), joining("allies-jack", squad), squad) == ["d47.hero.one_per_unit"]


@pytest.mark.rule("d47.hero.siblings")
def test_siblings_may_both_join() -> None:
    squad = "ssu-pla-assault-squad"
    pair = (joining("ssu-the-dragon", squad), joining("ssu-the-phoenix", squad))
    assert rules(*pair, squad, bloc="SSU") == []
    other = (joining("ssu-the-dragon", squad), joining("ssu-vasiliy", squad))
    assert rules(*other, squad, bloc="SSU") == ["d47.hero.one_per_unit"]


@pytest.mark.rule("d47.hero.siblings")
def test_siblings_must_name_each_other() -> None:
    dragon, phoenix = muster(army("ssu-the-dragon", "ssu-the-phoenix", bloc="SSU"))
    stranger = msgspec.structs.replace(phoenix, card=msgspec.structs.replace(phoenix.dust, skills=()))
    assert are_siblings([dragon, phoenix]) and not are_siblings([dragon, stranger])


@pytest.mark.rule("d47.skill.commissar_poon")
def test_commissar_poon_must_join_and_wants_no_company() -> None:
    squad = "ssu-pla-assault-squad"
    assert rules("ssu-commissar-poon", squad, bloc="SSU") == ["d47.skill.commissar_poon"]
    assert rules(joining("ssu-commissar-poon", squad), squad, bloc="SSU") == []
    crowd = (joining("ssu-commissar-poon", squad), joining("ssu-the-dragon", squad))
    assert "d47.skill.commissar_poon" in rules(*crowd, squad, bloc="SSU")


@pytest.mark.rule("d47.skill.commissar_join")
def test_a_commissar_joins_his_squad_and_brings_his_gun() -> None:
    gunner = ArmyUnit("ssu-red-army-battle-squad", options={"nkvd-political-commissar-machine-gunner": 1})
    mustered = muster(army(gunner, bloc="SSU"))[0]
    card = fielded_card(mustered)
    assert mustered.points == 6 + 3
    assert card.soldiers[-1].roles == ("commissar",) and card.has("Commissar") and card.has("Brave")
    assert card.weapons[card.soldiers[-1].weapons[0]].name == "Machinegun"
    assert len({weapon.id for weapon in card.weapons}) == len(card.weapons)


@pytest.mark.rule("d47.skill.commissar_join")
def test_two_commissars_in_a_squad_are_one_too_many() -> None:
    two = {"nkvd-political-commissar-machine-gunner": 1, "nkvd-political-commissar-tank-hunter": 1}
    assert rules(ArmyUnit("ssu-red-army-battle-squad", options=two), bloc="SSU") == ["d47.skill.commissar_join"]


@pytest.mark.rule("d47.fort.strongpoint_unit_included")
def test_a_bunker_costs_five_more() -> None:
    assert report(ArmyUnit("allies-field-phaser", options={"bunker": 1})).points == 25


# Pilots and passengers


def piloting(hero: str, vehicle: str) -> ArmyUnit:
    return ArmyUnit(hero, pilots=vehicle)


@pytest.mark.rule("d47.pilot.skill_required", "d47.skill.pilot", "d47.skill.air_pilot")
def test_a_pilot_needs_the_skill_for_the_machine() -> None:
    assert rules(piloting("allies-jack", "allies-pounder"), "allies-pounder") == []
    assert rules(piloting("allies-costa", "allies-pounder"), "allies-pounder") == ["d47.pilot.skill_required"]
    assert rules(piloting("allies-jack", "allies-thunder"), "allies-thunder") == ["d47.pilot.skill_required"]
    assert rules(piloting("axis-the-bloody-baron", "axis-falke"), "axis-falke", bloc="Axis") == []


@pytest.mark.rule("d47.skill.pilot_name")
def test_a_named_pilots_machine_takes_nobody_else() -> None:
    assert rules(piloting("ssu-koshka", "ssu-grand-ma"), "ssu-grand-ma", bloc="SSU") == []
    assert rules(piloting("ssu-nikolai", "ssu-grand-ma"), "ssu-grand-ma", bloc="SSU") == ["d47.skill.pilot_name"]
    snow = piloting("axis-sigrid-with-panzerfaust", "axis-snow-lynx")
    assert rules(snow, "axis-snow-lynx", bloc="Axis") == []
    wrong = piloting("axis-sigrid-with-panzerfaust", "axis-ludwig")
    assert rules(wrong, "axis-ludwig", bloc="Axis") == ["d47.skill.pilot_name"]


@pytest.mark.rule("d47.skill.pilot_name")
def test_a_named_pilots_machine_stands_once() -> None:
    assert rules("ssu-grand-ma", "ssu-grand-ma", bloc="SSU") == ["d47.skill.pilot_name"]


@pytest.mark.rule("d47.pilot.one_per_vehicle")
def test_two_pilots_do_not_fit_one_seat() -> None:
    seat = "allies-pounder"
    assert rules(piloting("allies-jack", seat), piloting("allies-tom", seat), seat) == ["d47.pilot.one_per_vehicle"]


@pytest.mark.rule("d47.transport.passenger_spaces", "d47.transport.start_mounted", "d47.skill.passengers")
def test_passengers_need_a_space_each_and_two_in_heavy_armour() -> None:
    aboard = ArmyUnit("axis-sturmgrenadier-assault-squad", mounted_in="axis-hanomag")
    assert rules(aboard, "axis-hanomag", bloc="Axis") == []
    hero = joining("axis-manfred", "axis-sturmgrenadier-assault-squad")
    assert rules(aboard, hero, "axis-hanomag", bloc="Axis") == []  # five and one are six
    heavy = ArmyUnit("axis-heavy-grenadier-assault-squad", mounted_in="axis-hanomag")
    assert rules(heavy, "axis-hanomag", bloc="Axis") == []  # three times two are six
    pair = ArmyUnit("axis-sturmgrenadier-observer-squad", mounted_in="axis-hanomag")
    assert rules(aboard, pair, "axis-hanomag", bloc="Axis") == ["d47.transport.passenger_spaces"]
    assert rules(heavy, pair, "axis-hanomag", bloc="Axis") == ["d47.transport.passenger_spaces"]


@pytest.mark.rule("d47.skill.zombie_transport")
def test_zombies_never_ride() -> None:
    aboard = ArmyUnit("axis-zombie-squad", mounted_in="axis-hanomag")
    assert rules(aboard, "axis-hanomag", bloc="Axis") == ["d47.skill.zombie_transport"]


@pytest.mark.rule("d47.airlift.who", "d47.open.airlift_capacity")
def test_an_airlifter_lifts_one_airmobile_vehicle() -> None:
    lifted = ArmyUnit("ssu-nadya", mounted_in="ssu-carrier")
    assert rules(lifted, "ssu-carrier", bloc="SSU") == []
    assert rules(lifted, lifted, "ssu-carrier", bloc="SSU") == ["d47.open.airlift_capacity"]
    tank = ArmyUnit("ssu-karl", mounted_in="ssu-carrier")
    assert rules(tank, "ssu-carrier", bloc="SSU") == ["d47.airlift.who"]


@pytest.mark.rule("d47.sealift.capacity")
def test_a_sealifter_has_twelve_spaces() -> None:
    walker = ArmyUnit("allies-pounder", mounted_in="allies-lcm-46")
    squad = ArmyUnit("allies-ranger-recon-squad", mounted_in="allies-lcm-46")
    assert rules(walker, squad, "allies-lcm-46") == []
    assert rules(walker, walker, "allies-lcm-46") == []
    man = ArmyUnit("allies-costa", mounted_in="allies-lcm-46")
    assert rules(walker, walker, man, "allies-lcm-46") == ["d47.sealift.capacity"]
    huge = ArmyUnit("allies-punisher", mounted_in="allies-lcm-46")
    assert "d47.sealift.capacity" in rules(huge, "allies-lcm-46")


# Platoons


def member(card: str, role: str) -> ArmyUnit:
    return ArmyUnit(card, platoon="first", role=role)  # type: ignore[arg-type]


WALKERS = {"first": "allies-medium-walker"}


@pytest.mark.rule("d47.platoon.composition", "d47.platoon.optional")
def test_a_platoon_is_complete_or_refused() -> None:
    command, pounder = member("allies-mickey", "command"), member("allies-pounder", "combat")
    hotdog = member("allies-hotdog", "combat")
    assert rules(command, pounder, hotdog, platoons=WALKERS) == []
    assert rules(command, pounder, platoons=WALKERS) == ["d47.platoon.optional"]
    assert rules(pounder, hotdog, platoons=WALKERS) == ["d47.platoon.composition"]
    wrong = member("allies-hotdog", "command")
    assert rules(wrong, pounder, hotdog, platoons=WALKERS) == ["d47.platoon.optional"]


@pytest.mark.rule("d47.platoon.composition")
def test_a_platoon_known_by_name_needs_a_command_and_two_to_four_combat_units() -> None:
    command, combat = member("allies-ranger-command-squad", "command"), member("allies-ranger-combat-squad", "combat")
    chart = {"first": "allies-ranger"}
    assert rules(command, combat, combat, platoons=chart) == []
    assert rules(command, combat, platoons=chart) == ["d47.platoon.composition"]
    assert rules(command, *[combat] * 5, platoons=chart) == ["d47.platoon.composition"]


@pytest.mark.rule("d47.platoon.mercenary_swap")
def test_one_mercenary_of_equal_armour_may_stand_in() -> None:
    command, hotdog = member("allies-mickey", "command"), member("allies-hotdog", "combat")
    weak = member("mercenaries-pulverizer", "combat")  # V3 for a V4 walker
    assert "d47.platoon.composition" in rules(command, hotdog, weak, platoons=WALKERS)


@pytest.mark.rule("d47.platoon.mercenary_swap")
def test_a_mercenary_walker_as_strong_as_the_one_it_replaces_completes_the_platoon() -> None:
    section = Section("Combat", ("allies-blackhawk",))  # a V3 walker, like the mercenaries' own
    chart = PlatoonChart("test", "Test", combat=(section, section), command=Section("Command", ("allies-mickey",)))

    def faults(*cards: str) -> list[str]:
        units = [member("allies-mickey", "command"), *(member(card, "combat") for card in cards)]
        return [rule for _, rule in platoon_faults(chart, list(muster(army(*units, platoons=WALKERS))))]

    assert faults("allies-blackhawk", "allies-blackhawk") == []
    assert faults("allies-blackhawk", "mercenaries-wrecker") == []
    assert faults("mercenaries-wrecker", "mercenaries-wrecker") == ["d47.platoon.mercenary_swap"]


@pytest.mark.rule("d47.platoon.composition")
def test_a_platoon_of_another_bloc_is_refused() -> None:
    assert "d47.platoon.composition" in rules("allies-pounder", platoons={"first": "red-guard"})


@pytest.mark.rule("d47.platoon.multiple")
def test_a_unit_names_one_platoon_that_exists() -> None:
    found = report(ArmyUnit("allies-pounder", platoon="ghost"))
    assert "ghost" in found.errors[0].message


# The list itself


def test_an_unrestricted_list_is_stamped_and_its_breaches_are_warnings() -> None:
    found = report("allies-pounder", "axis-hanomag", points=5, unrestricted=True)
    assert found.ok and {fault.rule for fault in found.warnings} == {"d47.force.single_bloc", ""}


def test_no_permission_mends_a_card_that_does_not_exist() -> None:
    found = report("allies-ponder", unrestricted=True)
    assert not found.ok and "allies-pounder" in found.errors[0].message


def test_references_to_units_that_are_not_there_are_refused() -> None:
    assert "not in the list" in report(joining("allies-costa", "nobody")).errors[0].message
    assert "itself" in report(joining("allies-costa", "allies-costa")).errors[0].message


def test_cards_of_another_edition_are_a_warning() -> None:
    assert "edition 0" in report("allies-pounder", data="0").warnings[0].message


def test_an_empty_list_is_refused() -> None:
    assert not report().ok
