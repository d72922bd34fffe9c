"""Who carries what: the soldiers of a squad, derived from its weapon lines (d47.open.who_loses_weapon).

Cards list how many weapons of each kind a squad has, not which soldier holds them. We hand them out like
this:

1. Primary weapons make soldiers: the lines whose counts add up to the squad's size, guns before fists, and
   fists before throw-away launchers, grenade launchers under the barrel, tools and charges. A card may
   also list its soldiers itself, and then nothing is derived.
2. The commonest weapon comes first, so the leader (the first soldier) is an ordinary rifleman and the machine
   gunner stands last.
3. Second weapons go to the soldiers in order, the ordinary ones before the specialists, one to each; tools
   go to the mechanic.
4. Command Squads: officer (the leader), radio operator, medic, mechanic; with armour 3 or 4 the officer
   carries the radio (d47.command.armored_officer_radio). Artillery Observers: the second soldier has the
   radio (d47.skill.artillery_observer_radio). Spotter: the first soldier without a sniper weapon. Assault
   Shield: the leader (d47.skill.assault_shield).
5. Support weapons: as many soldiers as the damage track has points (d47.skill.support_weapon_base); the
   heavy weapon belongs to the crew as a whole, the small arms to the soldiers in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Protocol

from dieselfront.forces.dust import Role, Soldier
from dieselfront.forces.skills import SkillRef


class Carried(Protocol):
    """What handing out asks of a weapon line, whichever game's card it stands on."""

    @property
    def name(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def close(self) -> bool: ...
    @property
    def range_max(self) -> int: ...
    @property
    def crewed(self) -> bool: ...
    def has(self, rule: str) -> bool: ...


SECOND_WEAPONS = (
    "under-barrel",
    "panzerfaust",
    "flammfaust",
    "rpg",
    "demo charge",
    "mine",
    "molotov",
    "grenade pistol",
)
MANY_LINES = 10
"""Beyond so many weapon lines the guns are simply taken in order."""
TOOLS = ("wrench", "power cutter", "mechanics' tools")


def squad(models: int, skills: Sequence[SkillRef], armour: int, weapons: Sequence[Carried]) -> tuple[Soldier, ...]:
    """The soldiers of a squad of that size, each with roles and weapons."""
    primary = primary_lines(models, weapons)
    carried = [
        [line]
        for line in sorted(primary, key=lambda at: place_in_rank(weapons[at]))
        for _ in range(weapons[line].count)
    ]
    carried += [[] for _ in range(models - len(carried))]
    roles = squad_roles(models, {ref.name for ref in skills}, armour, [has_sniper(lines, weapons) for lines in carried])
    for line, weapon in enumerate(weapons):
        if line not in primary:
            hand_out(line, weapon, carried, roles, weapons)
    return tuple(
        Soldier(soldier_name(roles[place], [weapons[line] for line in lines]), tuple(roles[place]), tuple(lines))
        for place, lines in enumerate(carried)
    )


def primary_lines(models: int, weapons: Sequence[Carried]) -> tuple[int, ...]:
    """The weapon lines that make the soldiers: counts add up to the squad, the best guns that do."""
    lines = range(len(weapons))
    fitting = (
        []
        if len(weapons) > MANY_LINES
        else [
            choice
            for size in range(1, len(weapons) + 1)
            for choice in combinations(lines, size)
            if sum(weapons[line].count for line in choice) == models
        ]
    )
    if fitting:
        return min(fitting, key=lambda choice: (sum(weapons[at].count * rank(weapons[at]) for at in choice), choice))
    taken: list[int] = []
    for line in sorted(lines, key=lambda at: (rank(weapons[at]), at)):
        if sum(weapons[at].count for at in taken) + weapons[line].count <= models:
            taken.append(line)
    return tuple(sorted(taken))


def rank(weapon: Carried) -> int:
    """How likely the weapon is a second one: guns 0, close combat 2, launchers and charges 3, tools 4."""
    name = weapon.name.lower()
    if name in TOOLS:
        return 4
    if any(word in name for word in SECOND_WEAPONS) and name not in ("rpg-12", "rpg-15"):
        return 3
    return 2 if weapon.close else 0


def place_in_rank(weapon: Carried) -> tuple[int, bool]:
    """The commonest weapon stands first, so that the leader carries it; snipers stand behind their
    spotters."""
    return (-weapon.count, weapon.has("Sniper"))


def squad_roles(models: int, skills: set[str], armour: int, snipers: Sequence[bool]) -> list[list[Role]]:
    """The roles of each soldier by place in the squad."""
    roles: list[list[Role]] = [[] for _ in range(models)]
    roles[0].append("leader")
    if "Assault Shield" in skills:
        roles[0].append("shield")
    if "Command Squad" in skills:
        jobs: list[list[Role]] = [["officer"], ["radio"], ["medic"], ["mechanic"]]
        if armour >= 3:
            jobs = [["officer", "radio"], ["medic"], ["mechanic"]]
        for place, job in enumerate(jobs):
            roles[min(place, models - 1)].extend(job)
    elif "Artillery Observer" in skills:
        roles[min(1, models - 1)].append("radio")
    if "Mechanic Crew" in skills:
        for soldier in roles:
            soldier.append("mechanic")
    if "Spotter" in skills:
        roles[next((place for place, sniper in enumerate(snipers) if not sniper), models - 1)].append("spotter")
    return roles


def hand_out(
    line: int,
    weapon: Carried,
    carried: list[list[int]],
    roles: list[list[Role]],
    weapons: Sequence[Carried],
) -> None:
    """Give a second weapon to the soldiers in order: fewest weapons first, ordinary riflemen before
    specialists."""

    def turn(place: int) -> tuple[bool, bool, int]:
        tool_for_another = weapon.name.lower() in TOOLS and "mechanic" not in roles[place]
        full = len(carried[place]) > 1
        return (tool_for_another, full, place)

    order = sorted(range(len(carried)), key=turn)
    for copy in range(weapon.count):
        carried[order[copy % len(order)]].append(line)


def has_sniper(lines: Sequence[int], weapons: Sequence[Carried]) -> bool:
    return any(weapons[line].has("Sniper") for line in lines)


def hero(skills: Sequence[SkillRef], armour: int, weapons: Sequence[Carried]) -> tuple[Soldier, ...]:
    """A hero is one miniature that carries everything (d47.hero.single_miniature)."""
    names = {ref.name for ref in skills}
    roles: list[Role] = ["leader"]
    if "Officer" in names:
        roles += ["officer", "radio"] if armour >= 3 else ["officer"]
    if "Combat Medic" in names:
        roles.append("medic")
    if "Mechanic" in names:
        roles.append("mechanic")
    if "Commissar" in names:
        roles.append("commissar")
    return (Soldier("Hero", tuple(roles), tuple(range(len(weapons)))),)


def support_line(weapons: Sequence[Carried]) -> int | None:
    """The heavy weapon of a support-weapon unit: the one of a kind that reaches farthest, if any reaches
    past 6."""
    singles = [line for line, weapon in enumerate(weapons) if weapon.count == 1 and weapon.range_max > 6]
    return max(singles, key=lambda line: weapons[line].range_max) if singles else None


def support_crew(crew: int, weapons: Sequence[Carried]) -> tuple[Soldier, ...]:
    """The crew of a support weapon: small arms in order; whoever gets none serves the gun only."""
    small_arms = [line for line, weapon in enumerate(weapons) if not weapon.crewed for _ in range(weapon.count)]
    soldiers = []
    for place in range(crew):
        lines = tuple(small_arms[place::crew])
        name = "Crew leader" if place == 0 else "Crewman"
        if lines and weapons[lines[0]].has("Savage Animal"):
            name = "Dog"
        soldiers.append(Soldier(name, ("leader",) if place == 0 else (), lines))
    return tuple(soldiers)


def soldier_name(roles: Sequence[Role], weapons: Sequence[Carried]) -> str:
    """What the soldier is called on the screen: its job, or its weapon."""
    words = [role.capitalize() for role in roles if role not in ("leader", "shield")]
    if "leader" in roles:
        words = ["Leader", *(word for word in words)]
    if words:
        return ", ".join(words)
    return weapons[0].name if weapons else "Soldier"
