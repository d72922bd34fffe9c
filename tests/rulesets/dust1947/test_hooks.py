"""The hooks and their map: every hook is called, every skill is on the map, slips are refused when a file loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from dieselfront.kernel.hooks import oversight
from dieselfront.rulesets.dust.hooks import HOOKS, Registry, Skill, WeaponRule
from dieselfront.rulesets.dust1947 import RULESET
from rulesets.dust1947.table import Table, hero, squad

ROOT = Path(__file__).resolve().parents[3]
CHAPTERS = ROOT / "src" / "dieselfront" / "rulesets" / "dust1947"
MAP = (ROOT / "docs" / "hooks.md").read_text("utf-8")


def kinds() -> list[type[Skill]]:
    registry = RULESET.registry
    return [kind for names in (registry.skills, registry.weapon_rules) for found in names.values() for kind in found]


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_called_by_a_chapter_and_stands_on_the_map(hook):
    sources = [path.read_text("utf-8") for path in CHAPTERS.rglob("*.py")]
    assert any(f'"{hook}"' in source for source in sources)
    assert f"`{hook}`" in MAP


def test_every_skill_and_weapon_rule_stands_on_the_map():
    missing = {kind.rule for kind in kinds() if kind.rule and f"`{kind.rule}`" not in MAP}
    assert not missing


def test_a_skill_that_answers_a_hook_nobody_calls_is_refused():
    with pytest.raises(TypeError, match="on_hitt"):

        class Slip(Skill):
            def on_hitt(self) -> None: ...


@pytest.mark.rule("d47.skill.no_double")
def test_the_same_skill_on_hero_and_squad_answers_once():
    table = Table()
    both = table.put(squad(skills="Brave"), "C3", joined=hero(skills="Brave"))
    assert len(both.effects["on_recovery_dice"]) == 1
    resilient = table.put(squad(skills="Damage Resilient"), "C4", joined=hero(skills="Damage Resilient"))
    assert len(resilient.effects["on_negate"]) == 2, "what is not shared answers for each bearer"


@pytest.mark.rule("d47.skill.sharing_table")
def test_the_sharing_table():
    alone = {
        *("Ace Air Pilot", "Ace Pilot", "And Stay Down", "Assassin", "Berserk", "Blutkreuz", "Camouflage"),
        *("Damage Resilient", "Expert", "First Strike", "Killing Spree", "Lucky", "Spy", "Take Aim"),
    }
    together = {
        *("Advanced Reactive Fire", "At the Double", "Charge", "Defensive Tactics", "Fighting Spirit", "Infantry Ace"),
        *("Interrogate", "Mindless", "Move and Fire", "Nothin's Easy", "Scout", "Trailblazer"),
    }
    for name, shared in [*((name, False) for name in alone), *((name, True) for name in together)]:
        assert all(kind.shared is shared for kind in RULESET.registry.skills[name]), name


def test_a_variant_replaces_all_classes_of_a_name_and_inherits_the_rest():
    class Fast(Skill):
        name = "Airborne"

    child = RULESET.registry.child([Fast])
    assert child.skills["Airborne"] == [Fast] and child.skills["Brave"] == RULESET.registry.skills["Brave"]
    assert len(RULESET.registry.skills["Airborne"]) > 1


def test_switching_a_rule_off_takes_its_effect_away_and_back_on_gives_it_back():
    table = Table()
    card = squad(skills="Brave")
    oversight.off.add("d47.skill.brave")
    try:
        assert "on_recovery_dice" not in table.put(card, "C3").effects
    finally:
        oversight.off.discard("d47.skill.brave")
    assert "on_recovery_dice" in table.put(card, "C4").effects


def test_cards_of_one_id_with_other_skills_are_told_apart():
    from msgspec.structs import replace

    brave = squad(skills="Brave")
    plain = replace(brave, skills=())
    table = Table()
    assert "on_recovery_dice" in table.put(brave, "C3").effects
    assert "on_recovery_dice" not in table.put(plain, "C4").effects
    assert Registry().of_unit((brave,), ("main",)) == {} and issubclass(WeaponRule, Skill)


def test_every_rule_printed_on_a_card_is_known():
    from dieselfront.forces import dust_catalogue

    unknown = {name for card in dust_catalogue() for name in RULESET.registry.unknown(card)}
    assert not unknown
