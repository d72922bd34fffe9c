"""What can be measured and seen in Battlefield: from every miniature, in centimetres, in formation within 15 cm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from dieselfront.forces import DustWeapon
from dieselfront.kernel.field import (
    BLOCKED,
    CLEAR,
    COVERED,
    NO_COVER,
    At,
    Coherency,
    Distance,
    End,
    NoAnswer,
    Reason,
    Sight,
    SightLine,
    Template,
    unique,
)
from dieselfront.kernel.game import Play
from dieselfront.rulesets.battlefield import forts
from dieselfront.rulesets.battlefield.citing import cite
from dieselfront.rulesets.battlefield.ground import View
from dieselfront.rulesets.battlefield.places import formation
from dieselfront.rulesets.battlefield.skills import Camouflage
from dieselfront.rulesets.dust.hooks import NO_EFFECTS
from dieselfront.rulesets.dust.shots import Attack, Line, Shot
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.field import ARC_RULES, COVER, LOOK
from dieselfront.rulesets.dust_open.field import OpenField
from dieselfront.rulesets.dust_open.ground import ARCS, measures
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.places import at
from dieselfront.table.measured.arcs import ALL_ROUND, Arc
from dieselfront.table.measured.shapes import Body, distance
from dieselfront.table.measured.templates import Disc

if TYPE_CHECKING:
    from dieselfront.rulesets.battlefield.ruleset import Battlefield


class BattleField(OpenField):
    """The open table of Battlefield."""

    rules: Battlefield
    unit_tenths = 100
    unit_sign = " cm"
    unit_word = "cm"
    cites: ClassVar[dict[str, str]] = {
        "model": "bf.cover.definition",
        "range": "bf.attack.range_measure",
        "range from hull": "bf.attack.range_points",
        "lengths": "bf.attack.range_scale",
        "sight": "bf.attack.los_trace",
        "cover": "bf.cover.half_unit",
        "participants": "bf.attack.los_trace",
        "arc infantry": "bf.attack.fof_infantry",
        "arc support": "bf.attack.fof_support",
        "arc turret": "bf.attack.fof_turret",
        "arc front": "bf.attack.fof_front",
        "arc side": "bf.attack.fof_side",
        "arc rear": "bf.attack.fof_rear",
        "move": "bf.move.distance",
        "march": "bf.move.march_distance",
        "slow": "bf.move.terrain_limit",
        "way": "bf.move.distance",
        "terrain": "bf.move.terrain_list",
        "blast": "bf.attack.blast_template",
        "flame": "bf.attack.flame_template",
        "burns": "bf.attack.flame_dice",
    }

    # -- distance -------------------------------------------------------------------------------

    def distance(self, state: DustState, one: End, other: End) -> Distance:
        """Between the nearest miniatures that see each other, if any do (bf.attack.range_measure)."""
        pairs = self._pairs(state, one, other)
        in_sight = [(mine, body) for mine, body, seen in pairs if seen]
        tenths, mine, nearest = min(
            (
                (distance(mine, body), mine, body)
                for mine, body in in_sight or [(mine, body) for mine, body, _ in pairs]
            ),
            key=lambda measured: measured[0],
        )
        viewer = self.unit(state, one) if isinstance(one, str) else None
        far = measures(state).ranges(tenths)
        hull = viewer is not None and not viewer.is_infantry
        seen = "that see each other" if in_sight else "none of which see each other"
        return Distance(
            length=far,
            start=(mine.x, mine.y),
            end=(nearest.x, nearest.y),
            weapons=self.measured_ranges(state, viewer, far if in_sight else 99) if viewer is not None else [],
            rules=[self.cites["range from hull" if hull else "range"], self.cites["lengths"]],
            notes=[f"{tenths / self.unit_tenths:.2f}{self.unit_sign} between the nearest miniatures {seen}."],
            facts={self.unit_word: round(tenths / self.unit_tenths, 2), "seen": bool(in_sight)},
            marks={"tapes": [(mine, nearest, tenths)]},
        )

    def _pairs(self, state: DustState, one: End, other: End) -> list[tuple[Body, Body, bool]]:
        """Every miniature of the one with every miniature of the other, and whether it sees it."""
        mine, theirs = self._bodies(state, one), self._bodies(state, other)
        if not isinstance(one, str) or not isinstance(other, str):
            return [(first, second, True) for first in mine for second in theirs]
        survey = self._survey(state, self.unit(state, one), self.unit(state, other))
        views = list(survey.views.values())
        figures = self.unit(state, other).figures
        return [
            (body, their, figure in view.seen)
            for body, view in zip(mine, views, strict=True)
            for their, figure in zip(theirs, figures, strict=True)
        ]

    def _survey(self, state: DustState, viewer: Unit, target: Unit) -> Any:
        ground = self.rules.ground
        return ground.survey(state, viewer, target, None, ground.sight_blockers(state, viewer), "all")

    # -- sight and cover ------------------------------------------------------------------------

    def sight(self, play: Play, viewer: End, target: End, weapon: str = "") -> Sight:
        """What every miniature of a unit sees of every one of another (bf.attack.los_trace, bf.cover.per_attacker)."""
        if isinstance(viewer, At) or isinstance(target, At):
            return self._between_places(play, viewer, target)
        state, ground = play.state, self.rules.ground
        one, other = self.unit(state, viewer), self.unit(state, target)
        line = self.line(play, one, other, self.mount(one, weapon), plain=not weapon)
        survey = getattr(line, "survey", None)
        if survey is None:  # from aboard, or at riders
            return super().sight(play, viewer, target, weapon)
        firers = self._firers(play, one, weapon) if weapon else tuple(survey.views)
        lines, sights, viewers = [], [], []
        blockers = ground.sight_blockers(state, one)
        count = len(other.figures)
        for figure, mine in zip(one.figures, ground.bodies(state, one), strict=True):
            if figure not in firers:
                continue
            view = survey.views[figure]
            for theirs, body in zip(other.figures, ground.bodies(state, other), strict=True):
                sighting = ground.look(state, one, mine, other, body, blockers)
                sights.append((body, sighting))
                line_here = self._pair_line(state, (one, other), (figure, theirs), (mine, body), sighting, view)
                hidden = forts.unseen(state, mine, body, one, other) if state.forts else None
                if hidden is not None:
                    line_here.reasons.append(Reason(text=hidden[1], rule=hidden[0], blocks=True))
                lines.append(line_here)
            is_covered = ground.is_covered(other, count, len(view.covered))
            viewers.append(
                {
                    "model": self.model(one, figure),
                    "seen": len(view.seen),
                    "covered": len(view.covered),
                    "cover": bool(view.seen) and is_covered,
                }
            )
        watching = [each for each in viewers if each["seen"]]
        in_cover = [each for each in watching if each["cover"]]
        whole = ground.line_of(state, one, other, survey, firers)
        hiding = self._hidden_by_skill(play, one, other, whole)
        because = [Reason(text=whole.refusal[1], rule=whole.refusal[0], blocks=True)] if whole.refusal else hiding
        visible = whole.visible and not hiding
        because += self.further_cover(play, one, other, whole) if visible else []
        covered = whole.cover or any(not reason.blocks for reason in because)
        apart = self.distance(state, viewer, target)
        facts: dict[str, Any] = {
            self.unit_word: apart.facts[self.unit_word],
            "seen": len(whole.seen),
            "covered": len(whole.covered),
            "needed": -(-count // 2),
            "watching": len(watching),
            "covered_from": len(in_cover),
            "viewers": viewers,
            "models": [self._model_facts(other, figure, survey, firers) for figure in other.figures],
        }
        notes = []
        if visible:
            how_many = "all" if len(in_cover) == len(watching) else f"{len(in_cover)} of {len(watching)}"
            how_many = "none" if not in_cover else how_many
            notes = [
                f"in cover from {how_many} of those who see it: at least half of {count} miniatures must be covered"
            ]
        rules = unique((*(reason.rule for reason in because), *(why.rule for each in lines for why in each.reasons)))
        return Sight(
            viewer=one.id,
            target=other.id,
            viewer_name=one.name,
            target_name=other.name,
            visible=visible,
            cover=COVER if visible and covered else NO_COVER,
            distance=whole.distance if whole.visible else apart.length,
            lines=lines,
            because=because,
            notes=notes,
            rules=unique((*rules, self.cites["sight"], self.cites["cover"])),
            facts=facts,
            marks={"sights": sights},
        )

    def _firers(self, play: Play, unit: Unit, weapon: str) -> tuple[Figure, ...]:
        """The miniatures that carry a weapon."""
        part, index = self.weapon(unit, weapon)
        owner, attacks = unit.parts[part], self.rules.attacks
        bearers = attacks.bearers(play, owner, index) or (0,)
        return tuple(dict.fromkeys(attacks.figure(unit, owner, bearer) for bearer in bearers))

    def _model_facts(self, unit: Unit, figure: Figure, survey: Any, firers: tuple[Figure, ...]) -> dict[str, Any]:
        """How one miniature of the target looks to those who fire."""
        views = [survey.views[one] for one in firers]
        far = [view.far[figure] for view in views if figure in view.far]
        return {
            "model": self.model(unit, figure),
            "soldier": figure[1],
            "seen": any(figure in view.seen for view in views),
            "covered": all(figure in view.covered for view in views),
            "seen_by": sum(figure in view.seen for view in views),
            "covered_from": sum(figure in view.covered for view in views),
            self.unit_word: round(min(far) / self.unit_tenths, 2) if far else None,
        }

    def _pair_line(
        self,
        state: DustState,
        units: tuple[Unit, Unit],
        figures: tuple[Figure, Figure],
        bodies: tuple[Body, Body],
        sighting: Any,
        view: View,
    ) -> SightLine:
        """The line from one miniature to another."""
        viewer, target = units
        figure, theirs = figures
        mine, body = bodies
        seen, covered = theirs in view.seen, theirs in view.covered
        one, other = self.model(viewer, figure), self.model(target, theirs)
        return SightLine(
            kind=BLOCKED if not seen else COVERED if covered else CLEAR,
            eye=(sighting.eye[0] / 10, sighting.eye[1] / 10),
            end=(body.x, body.y),
            viewer=one,
            target=other,
            label=f"{one} to {other}",
            at=tuple(sighting.reasons[0].at) if sighting.reasons and (covered or not seen) else None,
            reasons=[self._reason(state, reason, target) for reason in sighting.reasons],
            facts={
                "model": other,
                "soldier": theirs[1],
                "viewer": figure[1],
                "seen": seen,
                "covered": covered,
                self.unit_word: round(distance(mine, body) / self.unit_tenths, 2),
            },
        )

    def further_cover(self, play: Play, viewer: Unit, target: Unit, line: Line) -> list[Reason]:
        """Cover of field works and skills, under the ids of this game (bf.fort.trench)."""
        reasons = super().further_cover(play, viewer, target, line)
        return [msgspec.structs.replace(reason, rule=cite(reason.rule)) for reason in reasons]

    def _hidden_by_skill(self, play: Play, viewer: Unit, target: Unit, line: Line) -> list[Reason]:
        """Why an enemy does not see a unit that stands in view (bf.skill.camouflage)."""
        if viewer.side == target.side or not line.visible:
            return []
        shot = Shot(play, Attack(viewer), viewer.main, -1, LOOK, NO_EFFECTS, target, line)
        asked: Any = target.effects.get("on_targeted", ())
        hiding = [answer for answer in asked if isinstance(answer.__self__, Camouflage)]
        refusals = [refusal for answer in hiding if (refusal := answer(None, shot)) is not None]
        return [Reason(text=text, rule=cite(rule), blocks=True) for rule, text in refusals]

    # -- arcs -----------------------------------------------------------------------------------

    def arc_of(self, unit: Unit, weapon: DustWeapon) -> Arc:
        """By its mount, on support teams too (bf.attack.fof_support, bf.open.support_fof)."""
        return ALL_ROUND if unit.is_hero else ARCS[weapon.mount]

    def arc_rule(self, unit: Unit, mount: str | None) -> str:
        bound = unit.is_infantry and not unit.is_hero and mount is not None and mount in ARC_RULES
        return self.cites["arc support"] if bound else super().arc_rule(unit, mount)

    # -- templates and formation ----------------------------------------------------------------

    def template(self, play: Play, shape: str, at: Any, start: End | None = None, **details: Any) -> Template:
        """Who is under a blast and in sight of its centre, or under a flame strip and in sight of its bearer.

        bf.attack.blast_centre_los, bf.attack.flame_los.
        """
        state, ground, templates = play.state, self.rules.ground, self.rules.templates
        laid: Any = Disc(at[0], at[1], measures(state).blast)
        bearer: Body | None = None
        unit: Unit | None = None
        if start is not None:
            if isinstance(start, At):
                raise NoAnswer("a flame starts from a unit")
            unit = self.unit(state, start)
            part, soldier = self._flamer(play, unit, details.get("weapon", ""), details.get("soldier"))
            _, index = self.weapon(unit, details["weapon"]) if details.get("weapon") else (0, 0)
            bearer = templates.body_of(play, unit, unit.parts[part], soldier)
            laid = templates.strip(play, bearer, unit.parts[part].card.weapons[index], at)
        touched = {}
        for other in ground.under(state, laid, None, 0):
            bodies = dict(zip(other.figures, ground.bodies(state, other), strict=True))
            figures = [
                figure
                for figure in ground.touched(state, other, laid, 0)
                if self._is_exposed(state, unit, bearer, other, bodies[figure], at)
            ]
            if figures:
                touched[other.id] = [self.model(other, figure) for figure in figures]
        rules = [self.cites["blast"]] if bearer is None else [self.cites["flame"], self.cites["burns"]]
        return Template(
            shape="blast" if bearer is None else "flame", touched=touched, rules=rules, marks={"templates": [laid]}
        )

    def _is_exposed(
        self, state: DustState, unit: Unit | None, bearer: Body | None, other: Unit, body: Body, centre: Any
    ) -> bool:
        ground = self.rules.ground
        if unit is None or bearer is None:
            return bool(ground.sees_from(state, at(*centre), body))
        if body.key == bearer.key:
            return False
        return bool(ground.look(state, unit, bearer, other, body, ground.sight_blockers(state, unit)).seen)

    def coherency(self, state: DustState, unit: str) -> Coherency:
        """Is every miniature within 15 cm of every other (bf.move.formation)?"""
        one = self.unit(state, unit)
        bodies = self.rules.ground.bodies(state, one)
        far = formation(measures(state))
        out = [
            self.model(one, figure)
            for figure, body in zip(one.figures, bodies, strict=True)
            if any(distance(body, other) > far for other in bodies)
        ]
        return Coherency(holds=not out, out=out, rules=["bf.move.formation"])


__all__ = ["BattleField"]
