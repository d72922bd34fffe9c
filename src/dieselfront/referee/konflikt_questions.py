"""Questions about a position of Konflikt '47: sight, cover, range, arcs, reach, weapons, damage, odds; with reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dieselfront.kernel.decisions import PlaceFree
from dieselfront.referee import measured_words as words
from dieselfront.referee.choices import simple
from dieselfront.referee.court import Answer
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import suggestion
from dieselfront.referee.konflikt_position import understood, weapon_index
from dieselfront.referee.measured_words import show_spot
from dieselfront.referee.session import Session
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.cards import read_card
from dieselfront.rulesets.konflikt47.firing import Pool, Shot, Wound
from dieselfront.rulesets.konflikt47.ground import INCH, Aim
from dieselfront.rulesets.konflikt47.morale import CHECK, ORDER, Occasion
from dieselfront.rulesets.konflikt47.odds import fire_odds as konflikt_fire
from dieselfront.rulesets.konflikt47.odds.fire_odds import FireOdds
from dieselfront.rulesets.konflikt47.routes import DriveRegion, FootRegion, Route
from dieselfront.rulesets.konflikt47.state import ADVANCE, FIRE, ORDERS, RUN, TABLE, State, Unit
from dieselfront.table.measured.angles import heading_of
from dieselfront.table.measured.arcs import ALL_ROUND, facing_shot_at
from dieselfront.table.measured.cover import ModelCover
from dieselfront.table.measured.placement import Crowd
from dieselfront.table.measured.reach import drive_reach, reach
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.sight import Reason, Sighting
from dieselfront.table.measured.templates import Disc, Strip, Template, flame_tape, teardrop
from dieselfront.table.measured.terrain import Cover
from dieselfront.table.measured.units import show_inches

COVERS = {Cover.NONE: "none", Cover.SOFT: "soft", Cover.HARD: "hard"}
EFFECTS = {  # how a reason is told, and the rule behind it
    "blocks": ("{who} stands in the way", "k47.core.los"),
    "through": ("nobody sees right through {who}", "k47.core.los_area"),
    "depth": ("{who} is too deep", "k47.core.los_area"),
    "floor": ("a floor of {who} lies between", "k47.core.los"),
    "reach": ("nobody stands at the opening of {who}", "k47.building.shoot_from"),
    "screens": ("it stands behind {who}", "k47.shoot.cover"),
    "area": ("the line passes through {who}", "k47.core.los_area"),
    "opening": ("the line passes an opening of {who}", "k47.building.shoot_from"),
}
HOW = {"inside": "stands in {who}", "behind": "stands behind {who}", "unseen": "is not seen"}
SHAPES = ("blast", "line", "flame", "tape")
_KEY = re.compile(r"\('([\w-]+)', \w+\)")  # the key of a model in a reason
A_SPOT = read_card({"name": "somebody there", "kind": "infantry", "men": [{}]})


class Questions:
    """Answers about one position."""

    def __init__(self, session: Session, unit: str = "in") -> None:
        self.rules = session.rules
        self.state: State = session.state
        self.unit = unit

    def answer(self, kind: str, entry: Entry) -> Answer:
        handler: Callable[[Entry], Answer] = getattr(self, kind)
        return handler(entry)

    # -- sight ------------------------------------------------------------------------------------------------

    def sight(self, entry: Entry) -> Answer:
        """Does one unit see the other: the best line to every model of the target, with its reasons."""
        pairs = entry.table(("from", "to"))
        viewer, target = self._end(pairs, "from", entry), self._end(pairs, "to", entry)
        best = self._best_lines(viewer, target)
        visible = ground.sees(self.state, viewer, target)
        lines = [self._line(viewer, target, *found) for found in best]
        seen = [line for line in lines if line["seen"]]
        fraction = max((line["fraction"] for line in lines), default=0.0)
        text = [
            f"{self._called(viewer)} {'sees' if visible else 'cannot see'} {self._called(target)}: "
            f"{len(seen)} of {len(lines)} models seen, the best line shows {fraction:.0%}."
        ]
        text += [f"{line['label']}: {line['text']}" for line in lines]
        rules = [reason["rule"] for line in lines for reason in line["reasons"]]
        facts = {
            "from": viewer.id,
            "to": target.id,
            "visible": visible,
            "fraction": fraction,
            "models_seen": len(seen),
            "models": len(lines),
            "viewers": self._viewers(viewer, target),
            "lines": lines,
        }
        marks = {"sights": [(body, sighting) for _, body, sighting in best]}
        return Answer("sight", text, facts, unique(["k47.core.los", *rules]), marks)

    def _best_lines(self, viewer: Unit, target: Unit) -> list[tuple[Body, Body, Sighting]]:
        """For every model of the target the eye that sees most of it."""
        blockers = ground.hulls(self.state, viewer, target)
        found = []
        for body in ground.presence(self.state, target):
            looks = [
                (eye, body, ground.look(self.state, viewer, eye, target, body, blockers))
                for eye in ground.presence(self.state, viewer)
            ]
            found.append(max(looks, key=lambda one: (one[2].seen, one[2].clear)))
        return found

    def _line(self, viewer: Unit, target: Unit, eye: Body, body: Body, sighting: Sighting) -> dict[str, Any]:
        reasons = [self._reason(reason) for reason in sighting.reasons]
        why = "; ".join(reason["text"] for reason in reasons)
        told = "clear" if sighting.is_clear else f"{sighting.seen} of {sighting.total} points seen"
        return {
            "from": self._model(viewer, eye),
            "to": self._model(target, body),
            "label": self._model_name(target, body),
            "seen": sighting.seen,
            "clear": sighting.clear,
            "total": sighting.total,
            "fraction": round(sighting.seen / sighting.total, 3),
            "reasons": reasons,
            "text": f"{told}{f' ({why})' if why else ''}",
        }

    def _reason(self, reason: Reason) -> dict[str, Any]:
        words_of, rule = EFFECTS.get(reason.effect, ("{who}", "k47.core.los"))
        who = self._who(reason.who)
        return {
            "who": who,
            "effect": reason.effect,
            "points": reason.points,
            "at": list(reason.at),
            "text": words_of.format(who=who),
            "rule": "k47.core.los_units" if reason.is_model else rule,
        }

    def _viewers(self, viewer: Unit, target: Unit) -> list[dict[str, Any]]:
        """Which models see how many models of the target (k47.shoot.who)."""
        blockers = ground.hulls(self.state, viewer, target)
        theirs = ground.presence(self.state, target)
        return [
            {
                "model": self._model(viewer, eye),
                "sees": sum(ground.look(self.state, viewer, eye, target, body, blockers).is_seen for body in theirs),
            }
            for eye in ground.presence(self.state, viewer)
        ]

    # -- cover ------------------------------------------------------------------------------------------------

    def cover(self, entry: Entry) -> Answer:
        """The cover of a unit against another: model by model, then what the majority has (k47.shoot.cover_def)."""
        pairs = entry.table(("from", "to"))
        viewer, target = self._end(pairs, "from", entry), self._end(pairs, "to", entry)
        aims = self._aims(viewer, target)
        if not aims:
            text = [f"{self._called(viewer)} has no line of fire to {self._called(target)}, so nothing covers it."]
            return Answer("cover", text, {"from": viewer.id, "to": target.id, "cover": None}, ["k47.core.los"])
        grade = Cover(self.rules.shooting.cover(self.state, viewer, target, [aim for _, aim in aims]))
        shooters = [self._row(viewer, target, eye, aim) for eye, aim in aims]
        text = [f"{self._called(target)} is in {COVERS[grade]} cover from {self._called(viewer)}."]
        if grade is Cover.NONE:
            text = [f"{self._called(target)} is not in cover from {self._called(viewer)}."]
        text += self._majority(aims)
        text += [f"{row['label']}: {row['text']}" for row in shooters]
        area = COVERS[ground.area_cover(self.state, target)] if target.bodies else "none"
        facts = {
            "from": viewer.id,
            "to": target.id,
            "cover": COVERS[grade],
            "modifier": -int(grade),
            "area": area,
            "shooters": shooters,
        }
        marks = {"sights": [(b, s) for _, b, s in self._best_lines(viewer, target)]}
        return Answer("cover", text, facts, ["k47.shoot.cover", "k47.shoot.cover_def"], marks)

    def _aims(self, viewer: Unit, target: Unit) -> list[tuple[Body, Aim]]:
        """What every model that sees the target has in its sights."""
        own = ground.troops(friend for friend in self.state.friends(viewer) if friend is not target)
        foes = ground.troops(enemy for enemy in self.state.enemies(viewer) if enemy is not target)
        blockers = ground.hulls(self.state, viewer, target)
        eyes = [viewer.gun] if viewer.gun is not None else ground.presence(self.state, viewer)
        found = []
        for eye in eyes:
            aim = ground.aim(self.state, viewer, eye, target, own, foes, blockers)
            if aim is not None and not aim.blocked_by_friends:
                found.append((eye, aim))
        return found

    def _majority(self, aims: Sequence[tuple[Body, Aim]]) -> list[str]:
        """How the grades were counted: at least half of the shooters against at least half of the models."""
        told = []
        for grade in (Cover.HARD, Cover.SOFT):
            free = sum(2 * sum(c.grade < grade for c in aim.covers) >= len(aim.covers) for _, aim in aims)
            verdict = "does not count" if 2 * free >= len(aims) else "counts"
            told.append(
                f"{COVERS[grade].capitalize()} cover {verdict}: {free} of {len(aims)} shooters have a line with less "
                "to at least half of the models (k47.shoot.cover_def)"
            )
        return told

    def _row(self, viewer: Unit, target: Unit, eye: Body, aim: Aim) -> dict[str, Any]:
        covers = [COVERS[Cover(cover.grade)] for cover in aim.covers]
        why = unique(self._cover_reason(reason) for cover in aim.covers for reason in self._best_reasons(cover))
        counted = ", ".join(f"{covers.count(name)} × {name}" for name in ("none", "soft", "hard") if name in covers)
        return {
            "model": self._model(viewer, eye),
            "label": self._model_name(viewer, eye),
            "range": round(aim.range / INCH, 2),
            "covers": covers,
            "reasons": why,
            "text": f"{counted}{f' ({chr(59).join(why)})' if why else ''}".replace(";", "; "),
        }

    def _best_reasons(self, cover: ModelCover) -> list[Any]:
        return [reason for reason in cover.reasons if reason.grade == cover.grade]

    def _cover_reason(self, reason: Any) -> str:
        return HOW[reason.how].format(who=self._who(reason.who))

    # -- range and arcs ---------------------------------------------------------------------------------------

    def range(self, entry: Entry) -> Answer:
        """How far apart two units are, and what that means for every weapon."""
        pairs = entry.table(("from", "to"))
        unit, target = self._end(pairs, "from", entry), self._end(pairs, "to", entry)
        far = ground.unit_distance(self.state, unit, target)
        weapons = [self._weapon_range(weapon, far) for weapon in dict.fromkeys(unit.card.weapons) if weapon.shoots]
        text = [f"{self._called(unit)} is {show_inches(far)} from {self._called(target)}."]
        text += [f'{one["weapon"]} ({one["range"]}"): {one["text"]}' for one in weapons]
        facts = {"from": unit.id, "to": target.id, "range": round(far / INCH, 2), "tenths_of_mm": far}
        closest = min(
            ((ground.distance(a, b), a, b) for a in ground.presence(self.state, unit)
             for b in ground.presence(self.state, target)), key=lambda one: (one[0], one[1].x, one[1].y),
        )  # fmt: skip
        marks = {"tapes": [(closest[1], closest[2], far)]}
        rules = ["k47.core.measure", "k47.shoot.range", "k47.shoot.long_def", "k47.shoot.point_blank_def"]
        return Answer("range", text, facts | {"weapons": weapons}, rules, marks)

    def _weapon_range(self, weapon: Any, far: int) -> dict[str, Any]:
        reaches = weapon.min_range * INCH <= far <= weapon.range * INCH
        long, close = 2 * far > weapon.range * INCH, far <= 6 * INCH
        told = "in range" if reaches else "out of range" if far > weapon.range * INCH else "inside its minimum range"
        if reaches:
            told += ", point blank" if close else ""
            told += ", long range" if long else ""
        return {
            "weapon": weapon.name,
            "range": weapon.range,
            "reaches": reaches,
            "long": reaches and long,
            "point_blank": reaches and close,
            "text": told,
        }

    def arc(self, entry: Entry) -> Answer:
        """Is a target in the arc of a weapon?"""
        pairs = entry.table(("unit", "from", "weapon", "to", "target"))
        unit = self._end(pairs, "unit" if "unit" in pairs else "from", entry)
        target = self._end(pairs, "to" if "to" in pairs else "target", entry)
        index = weapon_index(unit, pairs["weapon"].text(), pairs["weapon"]) if "weapon" in pairs else 0
        weapon = unit.weapon(index)
        inside = self.rules.shooting.bears(self.state, unit, weapon, target)
        rule = "k47.shoot.arcs" if unit.is_vehicle else "k47.wrule.fixed_arc"
        name = self._arc_name(unit, weapon)
        text = [
            f"{self._called(target)} is {'inside' if inside else 'outside'} the arc of {weapon.name} "
            f"({'all round' if name in ('all', 'turret') else name})."
        ]
        facts = {"unit": unit.id, "to": target.id, "weapon": weapon.name, "arc": name, "inside": inside}
        return Answer("arc", text, facts, [rule], self._arc_marks(unit, weapon))

    def _arc_name(self, unit: Unit, weapon: Any) -> str:
        if unit.is_vehicle:
            return str(weapon.arc)
        return "front" if weapon.has("Fixed") else "all"

    def _arc_marks(self, unit: Unit, weapon: Any) -> dict[str, Any]:
        arc = self.rules.shooting.arc(unit, weapon)
        body = self.rules.shooting.mount(unit)
        return {"arcs": [] if arc is ALL_ROUND else [(body, arc, weapon.range * INCH, self._arc_name(unit, weapon))]}

    def facing(self, entry: Entry) -> Answer:
        """Which side of a vehicle a shooter hits (k47.armour.facing)."""
        pairs = entry.table(("from", "to"))
        unit, target = self._end(pairs, "from", entry), self._end(pairs, "to", entry)
        if not target.is_vehicle:
            raise pairs["to"].wrong(f"{target.card.name} is no vehicle, it has no facings")
        found = facing_shot_at(target.bodies[0], self.rules.shooting.shooter_body(self.state, unit))
        name = "side" if found.is_side else found.name.lower()
        told = f"the {found.name.lower()} side" if found.is_side else f"the {name}"
        text = [f"{self._called(unit)} hits {told} of {self._called(target)}."]
        facts = {"from": unit.id, "to": target.id, "facing": name, "side": found.name.lower()}
        return Answer("facing", text, facts, ["k47.armour.facing"], {"facings": target.bodies[:1]})

    # -- reach ------------------------------------------------------------------------------------------------

    def reach(self, entry: Entry) -> Answer:
        """Where a unit can go with an order; with `to` or `path` also whether that way is legal, and why not."""
        pairs = entry.table(("unit", "order", "to", "path"))
        unit = self._end(pairs, "unit", entry)
        order = simple(pairs["order"].text()) if "order" in pairs else ADVANCE
        if order not in (ADVANCE, RUN):
            raise pairs["order"].wrong(f"nobody moves by '{order}'; expected advance or run")
        if unit.building:
            raise pairs["unit"].wrong(f"{unit.card.name} is inside {unit.building}; it leaves by its doors")
        region = self.rules.movement.region(self.state, unit, order)
        marks: dict[str, Any] = {}
        if isinstance(region, DriveRegion):
            facts, text = self._drives(unit, order, region, marks)
        else:
            facts, text = self._walks(unit, order, region, marks)
        way = pairs.get("path") or pairs.get("to")
        if way is not None:
            self._way(region, way, facts, text, marks)
        rules = ["k47.move.rates", "k47.terrain.table", "k47.core.one_inch"]
        rules += ["k47.move.turns", "k47.move.reverse"] if unit.is_vehicle else ["k47.move.model_limit"]
        return Answer("reach", text, facts, rules, marks)

    def _walks(
        self, unit: Unit, order: str, region: FootRegion, marks: dict[str, Any]
    ) -> tuple[dict[str, Any], list[str]]:
        """The area the first model can get to."""
        clearance = region.clearance
        leader = region.bodies[0]
        keeps = [keep for keep in clearance.keeps if keep.is_kept(leader)]
        found = reach(self.state.table, leader, region.reach, clearance.going, Crowd(keeps), step=12)
        xs, ys = [x for x, _, _ in found.spots], [y for _, y, _ in found.spots]
        marks["reaches"] = [found]
        barred = sorted(set(clearance.going.barred))
        text = [f"{self._called(unit)} can {order} up to {show_inches(region.reach)}."]
        if barred:
            text.append(f"It may not cross {', '.join(barred)} (k47.terrain.table).")
        facts = {
            "unit": unit.id,
            "order": order,
            "inches": round(region.reach / INCH, 2),
            "barred": barred,
            "box": [min(xs), min(ys), max(xs), max(ys)],
            "spots": len(found.spots),
            "outline": [[list(point) for point in ring] for ring in found.outline()],
        }
        return facts, text

    def _drives(
        self, unit: Unit, order: str, region: DriveRegion, marks: dict[str, Any]
    ) -> tuple[dict[str, Any], list[str]]:
        """Where a vehicle can end: forward with its turns, or back."""
        limits = region.limits
        options = self._drive_options(region)
        marks["drives"] = [drive.end for drive in options]
        count = f"{limits.turns} turn{'s' * (limits.turns != 1)}"
        turns = "turning as it likes" if limits.turns < 0 else f"with {count} of up to 90°"
        text = [
            f"{self._called(unit)} can {order} {show_inches(limits.ahead)} forward {turns}, "
            f"or reverse {show_inches(limits.back)}."
        ]
        if limits.road_ahead and any(piece.kind.id == "road" for piece in self.state.table.pieces):
            text.append(f"All the way along a road it drives {show_inches(limits.road_ahead)} (k47.terrain.code_x2).")
        facts = {
            "unit": unit.id,
            "order": order,
            "inches": round(limits.ahead / INCH, 2),
            "turns": limits.turns,
            "reverse": round(limits.back / INCH, 2),
            "ends": [{"x": drive.end.x, "y": drive.end.y, "heading": drive.end.heading} for drive in options],
        }
        return facts, text

    def _drive_options(self, region: DriveRegion) -> list[Any]:
        """A choice of legal ends, forwards and backwards."""
        avoid = [keep for keep in region.clearance.keeps if keep.is_kept(region.body)]
        table, going, limits = self.state.table, region.clearance.going, region.limits
        turns = min(2, limits.turns) if limits.turns >= 0 else 2
        found = list(drive_reach(table, region.body, limits.ahead, turns, going=going, avoid=avoid, degrees=45))
        if limits.back:
            found += drive_reach(table, region.body, limits.back, 0, going=going, avoid=avoid, backwards=True)
        return [drive for drive in found if region.clearance.end_problem([drive.end]) is None]

    def _way(self, region: Any, entry: Entry, facts: dict[str, Any], text: list[str], marks: dict[str, Any]) -> None:
        """Is one way legal, how long is it, where does it end."""
        told = entry.plain()
        answer = understood(entry, lambda: words.points(PlaceFree(0, "reach", region), told, self.unit))
        route = region.route(answer)
        shown = entry.text() if not entry.is_list and not entry.is_table else str(told)
        facts["to"], facts["reached"] = shown, isinstance(route, Route)
        points = [tuple(point[:2]) for point in answer if isinstance(point, tuple)]
        first = region.bodies[0] if isinstance(region, FootRegion) else region.body
        marks["paths"] = [([(first.x, first.y), *points], "" if facts["reached"] else "no")]
        if not isinstance(route, Route):
            route = _KEY.sub(lambda found: self._who((found[1],)), str(route))
            facts["reason"] = route
            text.append(f"{shown}: no, {route}")
            return
        facts["length"] = round(route.length / INCH, 2)
        facts["path"] = [list(point) for point in route.path]
        facts["ends_at"] = [[body.x, body.y] for body in route.bodies]
        facts["facing"] = route.heading
        marks["drives"] = [*marks.get("drives", ()), *(route.bodies if isinstance(region, DriveRegion) else ())]
        end = route.bodies[0]
        text.append(f"{shown}: yes, {show_inches(route.length)} to {show_spot(end.x, end.y)}.")

    # -- weapons, damage, odds --------------------------------------------------------------------------------

    def weapons(self, entry: Entry) -> Answer:
        """What every weapon would need against a target, and why some cannot be used."""
        unit, target, how, _ = self._shooting(entry)
        listed = [self._told_weapon(unit, target, index, way, men, how)
                  for (index, way), men in self._by_weapon(unit, how).items()]  # fmt: skip
        text = [f"{one['weapon']}{f' ({way})' if (way := one['round']) else ''}: {one['text']}" for one in listed]
        rules = unique(rule for one in listed for rule in one["rules"])
        facts = {"from": unit.id, "to": target.id, "order": how, "weapons": listed}
        told = text or [f"{self._called(unit)} has nothing to shoot with on {how}."]
        return Answer("weapons", told, facts, rules or ["k47.shoot.who"])

    def _by_weapon(self, unit: Unit, how: str) -> dict[tuple[int, str], list[int]]:
        found: dict[tuple[int, str], list[int]] = {}
        for man, index, way in self.rules.shooting.options_of(self.state, unit, how):
            found.setdefault((index, way), []).append(man)
        return found

    def _told_weapon(
        self, unit: Unit, target: Unit, index: int, way: str, men: Sequence[int], how: str
    ) -> dict[str, Any]:
        weapon = unit.weapon(index)
        made: dict[str, Any] = {"weapon": weapon.name, "round": way, "models": len(men), "usable": False}
        if not self.rules.shooting.bears(self.state, unit, weapon, target):
            return made | {"text": "no, the target is outside its arc (k47.shoot.arcs)", "rules": ["k47.shoot.arcs"]}
        shots = [Shot(man, index, target.id, way) for man in men]
        pools, lost = self.rules.shooting.pools(self.state, unit, target, shots, how)
        if not pools:
            rule, reason = lost or ("k47.shoot.who", "nobody can shoot")
            return made | {"text": f"no, {reason} ({rule})", "rules": [rule]}
        told = [self._told_pool(target, pool) for pool in pools]
        return made | {
            "usable": True,
            "pools": told,
            "text": "; ".join(one["text"] for one in told),
            "rules": unique(rule for one in told for rule in one["rules"]),
        }

    def _told_pool(self, target: Unit, pool: Pool) -> dict[str, Any]:
        because = [f"{item.text} ({item.rule})" for item in pool.because]
        needed = f"{max(2, pool.need)}+" if pool.need <= 6 else "6 and another 6"
        rules = ["k47.shoot.base", *(item.rule for item in pool.because)]
        found = {
            "shooters": len(pool.men),
            "dice": pool.dice,
            "need": pool.need,
            "long": pool.long,
            "pen": pool.pen,
            "facing": pool.facing,
            "because": because,
            "rules": rules + (["k47.shoot.impossible"] if pool.need > 6 else []),
        }
        why = f" ({', '.join(because)})" if because else ""
        found["text"] = f"{pool.dice} dice on {needed}{why}"
        return found

    def damage(self, entry: Entry) -> Answer:
        """What a hit does: damage value, penetration and why; against armour the grade of every face of the die."""
        unit, target, how, shots = self._shooting(entry)
        pools, lost = self.rules.shooting.pools(self.state, unit, target, shots, how)
        if not pools:
            raise entry.wrong(f"{unit.card.name} cannot shoot at {target.card.name}: {(lost or ('', 'no weapon'))[1]}")
        told = [self._told_damage(target, pool) for pool in pools]
        text = [line for one in told for line in one["text"]]
        rules = unique(rule for one in told for rule in one.pop("rules"))
        facts = {"from": unit.id, "to": target.id, "weapons": told}
        marks = {"facings": target.bodies[:1] if target.is_vehicle else []}
        return Answer("damage", text, facts, rules, marks)

    def _told_damage(self, target: Unit, pool: Pool) -> dict[str, Any]:
        wound = Wound(self.state, pool.weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
        value = self.rules.damage.value(target, wound)
        weapon = pool.weapon
        needed = max(2, value - pool.pen)
        side = f" from the {pool.facing}" if pool.facing else ""
        text = [f"{weapon.name}{side}: damage value {value}, penetration {pool.pen:+d}."]
        found: dict[str, Any] = {
            "weapon": weapon.name,
            "round": pool.round,
            "facing": pool.facing,
            "value": value,
            "pen": pool.pen,
            "rules": ["k47.damage.roll", "k47.damage.values", "k47.damage.nat1"],
            "text": text,
        }
        if target.is_armoured and weapon.small_arm:
            text.append("Small arms cannot damage armour (k47.damage.small_arms_armour).")
            found["rules"] = ["k47.damage.small_arms_armour"]
            return found
        if not target.is_armoured:
            text.append(f"Every hit damages on {needed}+." if needed <= 6 else "It cannot be damaged.")
            found["needed"] = needed
            return found
        faces = dict(konflikt_fire.damaging(self.rules, value, pool.pen))
        found["grades"] = {str(face): faces.get(face, "nothing") for face in range(1, 7)}
        text.append(", ".join(f"{face}: {grade}" for face, grade in found["grades"].items()))
        found["results"] = konflikt_fire.hit_results(self.rules, self.state, target, pool)
        text.append("A hit: " + ", ".join(f"{name} {chance:.1%}" for name, chance in found["results"].items()))
        found["rules"] = ["k47.armour.facing", "k47.armour.mods", "k47.armour.result_grade", "k47.armour.results"]
        return found

    def odds(self, entry: Entry) -> Answer:
        """Exact odds of fire from where the units stand, with everything that shapes the dice."""
        unit, target, how, shots = self._shooting(entry)
        found = konflikt_fire.fire_odds(self.rules, self.state, unit, target, shots, how)
        if not found.pools:
            _, lost = self.rules.shooting.pools(self.state, unit, target, shots, how)
            reason = lost[1] if lost else "no weapon bears on it"
            raise entry.wrong(f"{unit.card.name} has nothing to shoot at {target.card.name} with: {reason}")
        steps = konflikt_fire.steps(self.rules, self.state, target, found.pools)
        rules = unique(rule for step in steps for rule in step.rules())
        facts = odds_facts(found, target) | {
            "attacker": unit.id,
            "target": target.id,
            "order": how,
            "steps": [step.to_json() for step in steps],
            "rules": rules,
        }
        text = [f"{pool.weapon.name}: {self._told_pool(target, pool)['text']}" for pool in found.pools]
        text += self._told_odds(found, target)
        return Answer("odds", text, facts, rules)

    def _told_odds(self, found: FireOdds, target: Unit) -> list[str]:
        told = [f"A hit at all: {found.hit:.1%}; pins to expect: {found.pins:.2f}."]
        if target.is_vehicle:
            return [*told, f"Destroyed with a chance of {found.destroyed:.1%}."]
        told.append(f"Expected: {found.mean_losses:.2f} of {len(target.men)} models.")
        told.append(f"All lost: {found.destroyed:.1%}; a morale check: {found.check:.1%}; gone in the end about "
                    f"{found.gone:.1%} (k47.morale.half).")  # fmt: skip
        return told

    def _shooting(self, entry: Entry) -> tuple[Unit, Unit, str, list[Shot]]:
        """Who shoots at whom, by which order, with what."""
        pairs = entry.table(("attacker", "from", "unit", "target", "to", "weapon", "round", "order"))
        shooter = next((key for key in ("attacker", "from", "unit") if key in pairs), "from")
        unit = self._end(pairs, shooter, entry)
        target = self._end(pairs, "target" if "target" in pairs else "to", entry)
        how = simple(pairs["order"].text()) if "order" in pairs else FIRE
        if how not in (FIRE, ADVANCE):
            raise pairs["order"].wrong(f"nobody shoots by '{how}'; expected fire or advance")
        wanted = weapon_index(unit, pairs["weapon"].text(), pairs["weapon"]) if "weapon" in pairs else None
        way = pairs["round"].text() if "round" in pairs else ""
        if wanted is None and not way:
            return unit, target, how, konflikt_fire.best_shots(self.rules, self.state, unit, target, how)
        name = unit.weapon(wanted).name if wanted is not None else ""
        shots = [
            Shot(man, index, target.id, one)
            for man, index, one in self.rules.shooting.options_of(self.state, unit, how)
            if (not name or unit.weapon(index).name == name) and (not way or simple(one) == simple(way))
        ]
        once = {(shot.man, shot.weapon): shot for shot in reversed(shots)}
        return unit, target, how, sorted(once.values())

    # -- morale and assaults ----------------------------------------------------------------------------------

    def morale(self, entry: Entry) -> Answer:
        """The value a test needs, why, and the chance to pass; double six is FUBAR in order tests."""
        pairs = entry.table(("unit", "order", "check", "target"))
        unit = self._end(pairs, "unit", entry, off=True)
        order = simple(pairs["order"].text()) if "order" in pairs else ""
        choice: Any = order
        if order == "assault":
            choice = ("assault", self._end(pairs, "target", entry).id)
        elif order and order not in ORDERS:
            raise pairs["order"].wrong(f"there is no order '{order}'{suggestion(order, ORDERS)}")
        occasion = self.rules.orders.occasion(self.state, unit, choice) if order else Occasion(CHECK)
        needed, because = self.rules.morale.value(self.state, unit, occasion)
        tested = not order or self.rules.orders.needs_test(self.state, unit, occasion)
        chance = konflikt_fire.passes(needed)
        text = [f"{self._called(unit)} needs {needed} or less on 2D6: {chance:.1%}."]
        if not tested:
            text = [f"{self._called(unit)} needs no test for {order} (k47.order.test_when)."]
        text += [f"{item.text} ({item.rule})" for item in because]
        fubar = tested and occasion.kind == ORDER
        if fubar:
            text.append(f"FUBAR on double six: {1 / 36:.1%} (k47.order.fubar).")
        facts = {
            "unit": unit.id,
            "order": order or None,
            "test": tested,
            "needed": needed,
            "chance": chance if tested else 1.0,
            "fubar": 1 / 36 if fubar else 0.0,
            "because": [{"rule": item.rule, "text": item.text} for item in because],
        }
        rules = ["k47.order.test_when" if order else "k47.morale.check", *(item.rule for item in because)]
        return Answer("morale", text, facts, unique(rules))

    def assault(self, entry: Entry) -> Answer:
        """Does an assault reach its target, how may the target react, and what do the blows need."""
        pairs = entry.table(("unit", "from", "target", "to"))
        unit = self._end(pairs, "unit" if "unit" in pairs else "from", entry)
        target = self._end(pairs, "target" if "target" in pairs else "to", entry)
        chapter = self.rules.assault
        if not chapter.may_assault(self.state, unit):
            raise entry.wrong(f"{unit.card.name} may not assault (k47.cq.who)")
        found = chapter.measure(self.state, unit, target)
        escapes = chapter.escapes(self.state, target)
        stands = not target.order and found.start > 6 * INCH and self.rules.orders.can_shoot(target)
        reactions = [*escapes, *(["stand and fire"] if stands or target.order == "ambush" else [])]
        ordinary, hard = chapter.attack_dice(unit)
        value = self.rules.damage.value(target, Wound(self.state, None, 0, hand_to_hand=True))
        text = [
            f"{self._called(unit)} starts {show_inches(found.start)} from {self._called(target)} and "
            f"{'gets into contact' if found.into_contact else 'falls short'}.",
            f"{self._called(target)} may react: {', '.join(reactions) or 'not at all'}.",
            f"Hand-to-hand: {ordinary + hard} attacks against damage value {value}.",
        ]
        if found.start <= 6 * INCH:
            text.append('From within 6" nobody stands and fires (k47.react.stand_fire_limit).')
        facts = {
            "unit": unit.id,
            "target": target.id,
            "distance": round(found.start / INCH, 2),
            "reaches": found.into_contact,
            "reactions": reactions,
            "attacks": ordinary + hard,
            "value": value,
        }
        marks: dict[str, Any] = {}
        if found.route is not None and found.route.path:
            first = unit.bodies[0]
            marks["paths"] = [([(first.x, first.y), *(point[:2] for point in found.route.path)], "")]
        return Answer("assault", text, facts, ["k47.cq.reach", "k47.react.escape", "k47.react.stand_fire"], marks)

    # -- the rest ---------------------------------------------------------------------------------------------

    def template(self, entry: Entry) -> Answer:
        """Whom a template laid on the table touches. HE and flames of this game roll for hits instead
        (k47.he.hits, k47.wrule.flame_hit); lines are for shockwaves and for friends in the way."""
        pairs = entry.table(("shape", "at", "from", "to", "radius", "width", "length"))
        shape = pairs["shape"].text() if "shape" in pairs else "blast"
        if shape not in SHAPES:
            raise pairs["shape"].wrong(f"there is no template '{shape}'{suggestion(shape, SHAPES)}")
        laid = self._laid(shape, pairs, entry)
        touched: dict[str, list[Any]] = {}
        for unit in self.state.units:
            if unit.on_table:
                for body in ground.all_bodies(unit):
                    if laid.touches(body):
                        touched.setdefault(unit.id, []).append(self._model(unit, body))
        listed = [
            f"{len(models)} of {len(ground.all_bodies(self.state.unit(id)))} models of "
            f"{self._called(self.state.unit(id))}"
            for id, models in touched.items()
        ]
        text = [f"The {shape} template touches {', '.join(listed) or 'nobody'}."]
        text.append("Nobody counts models under a template in this game: HE and flames roll for their hits.")
        rules = ["k47.he.hits", "k47.wrule.flame_hit"]
        return Answer("template", text, {"shape": shape, "touched": touched}, rules, {"templates": [laid]})

    def _laid(self, shape: str, pairs: dict[str, Entry], entry: Entry) -> Template:
        def length(key: str, default: str) -> int:
            if key not in pairs:
                return words.length(default)
            return understood(pairs[key], lambda: words.length(pairs[key].plain(), self.unit))

        if shape == "blast":
            x, y = self._point(pairs, "at", entry)
            return Disc(x, y, length("radius", "2in"))
        start, end = self._point(pairs, "from", entry), self._point(pairs, "to", entry)
        if shape == "line":
            return Strip(start, end, length("width", "0in"))
        if shape == "tape":
            return flame_tape(start, end)
        way = understood(entry, lambda: words.heading(_heading(start, end)))
        return teardrop(start, way, length("length", "8in"), length("width", "3in"))

    def _point(self, pairs: dict[str, Entry], key: str, entry: Entry) -> tuple[int, int]:
        """A place, or where the first model of a unit stands."""
        found = self._end(pairs, key, entry)
        body = found.gun or found.bodies[0]
        return body.x, body.y

    def objectives(self, entry: Entry) -> Answer:
        """Who holds what, and the points if the game ended now."""
        shown = self.rules.view(self.state)
        names = [side["name"] for side in shown["sides"]]
        text = []
        for one in shown["objectives"]:
            holder = "nobody" if one["holder"] is None else names[one["holder"]]
            text.append(f"{one['name']} ({show_spot(*one['spots'][0])}): held by {holder}, {one['points']} points")
        score = list(self.rules.victory.points(self.state))
        text += [f"{name}: {points} points" for name, points in zip(names, score, strict=True)]
        facts = {"objectives": shown["objectives"], "score": score}
        return Answer("objectives", text, facts, ["k47.game.victory"])

    # -- words ------------------------------------------------------------------------------------------------

    def _end(self, pairs: dict[str, Entry], key: str, entry: Entry, off: bool = False) -> Unit:
        """A unit by id or name, or a place where somebody might stand."""
        if key not in pairs:
            raise entry.wrong(f"'{key}' is missing")
        wanted = pairs[key]
        text = str(wanted.plain())
        found = [unit for unit in self.state.units if unit.id == text]
        found = found or [unit for unit in self.state.units if simple(unit.card.name) == simple(text)]
        if len(found) == 1:
            if not off and not found[0].on_table:
                raise wanted.wrong(f"{text} is not on the table")
            return found[0]
        if not found and (wanted.is_list or wanted.is_table or any(letter.isdigit() for letter in text[:1])):
            return self._somebody(wanted, understood(wanted, lambda: words.spot(wanted.plain(), self.unit)))
        known = [unit.id for unit in self.state.units]
        raise wanted.wrong(f"there is no unit '{text}'{suggestion(text, known)}")

    def _somebody(self, entry: Entry, spot: tuple[int, int]) -> Unit:
        """A single soldier at a place, seen by nobody's eyes but the question's."""
        if not (0 <= spot[0] <= self.state.table.width and 0 <= spot[1] <= self.state.table.depth):
            raise entry.wrong(f"{show_spot(*spot)} is off the table")
        unit = Unit(f"({show_spot(*spot)})", 0, A_SPOT)
        unit.place = TABLE
        ground.stand(self.state.table, unit, [spot], 0)
        return unit

    def _called(self, unit: Unit) -> str:
        return unit.id if unit.card is A_SPOT else f"{unit.card.name} ({unit.id})"

    def _who(self, who: object) -> str:
        if isinstance(who, tuple) and who and isinstance(who[0], str):
            return next((unit.card.name for unit in self.state.units if unit.id == who[0]), str(who[0]))
        return str(who)

    def _model(self, unit: Unit, body: Body) -> Any:
        """The number of a model in its unit, from 1, "gun", or "opening"."""
        if unit.building:
            return "opening"
        mark = body.key[1] if isinstance(body.key, tuple) else 0
        return mark + 1 if isinstance(mark, int) else mark

    def _model_name(self, unit: Unit, body: Body) -> str:
        number = self._model(unit, body)
        if unit.card is A_SPOT:
            return unit.id
        return f"{unit.id} {f'model {number}' if isinstance(number, int) else f'the {number}'}"


def _heading(start: tuple[int, int], end: tuple[int, int]) -> int:
    return heading_of(end[0] - start[0], end[1] - start[1])


def odds_facts(found: FireOdds, target: Unit) -> dict[str, Any]:
    """The odds as plain data, in the keys of `dieselfront odds --json`."""
    facts: dict[str, Any] = {
        "hits": {str(number): chance for number, chance in enumerate(found.hits) if chance},
        "losses": {str(number): chance for number, chance in enumerate(found.losses)},
        "destroyed": found.destroyed,
        "expected": {
            "hits": sum(number * chance for number, chance in enumerate(found.hits)),
            "losses": found.mean_losses,
            "pins": found.pins,
        },
        "hit": found.hit,
    }
    if target.is_armoured:
        return facts | {"results": found.results}
    return facts | {"check": found.check, "gone": found.gone}


def unique(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
