"""Blast templates and flame strips of Battlefield: where they may be laid, whom they touch and who is seen by them.

bf.attack.blast_*, bf.attack.flame_*, bf.weapon.artillery_*.
"""

from __future__ import annotations

from dieselfront.forces import DustWeapon
from dieselfront.kernel.game import Play
from dieselfront.rulesets.battlefield.places import flame_width
from dieselfront.rulesets.dust.shots import Aim, Attack, Shot, detail
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.places import Point, at, floor_of, xy
from dieselfront.rulesets.dust_open.templates import BLAST, FLAME, FROM, Templates, middle_of, towards
from dieselfront.table.measured.angles import heading_of
from dieselfront.table.measured.arcs import ALL_ROUND, point_in_arc
from dieselfront.table.measured.shapes import Body, distance_from_point
from dieselfront.table.measured.templates import Area, Template, flame_strip

OUT_OF_REACH = "the template's centre is out of range (bf.attack.range_scale)"


class BattleTemplates(Templates):
    """Laying templates, each by the miniature that fires (bf.open.blast_several_firers)."""

    # -- blast ------------------------------------------------------------------------------------

    def blast_aims(self, play: Play, attack: Attack, weapon: DustWeapon, aims: list[Aim]) -> list[Aim]:
        """A blast for those whom the weapon strikes with one, a plain shot at the others (bf.attack.blast_or_ap)."""
        aimed: list[Aim] = []
        for aim in aims:
            target = play.state.by_id.get(aim[0]) if isinstance(aim[0], str) else None
            cell = weapon.cells.get(target.card.armour_class) if target is not None else None
            if target is None or cell is None or not cell.blast:
                aimed.append(aim)
                continue
            where = play.rules.attacks.place_of(play, target)
            spots = dict.fromkeys((middle_of(where), *where.where[:3]))
            aimed += [(*aim, BLAST, int(spot)) for spot in spots]
        return aimed

    def may_lay(
        self, play: Play, attack: Attack, weapon: DustWeapon, part: Part, bearer: int, centre: int
    ) -> str | None:
        """Why the centre of a template is not a point this miniature could attack (bf.attack.blast_template)."""
        state, ground, unit = play.state, play.rules.ground, attack.unit
        if not state.table.exists(centre):
            return "that is not on the table"
        mine = self.body_of(play, unit, part, bearer)
        x, y = xy(centre)
        far = distance_from_point(x * 10, y * 10, mine)
        least, most = play.rules.attacks.reach_of(play, weapon)
        if not least <= far <= most:
            return OUT_OF_REACH
        arc = ground.fire_arc(state, unit, play.rules.attacks.mount(play, unit, weapon))
        turned = mine if mine.corners else mine.at(mine.x, mine.y, unit.facing)
        if arc is not ALL_ROUND and not point_in_arc(turned, arc, x * 10, y * 10):
            return "the template's centre is out of the weapon's field of fire (bf.attack.fof_front)"
        inside = state.table.building_at(centre)
        if floor_of(centre) >= (1 if inside is None else inside.floors):  # bf.attack.blast_levels
            return "there is no such floor (bf.attack.blast_levels)"
        artillery = weapon.has("Artillery")
        if artillery and self._over_own_area(play, mine, centre):
            return "artillery does not fire across the feature beside it (bf.weapon.artillery_inside)"
        if artillery and attack.by_observer is not None:
            eyes = ground.bodies(state, attack.by_observer)
            seen = any(ground.sees_spot(state, eye, centre, [], attack.by_observer) for eye in eyes)
        else:
            blockers = [] if artillery else ground.sight_blockers(state, unit)
            seen = ground.sees_spot(state, mine, centre, blockers, unit)
        return None if seen else "the template's centre cannot be seen (bf.attack.los_trace)"

    def is_inside(self, play: Play, unit: Unit) -> bool:
        """Does an artillery weapon stand inside area terrain (bf.weapon.artillery_inside)?"""
        body = play.rules.ground.first(play.state, unit)
        if body.inside is not None:
            return True
        return any(piece.kind.is_area for piece in play.state.table.land.pieces_at(body.cx, body.cy))

    def _over_own_area(self, play: Play, mine: Body, centre: int) -> bool:
        """Is part of the unit inside a feature that lies between the weapon and its target?"""
        land = play.state.table.land
        own = {piece.id for piece, _ in land.standing(mine) if piece.kind.is_area}
        x, y = xy(centre)
        met = land.stretches_in((mine.cx, mine.cy), (x * 10, y * 10), land.sight_mask) if own else []
        return any(piece.id in own for piece, _ in met)

    # -- whom it touches ----------------------------------------------------------------------------

    def exposed(self, play: Play, shot: Shot, unit: Unit, touched: tuple[Figure, ...]) -> tuple[Figure, ...]:
        """Of those under a template only the ones in sight of its centre, or of a flame's bearer.

        bf.attack.blast_centre_los, bf.attack.flame_los.
        """
        ground, state = play.rules.ground, play.state
        bodies = dict(zip(unit.figures, ground.bodies(state, unit), strict=True))
        centre = shot.aimed(BLAST)
        if centre is not None:
            return tuple(figure for figure in touched if ground.sees_from(state, centre, bodies[figure]))
        if shot.aimed(FLAME) is None:
            return touched
        bearer = self.body_of(play, shot.unit, shot.part, int(shot.aimed(FROM) or 0))
        blockers = ground.sight_blockers(state, shot.unit)
        return tuple(
            figure
            for figure in touched
            if bodies[figure].key == bearer.key
            or ground.look(state, shot.unit, bearer, unit, bodies[figure], blockers).seen
        )

    # -- flames -------------------------------------------------------------------------------------

    def of(self, play: Play, shot: Shot) -> tuple[Template, int] | None:
        centre = shot.aimed(FLAME)
        if centre is None:
            return super().of(play, shot)
        body = self.body_of(play, shot.unit, shot.part, int(shot.aimed(FROM) or 0))
        return self.strip(play, body, shot.weapon, xy(centre)), floor_of(centre)

    def strip(self, play: Play, body: Body, weapon: DustWeapon, goal: Point) -> Area:
        """A strip 5 cm wide and as long as its range, from the rim of its bearer (bf.open.flame_template).

        Its axis runs through the centre of the bearer (bf.open.flame_axis).
        """
        scale = measures(play.state)
        heading = heading_of(goal[0] - body.x, goal[1] - body.y)
        rim = towards((body.x, body.y), goal, self._rim(body, goal), stop=True)
        return flame_strip(rim, heading, self.length(play, weapon) * scale.range, flame_width(scale))

    def length(self, play: Play, weapon: DustWeapon) -> int:
        """How long the template is, in points; by an option ranges 2 and 3 share one of 20 cm."""
        if play.state.options.get("flame_template") == "one_template":
            return 1 if weapon.range_max <= 1 else 2
        return weapon.range_max

    def _rim(self, body: Body, goal: Point) -> int:
        if not body.corners:
            return body.radius
        low, high = 0, 4000
        while high - low > 10:
            middle = (low + high) // 2
            x, y = towards((body.x, body.y), goal, middle, stop=True)
            if distance_from_point(x * 10, y * 10, body) > 0:
                high = middle
            else:
                low = middle
        return low

    def tape(self, play: Play, attack: Attack, weapon: DustWeapon, body: Body, goal: int) -> int | None:
        """A strip towards a goal: its axis and both far corners lie in the field of fire (bf.attack.flame_template)."""
        x, y = xy(goal)
        if (x, y) == (body.x, body.y):
            return None
        ground, unit = play.rules.ground, attack.unit
        arc = ground.fire_arc(play.state, unit, play.rules.attacks.mount(play, unit, weapon))
        if arc is not ALL_ROUND:
            corners = self.strip(play, body, weapon, (x, y)).corners
            turned = body if body.corners else body.at(body.x, body.y, unit.facing)
            if not all(point_in_arc(turned, arc, cx, cy) for cx, cy in ((x * 10, y * 10), *corners[1:3])):
                return None
        return at(x, y, floor_of(goal))

    def is_under(self, play: Play, body: Body, weapon: DustWeapon, centre: int, target: Unit) -> bool:
        """Has the target a miniature under a strip towards a point (bf.open.flame_axis)?"""
        template = self.strip(play, body, weapon, xy(centre))
        return bool(play.rules.ground.touched(play.state, target, template, floor_of(centre)))

    def flame_aims(
        self, play: Play, attack: Attack, part: Part, weapon: DustWeapon, bearers: tuple[int, ...], targets: list[Unit]
    ) -> list[Aim]:
        """Every bearer with his own template (bf.attack.flame_template)."""
        aims: list[Aim] = []
        for bearer in bearers:
            body = self.body_of(play, attack.unit, part, bearer)
            for target in (one for one in targets if one.on_board):
                goals = [self.tape(play, attack, weapon, body, goal) for goal in (middle_of(target), *target.where[:4])]
                for centre in dict.fromkeys(goal for goal in goals if goal is not None):
                    if self.is_under(play, body, weapon, centre, target):
                        aims.append((target.id, FLAME, int(centre), FROM, bearer))
        return aims

    def may_burn(self, play: Play, attack: Attack, weapon: DustWeapon, part: Part, aim: Aim) -> bool:
        """Is a strip laid by hand legal?"""
        bearer, centre = detail(aim, FROM), detail(aim, FLAME)
        if not isinstance(centre, int) or not isinstance(bearer, int) or not play.state.table.exists(centre):
            return False
        body = self.body_of(play, attack.unit, part, bearer)
        return self.tape(play, attack, weapon, body, centre) is not None
