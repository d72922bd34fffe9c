"""Dust Tactics Battlefield: Dust on the open table without squares and without leaders.

Every miniature measures, sees and is covered for itself; heroes join and leave by activation. Turn, dice, saves, tokens
and most skills are those of Dust 1947 under this game's ids (cites.yaml); the open table is shared (dust_open).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.dice.die import DUST_DIE
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.battlefield import forts, scenario, skills, weapons
from dieselfront.rulesets.battlefield.activation import BattleActivations
from dieselfront.rulesets.battlefield.attack import BattleAttacks
from dieselfront.rulesets.battlefield.citing import CitingPlay, citing
from dieselfront.rulesets.battlefield.classic import CLASSIC_DIE
from dieselfront.rulesets.battlefield.close_combat import BattleCloseCombat
from dieselfront.rulesets.battlefield.command import BattleCommand
from dieselfront.rulesets.battlefield.damage import BattleDamage
from dieselfront.rulesets.battlefield.engineering import BattleEngineering
from dieselfront.rulesets.battlefield.extras import NoCriticals
from dieselfront.rulesets.battlefield.forts import BattleForts
from dieselfront.rulesets.battlefield.ground import BattleGround
from dieselfront.rulesets.battlefield.hazards import BattleHazards
from dieselfront.rulesets.battlefield.heroes import BattleHeroes
from dieselfront.rulesets.battlefield.movement import BattleMovement
from dieselfront.rulesets.battlefield.places import SYSTEMS
from dieselfront.rulesets.battlefield.reaction import BattleReactions
from dieselfront.rulesets.battlefield.reserves import BattleReserves
from dieselfront.rulesets.battlefield.saves import BattleSaves
from dieselfront.rulesets.battlefield.setup import BattleSetup, Garrison
from dieselfront.rulesets.battlefield.suppression import BattleSuppression
from dieselfront.rulesets.battlefield.templates import BattleTemplates
from dieselfront.rulesets.battlefield.transport import BattleTransport
from dieselfront.rulesets.battlefield.turn import BattleTurn
from dieselfront.rulesets.battlefield.victory import BattleVictory
from dieselfront.rulesets.dust.hooks import Registry
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust_open import scenario as open_scenario
from dieselfront.rulesets.dust_open.places import Measures
from dieselfront.rulesets.dust_open.ruleset import OpenDust

if TYPE_CHECKING:
    from dieselfront.rulesets.battlefield.field import BattleField


class Battlefield(OpenDust):
    """The ruleset: its chapters, its skills, its lengths."""

    id = "battlefield"
    name = "Dust Tactics Battlefield"
    version = "1.2"
    lengths = "cm"
    usual_points = 75
    dice = (DUST_DIE, CLASSIC_DIE)  # type: ignore[assignment]

    options: ClassVar[dict[str, tuple[str, ...]]] = {
        "measure": ("metric", "imperial"),  # bf.setup.measure_system
        "dice": ("modern", "classic"),  # bf.dice.classic_single, bf.dice.classic_pair
        "march_printed": ("twice_move", "card"),
        "salvo_unloaded": ("by_the_rules", "silent"),
        "card_skills": ("without_effect", "as_in_1947"),
        "cc_suppression": ("attacker", "both"),
        "tank_rider_hits": ("unsaved", "all_hits"),
        "flame_template": ("by_range", "one_template"),
        "classic_three_way": ("modern_die", "reroll_ties"),
        "reroll_limit": ("each_effect_once", "one_forced_one_chosen"),
    }

    scenario_type: ClassVar[Any] = scenario.BattleScenario

    attacks: BattleAttacks
    fortifications: BattleForts
    ground: BattleGround
    heroes: BattleHeroes
    reactions: BattleReactions
    reserves: BattleReserves
    templates: BattleTemplates
    transport: BattleTransport

    def __init__(self) -> None:
        super().__init__()
        self.activations = BattleActivations()
        self.attacks = BattleAttacks()
        self.close_combat = BattleCloseCombat()
        self.command = BattleCommand()
        self.criticals = NoCriticals()
        self.damage = BattleDamage()
        self.engineering = BattleEngineering()
        self.fort_rules = forts
        self.fortifications = BattleForts()
        self.ground = BattleGround()
        self.hazards = BattleHazards()
        self.heroes = BattleHeroes()
        self.movement = BattleMovement()
        self.reactions = BattleReactions()
        self.reserves = BattleReserves()
        self.saves = BattleSaves()
        self.setup = BattleSetup()
        self.suppression = BattleSuppression()
        self.templates = BattleTemplates()
        self.transport = BattleTransport()
        self.turn = BattleTurn()
        self.victory = BattleVictory()
        self.works = Garrison()  # type: ignore[assignment]
        self.special_chapters = (self.command, self.engineering)
        self.registry = Registry([*skills.ALL, *skills.CARD_SKILLS], [*weapons.ALL, *weapons.CARD_RULES])

    @cached_property
    def field(self) -> BattleField:
        """What can be measured and seen from every miniature."""
        from dieselfront.rulesets.battlefield.field import BattleField

        return BattleField(self)

    def measures(self, options: dict[str, str]) -> Measures:
        """Centimetres or inches for the whole game (bf.setup.measure_system)."""
        return SYSTEMS[options.get("measure", "metric")]

    def resume(self, play: Play) -> Procedure:
        """Go on from a quiet moment; the log names the rules of this game."""
        return citing(super().resume(CitingPlay(play)))

    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        battle = scenario.read(data, where)
        open_scenario.check(battle, self.terrain, self.kinds, where, self.measures({}))

    def random_scenario(self, seed: str) -> dict[str, Any]:
        """A table that nobody has seen before."""
        from dieselfront.rulesets.battlefield import random_board

        return random_board.scenario(seed)

    def invariants(self, state: DustState, quiet: bool = True) -> Any:
        from dieselfront.rulesets.battlefield.invariants import invariants

        return invariants(self, state, quiet)

    def event_invariants(self, state: DustState, event: Any) -> Any:
        return iter(())

    def switches(self) -> Any:
        from dieselfront.rulesets.battlefield.switches import switches

        return switches(self)


RULESET = Battlefield()
