"""Shooting: declare, react, measure, roll to hit, roll to damage, casualties, morale (k47.shoot.*).

What a hit does to troops and vehicles is in damage.py; special weapons are in weapon_rules.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dieselfront.dice import Because
from dieselfront.dice.plan import DICE, Plan, perform_stage, perform_stages
from dieselfront.kernel.decisions import Assign, IllegalChoice, PickOne, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import NOTHING, About
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import Weapon
from dieselfront.rulesets.konflikt47.damage import Rolling, Volley
from dieselfront.rulesets.konflikt47.events import Declared, Hit, NoShot
from dieselfront.rulesets.konflikt47.firing import (
    ADVANCE,
    AMBUSH,
    FIRE,
    FIREFIGHT,
    FRIENDLY,
    HITS_ON,
    POINT_BLANK,
    STAND_AND_FIRE,
    Aimed,
    Modifier,
    Pool,
    Shot,
)
from dieselfront.rulesets.konflikt47.ground import INCH, Aim
from dieselfront.rulesets.konflikt47.plans import STRUCK
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import DOWN, State, Unit
from dieselfront.rulesets.konflikt47.throws import parse
from dieselfront.table.measured.angles import step
from dieselfront.table.measured.arcs import ALL_ROUND, Arc, Facing, centre_arc, corner_arc, facing_shot_at, in_arc
from dieselfront.table.measured.shapes import Body, distance_from_point
from dieselfront.table.measured.terrain import Cover

SIDE_OF = {"front": Facing.FRONT, "rear": Facing.REAR, "left": Facing.LEFT, "right": Facing.RIGHT}
FACING_NAME = {Facing.FRONT: "front", Facing.REAR: "rear", Facing.LEFT: "side", Facing.RIGHT: "side"}


class Shooting(Chapter):
    """Fire of one unit."""

    # -- the action -------------------------------------------------------------------------------------

    def shoot(self, play: Play, unit: Unit, how: str) -> Procedure:
        """A shooting action by order: declare all targets, let each react, then resolve them (k47.shoot.sequence)."""
        shots = yield from self.declare(play, unit, how)
        if not shots:
            return
        yield from self.fire(play, unit, shots, how, reactions=True)

    def fire(self, play: Play, unit: Unit, shots: Sequence[Shot], how: str, reactions: bool) -> Procedure:
        """Resolve declared shots target by target (k47.shoot.multi_targets)."""
        state: State = play.state
        suppressive = yield from self.suppress(play, unit, shots, how)
        self.announce(play, unit, shots)
        targets = list(dict.fromkeys(shot.target for shot in shots))
        answered: dict[str, str] = {}
        for id in targets:
            target = state.unit(id)
            if reactions and target.alive and target.side != unit.side:
                answered[id] = yield from self.rules.reactions.to_shooting(play, unit, target)
            for answer in target.hooks.get("on_attacked", ()):
                yield from answer(None, play, target)
        while targets:
            id = targets[0]
            if len(targets) > 1:
                id = yield PickOne(
                    unit.side,
                    "next target",
                    list(targets),
                    text="Which target is resolved first?",
                    rule="k47.shoot.multi_targets",
                    unit=unit.id,
                    labels=lambda answer: state.unit(answer).card.name,
                )
            targets.remove(id)
            target = state.unit(id)
            if not unit.alive or not target.alive:
                continue
            mine = [shot for shot in shots if shot.target == id and shot.man in unit.men]
            yield from self.exchange(play, unit, target, mine, how, answered.get(id, ""), suppressive)
        yield from self.rules.weapon_rules.after_firing(play, unit, shots)

    def exchange(
        self, play: Play, unit: Unit, target: Unit, shots: Sequence[Shot], how: str, answer: str, suppressive: bool
    ) -> Procedure:
        """Fire at one target; a firefight is rolled before either side takes losses (k47.react.firefight,
        k47.open.firefight_timing)."""
        volley = yield from self.volley(play, unit, target, shots, how, suppressive, answer)
        back = None
        if answer == FIREFIGHT and unit.on_table:
            returned = yield from self.declare(play, target, FIREFIGHT, only=unit)
            if returned:
                self.announce(play, target, returned)
                back = yield from self.volley(play, target, unit, returned, FIREFIGHT, False, "")
        yield from self.rules.damage.apply(play, volley)
        if back is not None:
            yield from self.rules.damage.apply(play, back)
            yield from self.rules.weapon_rules.after_firing(play, target, returned)

    def volley(
        self, play: Play, unit: Unit, target: Unit, shots: Sequence[Shot], how: str, suppressive: bool, answer: str
    ) -> Procedure:
        """Measure, roll to hit and roll to damage, nothing removed yet (k47.shoot.simultaneous)."""
        special = [shot for shot in shots if unit.weapon(shot.weapon).is_wave]
        plain = [shot for shot in shots if not unit.weapon(shot.weapon).is_wave and shot.round != "smoke"]
        smoke = [shot for shot in shots if shot.round == "smoke"]
        pools, lost = self.pools(play.state, unit, target, plain, how, suppressive, answer)
        if lost and not pools and not special and not smoke:
            play.emit(NoShot(lost[0], unit.id, target.id, lost[1]))
        volley = yield from self.rules.damage.roll(play, unit, target, pools, how)
        volley.suppressive = suppressive
        for shot in smoke:
            yield from self.rules.weapon_rules.smoke(play, unit, target, shot)
        for shot in special:
            volley.waves.append(self.rules.weapon_rules.wave(play.state, unit, target, shot))
        return volley

    def announce(self, play: Play, unit: Unit, shots: Sequence[Shot]) -> None:
        declared = list(dict.fromkeys((unit.weapon(shot.weapon).name, shot.target, shot.round) for shot in shots))
        play.emit(Declared("k47.shoot.sequence", unit.id, tuple(declared)))

    def friendly_fire(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """A complete shooting action at a friend, who may not react (k47.order.fubar_ff_resolve)."""
        shots = yield from self.declare(play, unit, FRIENDLY, only=target)
        if shots:
            yield from self.fire(play, unit, shots, FRIENDLY, reactions=False)

    # -- declaring ------------------------------------------------------------------------------------

    def declare(self, play: Play, unit: Unit, how: str, only: Unit | None = None) -> Procedure:
        """Targets and rounds, before anything is measured (k47.core.measure)."""
        if unit.is_vehicle:
            return (yield from self.declare_vehicle(play, unit, how, only))
        return (yield from self.declare_troops(play, unit, how, only))

    def declare_troops(self, play: Play, unit: Unit, how: str, only: Unit | None) -> Procedure:
        """All models shoot at one unit; one-shot anti-tank weapons may pick a vehicle (k47.shoot.one_target)."""
        state: State = play.state
        if not play.now(lambda: bool(self.options_of(state, unit, how))):
            return []
        if only is None:
            target_id = yield PickOne(
                unit.side,
                "target",
                lambda: [None, *[target.id for target in self.targets(state, unit, how)]],
                text=f"Whom does {unit.card.name} shoot at?",
                rule="k47.shoot.one_target",
                unit=unit.id,
                labels=lambda id: "hold fire" if id is None else state.unit(id).card.name,
                act="attack",
                about=lambda id: NOTHING if id is None else About(act="attack", unit=unit.id, targets=(id,)),
                stakes=lambda id: [] if id is None else self.stakes_at(state, unit, state.unit(id), how),
            )
            if target_id is None:
                return []
            only = state.unit(target_id)
            aside = True
        else:
            aside = False
        return (yield from self.choose_rounds(play, unit, how, only, aside))

    def targets(self, state: State, unit: Unit, how: str) -> list[Unit]:
        """Visible enemies that some weapon can bear on; range is not measured."""
        weapons = self.weapons_in_use(state, unit, how)
        return [enemy for enemy in state.enemies(unit) if self.could_shoot(state, unit, enemy, how, weapons)]

    def weapons_in_use(self, state: State, unit: Unit, how: str) -> list[Weapon]:
        """The weapons that somebody of the unit could use now, each once."""
        return [
            unit.weapon(index) for index in dict.fromkeys(index for _, index, _ in self.options_of(state, unit, how))
        ]

    def could_shoot(
        self, state: State, unit: Unit, target: Unit, how: str, weapons: Sequence[Weapon] | None = None
    ) -> bool:
        """Is there a weapon that may shoot, with the target in its arc and in sight?"""
        if weapons is None:
            weapons = self.weapons_in_use(state, unit, how)
        return any(self.bears(state, unit, weapon, target) for weapon in weapons) and ground.sees(state, unit, target)

    def options_of(self, state: State, unit: Unit, how: str) -> list[tuple[int, int, str]]:
        """Every (model, weapon, round) the unit could use now (k47.shoot.who)."""
        options = []
        for man in unit.men:
            if self.serves(unit, man):
                for index in unit.weapons_of(man):
                    weapon = unit.weapon(index)
                    if weapon.shoots and self.may_fire(unit, man, weapon, how):
                        options += [(man, index, way) for way in self.rounds(state, unit, weapon, how)]
        return options

    def serves(self, unit: Unit, man: int) -> bool:
        """Team crew never shoot weapons of their own (k47.wrule.team_crew); medics and the unarmed not at all."""
        soldier = unit.man(man)
        if unit.is_noncombatant or soldier.is_a("unarmed") or soldier.is_a("medic"):
            return False
        if unit.card.team and not soldier.is_a("gunner"):
            return unit.crew_fires
        return True

    def may_fire(self, unit: Unit, man: int, weapon: Weapon, how: str) -> bool:
        """Fixed weapons are silent on Advance (k47.wrule.fixed_move); mounted riders have their own rule."""
        if how == ADVANCE and not weapon.ask("on_may_advance", True, unit):
            return False
        if how == POINT_BLANK:
            return self.rules.assault.fires_point_blank(unit, weapon)
        return bool(unit.ask("on_may_fire", True, unit, man, weapon, how))

    def rounds(self, state: State, unit: Unit, weapon: Weapon, how: str) -> tuple[str, ...]:
        """The rounds or ways of firing a weapon offers (k47.he.declare, k47.wrule.howitzer); rocket systems fire
        directly only (k47.special.rocket_system)."""
        if weapon.he_only:
            ways: tuple[str, ...] = weapon.ask("on_ways", ("direct",), weapon)
            if how in (AMBUSH, POINT_BLANK):  # k47.wrule.indirect_ambush
                return ("direct",) if "direct" in ways else ()
            if state.is_on("smoke_shells") and how == FIRE and weapon.fires_smoke:
                ways += ("smoke",)
            return ways
        if weapon.he:
            loaded = unit.shell
            if how == AMBUSH:  # k47.he.ambush_round
                return (loaded,) if loaded else (("AT",) if weapon.at_gun else ("HE",))
            return ("AT",) if how == POINT_BLANK else ("AT", "HE")
        return ("",)

    def choose_rounds(self, play: Play, unit: Unit, how: str, target: Unit, aside: bool) -> Procedure:
        """Models with a choice of weapon or round make it; the others simply fire."""
        choices = dict(play.now(lambda: self.round_choices(play.state, unit, how, target, aside)))
        extra = self.second_weapons(unit, choices)
        shots = yield from self._ask_rounds(play, unit, target, choices, how)
        return self.without_loader(unit, sorted([*shots, *extra]))

    def round_choices(
        self, state: State, unit: Unit, how: str, target: Unit, aside: bool
    ) -> dict[int, list[tuple[int, str, str]]]:
        """The weapon, round and target that each model may choose; `aside` lets one-shot weapons pick a vehicle."""
        targets = self.targets(state, unit, how) if aside else []
        vehicles = [other for other in targets if other.is_vehicle and other is not target]
        choices: dict[int, list[tuple[int, str, str]]] = {}
        for man, index, way in self.options_of(state, unit, how):
            weapon = unit.weapon(index)
            mine = choices.setdefault(man, [])
            if self.bears(state, unit, weapon, target):
                mine.append((index, way, target.id))
            if weapon.is_used_up and how != POINT_BLANK:
                mine += [(index, way, other.id) for other in vehicles]
        return choices

    def second_weapons(self, unit: Unit, choices: dict[int, list[Any]]) -> list[Shot]:
        """Dual Weapons: a rifle grenade is fired in addition to the other weapon (k47.special.quirks)."""
        extra_shots: list[Shot] = []
        if not unit.fires_both:
            return extra_shots
        for man, mine in choices.items():
            grenades = [one for one in mine if unit.weapon(one[0]).chart == "Rifle Grenade" and one[1] != "smoke"]
            if grenades and len(mine) > len(grenades):
                index, way, id = grenades[0]
                extra_shots.append(Shot(man, index, id, way))
                choices[man] = [choice for choice in mine if choice not in grenades]
        return extra_shots

    def without_loader(self, unit: Unit, shots: list[Shot]) -> list[Shot]:
        """Multiple Weapons: the loader fires his own weapon only if the team weapon does not (k47.special.quirks)."""
        if not (unit.card.team and unit.crew_fires):
            return shots
        main = [shot for shot in shots if unit.man(shot.man).is_a("gunner")]
        return main or shots

    def _ask_rounds(self, play: Play, unit: Unit, target: Unit, choices: dict[int, list[Any]], how: str) -> Procedure:
        """One question for all models that have more than one way to fire, equal models together."""
        state: State = play.state
        shots: list[Shot] = []
        items: list[tuple[int, ...]] = []
        options: list[list[Any]] = []
        kinds: dict[Any, int] = {}
        for man, mine in choices.items():
            if not mine:
                continue
            if len(mine) == 1 and not unit.weapon(mine[0][0]).is_used_up:
                index, way, id = mine[0]
                shots.append(Shot(man, index, id, way))
                continue
            once = any(unit.weapon(index).is_used_up for index, _, _ in mine)
            key = (man,) if once else tuple(mine)
            if key in kinds:
                items[kinds[key]] += (man,)
            else:
                kinds[key] = len(items)
                items.append((man,))
                options.append([*mine, None])
        if items:
            chosen = yield Assign(
                unit.side,
                "weapons",
                items,
                options,
                text=f"What do the models of {unit.card.name} fire?",
                rule="k47.he.declare",
                unit=unit.id,
                default=tuple(option[0] for option in options),
                labels=lambda choice: self.shot_label(play.state, unit, choice),
                item_labels=lambda men: ", ".join(unit.man(man).name for man in men),
                act="attack",
                about=lambda pair: About(
                    act="attack", unit=unit.id, targets=(pair[1][2],), weapons=(unit.weapon(pair[1][0]).name,)
                ),
                stakes=lambda answer: self.stakes(
                    state, unit, [*shots, *self.chosen_shots(items, answer)], how, "attack"
                ),
            )
            shots += self.chosen_shots(items, chosen)
        return sorted(shots)

    def chosen_shots(self, items: Sequence[tuple[int, ...]], chosen: Sequence[Any]) -> list[Shot]:
        """The shots of models that had a choice."""
        return [
            Shot(man, choice[0], choice[2], choice[1])
            for men, choice in zip(items, chosen, strict=True)
            if choice is not None
            for man in men
        ]

    def shot_label(self, state: State, unit: Unit, choice: Any) -> str:
        if choice is None:
            return "hold fire"
        index, way, id = choice
        weapon = unit.weapon(index).name
        return f"{weapon}{f' ({way})' if way else ''} at {state.unit(id).card.name}"

    def declare_vehicle(self, play: Play, unit: Unit, how: str, only: Unit | None) -> Procedure:
        """Every weapon at its own target, main gun or co-axial gun (k47.shoot.vehicle_weapons)."""
        state: State = play.state
        options = play.now(lambda: self.vehicle_options(state, unit, how, only))
        if not options:
            return []
        weapons = list(options)
        chosen = yield Assign(
            unit.side,
            "weapons",
            weapons,
            [options[index] for index in weapons],
            agree=lambda answer: self.rules.vehicles.agree(state, unit, weapons, answer),
            default=(None,) * len(weapons),
            text=f"What does {unit.card.name} fire at?",
            rule="k47.shoot.vehicle_weapons",
            unit=unit.id,
            labels=lambda choice: (
                "hold fire"
                if choice is None
                else f"{state.unit(choice[0]).card.name}{f' ({choice[1]})' if choice[1] else ''}"
            ),
            item_labels=lambda index: unit.weapon(index).name,
            act="attack",
            about=lambda pair: About(
                act="attack", unit=unit.id, targets=(pair[1][0],), weapons=(unit.weapon(pair[0]).name,)
            ),
            stakes=lambda answer: self.stakes(state, unit, self.vehicle_shots(unit, weapons, answer), how),
        )
        return self.vehicle_shots(unit, weapons, chosen)

    def vehicle_options(self, state: State, unit: Unit, how: str, only: Unit | None) -> dict[int, list[Any]]:
        """The targets and rounds of each weapon, or none."""
        enemies = state.enemies(unit)
        seen = [only] if only is not None else [enemy for enemy in enemies if ground.sees(state, unit, enemy)]
        options: dict[int, list[Any]] = {}
        for _, index, way in self.options_of(state, unit, how):
            weapon = unit.weapon(index)
            for target in seen:
                if self.bears(state, unit, weapon, target):
                    options.setdefault(index, [None]).append((target.id, way))
        return options

    def vehicle_shots(self, unit: Unit, weapons: Sequence[int], chosen: Sequence[Any]) -> list[Shot]:
        """The shots of a vehicle's weapons, each with its target."""
        return [
            Shot(unit.men[0], index, choice[0], choice[1])
            for index, choice in zip(weapons, chosen, strict=True)
            if choice is not None
        ]

    def suppress(self, play: Play, unit: Unit, shots: Sequence[Shot], how: str) -> Procedure:
        """Suppressive Fire may be declared on Fire with two LMGs or an MMG (k47.special.suppressive_fire)."""
        if how != FIRE or not unit.is_infantry:
            return False
        names = [unit.weapon(shot.weapon).chart for shot in shots]
        lmgs = sum("LMG" in name for name in names)
        if not ("MMG" in names or lmgs >= 2):
            return False
        target = play.state.unit(shots[0].target)
        if target.is_enclosed:
            return False
        return (
            yield YesNo(
                unit.side,
                "suppressive fire",
                text="Suppressive fire: -1 to hit, but a pin without any hit?",
                rule="k47.special.suppressive_fire",
                unit=unit.id,
            )
        )

    # -- arcs --------------------------------------------------------------------------------------------

    def arc(self, unit: Unit, weapon: Weapon) -> Arc:
        """Where a weapon points (k47.shoot.arcs, k47.wrule.fixed_arc, k47.vehicle.weapon_limits)."""
        if unit.is_vehicle:
            if weapon.arc in ("all", "turret"):
                return ALL_ROUND
            return corner_arc(*(SIDE_OF[side] for side in weapon.arc.split()))
        return centre_arc(Facing.FRONT) if weapon.points_ahead else ALL_ROUND

    def bears(self, state: State, unit: Unit, weapon: Weapon, target: Unit) -> bool:
        """Is the target at least partly in the arc of the weapon?"""
        arc = self.arc(unit, weapon)
        if arc is ALL_ROUND or unit.building:
            return True
        body = self.mount(unit)
        return any(in_arc(body, arc, other) for other in ground.presence(state, target))

    def mount(self, unit: Unit) -> Body:
        """The model whose front is the front of the weapon."""
        if unit.gun is not None:
            return unit.gun
        if unit.is_vehicle:
            return unit.bodies[0]
        gunner = next((man for man in unit.men if unit.man(man).is_a("gunner")), unit.men[0])
        body = unit.body_of(gunner)
        return body.at(body.x, body.y, unit.heading)

    # -- measuring -----------------------------------------------------------------------------------------

    def pools(
        self,
        state: State,
        unit: Unit,
        target: Unit,
        shots: Sequence[Shot],
        how: str,
        suppressive: bool = False,
        answer: str = "",
        at_range: int | None = None,
    ) -> tuple[list[Pool], tuple[str, str] | None]:
        """Measure range and group the shots; also why shots were lost, if some were (k47.shoot.range)."""
        lost: tuple[str, str] | None = None
        aims: list[tuple[Shot, Aim]] = []
        for shot, aim in self.aims(state, unit, target, shots, how):
            if aim is None:
                lost = ("k47.core.los", "out of sight")
            elif aim.blocked_by_friends:
                lost = ("k47.core.los_units", "friends stand in the line of fire")
            else:
                aims.append((shot, aim))
        if not aims:
            return [], lost
        cover = self.cover(state, unit, target, [aim for _, aim in aims])
        pools: dict[tuple[Any, ...], Pool] = {}
        for shot, aim in aims:
            aimed = self.measure(state, unit, target, shot, how, aim, cover)
            aimed.suppressive = suppressive
            if at_range is not None:
                self.at_range(aimed, at_range)
            elif problem := self.out_of_range(aimed):
                lost = problem
                continue
            self.add(pools, aimed, answer)
        for pool in pools.values():
            self.finish(state, unit, target, pool)
        return [pool for pool in pools.values() if pool.dice or pool.need], lost

    def aims(
        self, state: State, unit: Unit, target: Unit, shots: Sequence[Shot], how: str
    ) -> list[tuple[Shot, Aim | None]]:
        """What every shooting model has in its sights."""
        own = ground.troops(friend for friend in state.friends(unit) if friend is not target)
        foes = ground.troops(enemy for enemy in state.enemies(unit) if enemy is not target)
        blockers = ground.hulls(state, unit, target)
        if unit.building:
            return self.rules.buildings.aims(state, unit, target, shots, own, foes, blockers)
        aims: list[tuple[Shot, Aim | None]] = []
        known: dict[Any, Aim | None] = {}
        for shot in shots:
            indirect = shot.round in ("indirect", "smoke")
            eye = self.eye(unit, shot.man)
            key = (eye.key, indirect)
            if key not in known:
                aim = ground.aim(state, unit, eye, target, own, foes, blockers, indirect)
                if aim is None and indirect:  # k47.wrule.indirect_los, k47.wrule.spotter
                    aim = self.spotted(state, unit, target, eye, blockers)
                known[key] = aim
            aims.append((shot, known[key]))
        return aims

    def eye(self, unit: Unit, man: int) -> Body:
        """Guns are laid from the gun, other weapons by their carrier (k47.artillery.crew)."""
        return unit.gun if unit.gun is not None else unit.body_of(man)

    def spotted(self, state: State, unit: Unit, target: Unit, eye: Body, blockers: Sequence[Body]) -> Aim | None:
        """Any of the crew or their spotter may see for indirect fire; range is still from the weapon."""
        for body in unit.bodies:
            seen = ground.aim(state, unit, body, target, (), (), blockers, True)
            if seen is not None:
                far = min(ground.distance(eye, other) for other in ground.presence(state, target))
                return Aim(far, seen.covers, False, seen.target)
        return None

    def cover(self, state: State, unit: Unit, target: Unit, aims: Sequence[Aim]) -> int:
        """Soft or hard cover of the target unit, never both (k47.shoot.cover)."""
        if target.in_flight:  # k47.special.flight
            return Cover.NONE
        if target.building:  # k47.building.cover
            return Cover.HARD
        if target.is_emplaced:  # k47.vehicle.misc
            return Cover.HARD
        best = ground.unit_cover(aims)
        return max(best, ground.area_cover(state, target)) if not target.is_vehicle else best

    def measure(self, state: State, unit: Unit, target: Unit, shot: Shot, how: str, aim: Aim, cover: int) -> Aimed:
        """Range, long range and point blank of one shooter (k47.shoot.long_def, k47.shoot.point_blank_def)."""
        aimed = Aimed(state, unit, target, shot, how)
        aimed.sniper = self.rules.specials.snipes(unit, shot.man, aimed.weapon, how)
        aimed.range = self.muzzle_range(unit, aimed.weapon, aim)
        aimed.long = 2 * aimed.range > self.weapon_range(aimed) * INCH
        aimed.point_blank = aimed.range <= 6 * INCH
        aimed.cover = cover
        return aimed

    def muzzle_range(self, unit: Unit, weapon: Weapon, aim: Aim) -> int:
        """Vehicle weapons measure from their muzzle, everyone else from the base (k47.core.measure)."""
        if not unit.is_vehicle:
            return aim.range
        body = unit.bodies[0]
        x, y = body.cx, body.cy
        if weapon.arc == "front":
            dx, dy = step(body.heading, body.shape.length * 5)
            x, y = x + dx, y + dy
        elif weapon.arc == "rear":
            dx, dy = step(body.heading + 180, body.shape.length * 5)
            x, y = x + dx, y + dy
        return distance_from_point(x, y, aim.target)

    def weapon_range(self, aimed: Aimed) -> int:
        """The range in inches; a sniper's rifle reaches further (k47.special.sniper)."""
        return max(36, aimed.weapon.range) if aimed.sniper else aimed.weapon.range

    def out_of_range(self, aimed: Aimed) -> tuple[str, str] | None:
        """Beyond the range shots are lost, inside the minimum they miss (k47.shoot.range, k47.shoot.min_range)."""
        if aimed.range > self.weapon_range(aimed) * INCH:
            return "k47.shoot.range", "out of range"
        weapon = aimed.weapon
        least = weapon.ask("on_least_range", weapon.min_range, aimed)
        if aimed.range < least * INCH:
            rule = "k47.wrule.indirect_min" if aimed.indirect else "k47.shoot.min_range"
            return rule, "inside the minimum range"
        problem: tuple[str, str] | None = weapon.ask("on_out_of_range", None, aimed)
        return problem

    def at_range(self, aimed: Aimed, far: int) -> None:
        """Stand and fire uses the distance at which the assault started (k47.react.stand_fire_range)."""
        aimed.range = far
        aimed.long = 2 * far > self.weapon_range(aimed) * INCH
        aimed.point_blank = far <= 6 * INCH

    def add(self, pools: dict[tuple[Any, ...], Pool], aimed: Aimed, answer: str) -> None:
        """Put a shot into the pool of its like."""
        need, because = self.needed(aimed, answer)
        pool = Pool(aimed, need, because)
        pool = pools.setdefault(pool.key(), pool)
        pool.men.append(aimed.man)

    def needed(self, aimed: Aimed, answer: str = "") -> tuple[int, tuple[Because, ...]]:
        """What a die needs to hit: 3, shifted by every modifier that applies (k47.shoot.base, k47.shoot.mods)."""
        if aimed.indirect:
            return self.rules.weapon_rules.ranging(aimed)
        modifiers = self.modifiers(aimed, answer)
        reasons = tuple(Because(one.rule, f"{one.text} {one.value:+d}") for one in modifiers)
        return HITS_ON - sum(one.value for one in modifiers), reasons

    def modifiers(self, aimed: Aimed, answer: str = "") -> list[Modifier]:
        """The table of hit modifiers; all that apply add up."""
        modifiers: list[Modifier] = []
        unit, target, weapon, state = aimed.unit, aimed.target, aimed.weapon, aimed.state
        brawl = aimed.how == POINT_BLANK
        if aimed.point_blank or brawl:
            modifiers.append(Modifier("k47.shoot.point_blank", "point blank", 1))
        if unit.pins:
            modifiers.append(Modifier("k47.pin.to_hit", "pins", -unit.pins))
        if aimed.long and not brawl:  # k47.open.pb_and_long: both may apply
            modifiers.append(Modifier("k47.shoot.long", "long range", -1))
        if unit.quality(state) == "inexperienced":
            modifiers.append(Modifier("k47.shoot.inexperienced", "inexperienced", -1))
        if aimed.how == ADVANCE:  # k47.open.advance_zero
            modifiers.append(Modifier("k47.shoot.moving", "moving", -1))
        counts_down = answer != "run to cover" or state.options["run_to_cover_down"] == "bonus"
        if target.order == DOWN and counts_down and not target.is_vehicle and not brawl:
            modifiers.append(Modifier("k47.shoot.down", "target Down", -1))
        if target.is_small and not brawl:
            modifiers.append(Modifier("k47.shoot.small", "small unit", -1))
        if aimed.cover and not brawl:
            text = "hard cover" if aimed.cover == Cover.HARD else "soft cover"
            modifiers.append(Modifier("k47.shoot.cover", text, -aimed.cover))
        modifiers = weapon.ask("on_hit_modifiers", modifiers, aimed)
        if aimed.suppressive:
            modifiers.append(Modifier("k47.special.suppressive_fire", "suppressive fire", -1))
        changed: list[Modifier] = unit.ask("on_hit_modifiers", modifiers, aimed)
        return changed

    def finish(self, state: State, unit: Unit, target: Unit, pool: Pool) -> None:
        """How many dice a pool rolls, and what a hit of it can do."""
        weapon = pool.weapon
        count = len(pool.men)
        dice, _, plus = parse(weapon.shots)
        each = plus if not dice else 1  # flamethrowers and launchers roll their own number
        shots = unit.ask("on_shots", count * each, unit, weapon, pool.men) if not dice else count
        pool.dice = shots
        pool.he = weapon.he if pool.round in ("HE", "direct", "indirect") or weapon.he_only else ""
        pool.facing = self.facing(state, unit, target, pool)
        pool.pen = self.rules.damage.penetration(state, unit, target, pool)
        pool.reroll_ones = unit.ask("on_reroll_ones", "", unit, weapon)
        if pool.suppressive and pool.need >= 8:  # k47.special.suppressive_fire: no dice, only the pin
            pool.dice = 0

    def facing(self, state: State, unit: Unit, target: Unit, pool: Pool) -> str:
        """The armour that is hit (k47.armour.facing), or whether a gun is shot at from its front."""
        if target.is_vehicle:
            if pool.indirect or pool.weapon.strikes_top:  # k47.wrule.indirect_top, k47.wrule.flame_top
                return "top"
            return FACING_NAME[facing_shot_at(target.bodies[0], self.shooter_body(state, unit))]
        if target.gun is not None:
            return "front" if in_arc(target.gun, centre_arc(Facing.FRONT), self.shooter_body(state, unit)) else "side"
        return ""

    def shooter_body(self, state: State, unit: Unit) -> Body:
        if unit.building:
            return ground.presence(state, unit)[0]
        return unit.gun if unit.gun is not None else unit.bodies[0]

    def first_choices(self, state: State, unit: Unit, target: Unit, how: str = FIRE) -> list[Shot]:
        """The fire of a unit at a target, every model (or weapon of a vehicle) with its first choice."""
        shots: dict[int, Shot] = {}
        for man, index, way in self.options_of(state, unit, how):
            key = index if unit.is_vehicle else man
            if key not in shots and way != "smoke" and self.bears(state, unit, unit.weapon(index), target):
                shots[key] = Shot(man, index, target.id, way)
        return list(shots.values())

    def plan(self, state: State, unit: Unit, target: Unit, shots: Sequence[Shot], how: str = FIRE) -> Plan | None:
        """What declared shots at one target would roll; None if none of them can be fired."""
        plain = [shot for shot in shots if shot.round != "smoke" and not unit.weapon(shot.weapon).is_wave]
        pools, _ = self.pools(state, unit, target, plain, how)
        return self.rules.plans.of_volley(state, target, pools) if pools else None

    def stakes(
        self, state: State, unit: Unit, shots: Sequence[Shot], how: str, act: str = "attack", chance: float = 1.0
    ) -> list[Stake]:
        """What declared shots put at stake, target by target."""
        stakes = []
        for id in dict.fromkeys(shot.target for shot in shots):
            target = state.unit(id)
            plan = self.plan(state, unit, target, [shot for shot in shots if shot.target == id], how)
            if plan is not None:
                stakes.append(Stake(id, (plan,), unit.id, act, target.card.name, chance, partial(left, id=id)))
        return stakes

    def stakes_at(self, state: State, unit: Unit, target: Unit, how: str) -> list[Stake]:
        """What the fire of a unit at a target puts at stake, every model with its first choice."""
        return self.stakes(state, unit, self.first_choices(state, unit, target, how), how)

    # -- hitting ------------------------------------------------------------------------------------------

    def roll_to_hit(self, play: Play, unit: Unit, target: Unit, pool: Pool) -> Procedure:
        """Roll a pool to hit and log what it needed and why; returns the number of hits."""
        if not pool.dice:
            return 0
        shots, hit = self.rules.plans.shots(pool), self.rules.plans.to_hit(pool)
        hand = Rolling(play, Volley(unit, target, ""))
        tallies = {**self.rules.plans.pool_start(pool)}
        yield from perform_stages(shots, tallies, hand)
        reasons = tuple((item.rule, item.text) for item in pool.because)
        play.emit(Hit("k47.shoot.mods", unit.id, target.id, pool.weapon.name, tallies[DICE], pool.need, reasons))
        yield from perform_stage(hit, tallies, hand)
        return tallies[STRUCK]


def left(state: State, id: str) -> tuple[int, bool]:
    """What casualties have left of a unit, models or the vehicle itself, and whether it is still there."""
    unit = state.unit(id)
    return (int(unit.alive) if unit.is_vehicle else len(unit.men)), unit.alive


__all__ = ["FIREFIGHT", "STAND_AND_FIRE", "IllegalChoice", "Shooting"]
