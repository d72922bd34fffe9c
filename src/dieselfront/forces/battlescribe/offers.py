"""What an entry offers, with its links followed: entries, groups of choices, costs that depend on other choices.

`pick` builds the plainest legal selection of an entry, `cost` prices a selection; together they answer what
a unit costs at each experience without a roster program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dieselfront.forces.battlescribe.library import Library, Profile
from dieselfront.forces.battlescribe.safe import Node

MAX_OFFERS = 4000
"""Entries below one unit; links that lead in circles stop here."""


class Offer:
    """An entry that can be selected: its names and ids, limits, price, profiles, rules, and what lies below."""

    __slots__ = (
        "entries",
        "groups",
        "ids",
        "kind",
        "least",
        "library",
        "most",
        "name",
        "nodes",
        "profiles",
        "rules",
    )

    def __init__(self, name: str, kind: str, ids: frozenset[str], nodes: tuple[Node, ...], library: Library) -> None:
        self.library = library
        self.name = name
        self.kind = kind
        self.ids = ids
        self.nodes = nodes
        self.least = limit(nodes, "min") or 0
        self.most = limit(nodes, "max")
        self.profiles: list[Profile] = []
        self.rules: list[str] = []
        self.entries: list[Offer] = []
        self.groups: list[Group] = []

    @property
    def conditional(self) -> bool:
        """Hidden until some condition holds."""
        return any(is_hiding(one) for one in modifiers(self.nodes))


class Group:
    """A group of choices: how many must and may be taken, which one is preset."""

    __slots__ = ("entries", "groups", "least", "most", "name", "nodes", "preset")

    def __init__(self, name: str, nodes: tuple[Node, ...], preset: str) -> None:
        self.name = name
        self.nodes = nodes
        self.preset = preset
        self.least = limit(nodes, "min") or 0
        self.most = limit(nodes, "max")
        self.entries: list[Offer] = []
        self.groups: list[Group] = []


class Pick:
    """A selection: an offer taken so many times, and what is selected below it."""

    __slots__ = ("below", "count", "offer", "parent")

    def __init__(self, offer: Offer, count: int, parent: Pick | None) -> None:
        self.offer = offer
        self.count = count
        self.parent = parent
        self.below: list[Pick] = []

    def all(self) -> Iterator[tuple[Pick, int]]:
        """Every selection from here down with how often it is there in all."""
        stack = [(self, self.count)]
        while stack:
            one, times = stack.pop()
            yield one, times
            stack.extend((child, times * child.count) for child in reversed(one.below))


def limit(nodes: tuple[Node, ...], kind: str) -> int | None:
    """The limit on selections below the parent; a link's own word counts before its target's."""
    for node in nodes:
        for one in node.inside("constraints"):
            same = one.get("type") == kind and one.get("field") == "selections" and one.get("scope") == "parent"
            if same:
                return int(number(one.get("value")))
    return None


def force_limit(nodes: tuple[Node, ...]) -> int | None:
    for node in nodes:
        for one in node.inside("constraints"):
            if one.get("type") == "max" and one.get("scope") in ("force", "roster"):
                return int(number(one.get("value")))
    return None


def number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if abs(value) < 1e6 else 0.0


def offer(library: Library, node: Node, budget: list[int] | None = None, depth: int = 0) -> Offer | None:
    """An entry or a link to one, with everything below it."""
    library.toil()
    left = budget if budget is not None else [MAX_OFFERS]
    left[0] -= 1
    if left[0] < 0 or depth > 12:
        return None
    nodes = followed(library, node)
    if nodes is None or nodes[-1].tag != "selectionEntry":
        return None
    target = nodes[-1]
    name = node.get("name") or target.get("name")
    made = Offer(name, target.get("type"), frozenset(one.get("id") for one in nodes), nodes, library)
    for one in nodes:
        made.profiles += library.profiles(one)
        made.rules += [rule for rule in library.rules(one) if rule not in made.rules]
        fill(library, one, made, left, depth)
    return made


def fill(library: Library, node: Node, into: Offer | Group, left: list[int], depth: int) -> None:
    """Collect the entries and groups directly below a node."""
    for child in (*node.inside("selectionEntries"), *node.inside("entryLinks")):
        nodes = followed(library, child)
        if nodes is None:
            continue
        if nodes[-1].tag == "selectionEntryGroup":
            into.groups.append(group(library, child, nodes, left, depth + 1))
        else:
            child_offer = offer(library, child, left, depth + 1)
            if child_offer is not None:
                into.entries.append(child_offer)
    for child in node.inside("selectionEntryGroups"):
        into.groups.append(group(library, child, (child,), left, depth + 1))


def group(library: Library, node: Node, nodes: tuple[Node, ...], left: list[int], depth: int) -> Group:
    preset = next((one.get("defaultSelectionEntryId") for one in nodes if one.get("defaultSelectionEntryId")), "")
    made = Group(node.get("name") or nodes[-1].get("name"), nodes, preset)
    if depth <= 12:
        for one in nodes:
            fill(library, one, made, left, depth)
    return made


def followed(library: Library, node: Node) -> tuple[Node, ...] | None:
    """A link and its target, or the entry alone; None if the target's file is missing."""
    if node.tag != "entryLink":
        return (node,)
    target = library.target(node)
    return None if target is None else (node, target)


# Costs


def modifiers(nodes: tuple[Node, ...]) -> Iterator[Node]:
    """Every modifier of an entry, also those in groups."""
    for node in nodes:
        yield from node.inside("modifiers")
        for pack in node.inside("modifierGroups"):
            yield from pack.inside("modifiers")


def is_visible(nodes: tuple[Node, ...], parent: Pick | None) -> bool:
    """Whether an entry is offered, given what is selected around it."""
    hidden = any(node.get("hidden") == "true" for node in nodes)
    for one in modifiers(nodes):
        if one.get("field") == "hidden" and one.get("type") == "set" and holds(one, parent, None):
            hidden = one.get("value") == "true"
    return not hidden


def is_hiding(modifier: Node) -> bool:
    return modifier.get("field") == "hidden" and modifier.get("value") == "true"


def own_cost(offered: Offer, parent: Pick | None, here: Pick | None = None) -> float:
    """The price of one selection by itself, given what else is selected around it."""
    price = 0.0
    for node in offered.nodes:
        costs = node.inside("costs")
        if costs:
            price = sum(number(one.get("value")) for one in costs)
            break
    for one in modifiers(offered.nodes):
        if one.get("field") in offered.library.cost_ids and holds(one, parent, here):
            amount = number(one.get("value")) * repeats(one, parent, here)
            kind = one.get("type")
            price = amount if kind == "set" else price + amount if kind == "increment" else price - amount
    return price


def per_model_cost(offered: Offer) -> tuple[float, bool]:
    """The price that is charged for each model of the unit, and whether there is one."""
    for one in modifiers(offered.nodes):
        each = number(one.get("value")) * (-1 if one.get("type") == "decrement" else 1)
        if each and any(repeat.get("childId") == "model" for repeat in one.inside("repeats")):
            return each, True
    return 0.0, False


def holds(modifier: Node, parent: Pick | None, here: Pick | None) -> bool:
    """Whether the conditions of a modifier are met by what is selected."""
    return all(condition(one, parent, here) for one in modifier.inside("conditions")) and all(
        condition_group(one, parent, here) for one in modifier.inside("conditionGroups")
    )


def condition_group(node: Node, parent: Pick | None, here: Pick | None) -> bool:
    parts = [condition(one, parent, here) for one in node.inside("conditions")]
    parts += [condition_group(one, parent, here) for one in node.inside("conditionGroups")]
    return any(parts) if node.get("type") == "or" else all(parts)


def condition(node: Node, parent: Pick | None, here: Pick | None) -> bool:
    kind = node.get("type")
    if kind in ("instanceOf", "notInstanceOf"):
        return kind == "notInstanceOf"
    have = counted(node, parent, here)
    want = number(node.get("value"))
    tests = {
        "equalTo": have == want,
        "notEqualTo": have != want,
        "greaterThan": have > want,
        "lessThan": have < want,
        "atLeast": have >= want,
        "atMost": have <= want,
    }
    return tests.get(kind, False)


def repeats(modifier: Node, parent: Pick | None, here: Pick | None) -> float:
    """How often a modifier applies: once, or for every so many selections."""
    times = 1.0
    for one in modifier.inside("repeats"):
        each = number(one.get("value")) or 1.0
        times *= int(counted(one, parent, here) / each) * (number(one.get("repeats")) or 1.0)
    return times


def counted(node: Node, parent: Pick | None, here: Pick | None) -> float:
    """How many selections of a kind there are in the scope of a condition or repeat."""
    scope = scope_of(node.get("scope"), parent, here)
    if scope is None:
        return 0
    child = node.get("childId")
    deep = node.get("includeChildSelections") == "true"
    picks = (
        ((one, times) for one, times in scope.all() if one is not scope)
        if deep
        else ((one, one.count) for one in scope.below)
    )
    return sum(
        times
        for one, times in picks
        if child == "any" or (child == "model" and one.offer.kind == "model") or child in one.offer.ids
    )


def scope_of(scope: str, parent: Pick | None, here: Pick | None) -> Pick | None:
    if scope == "parent":
        return parent
    if scope == "self":
        return here
    one = here or parent
    while one is not None:
        if scope in one.offer.ids:
            return one
        one = one.parent
    return None


# The plainest build


def pick(offered: Offer, level: str | None, parent: Pick | None = None, count: int = 1, depth: int = 0) -> Pick:
    """The plainest selection of an offer: what must be taken, the chosen experience, the cheapest of choices."""
    offered.library.toil()
    chosen = Pick(offered, count, parent)
    if depth > 12:
        return chosen
    ordered = sorted(offered.groups, key=lambda one: not any(quality_of(entry) for entry in one.entries))
    for one in offered.entries:
        if quality_of(one) and level is not None and one.least == 0 and quality_of(one) == level:
            chosen.below.append(pick(one, level, chosen, 1, depth + 1))
    for one in offered.entries:
        if one.least > 0 and (level is None or quality_of(one) in (None, level)):
            chosen.below.append(pick(one, level, chosen, one.least, depth + 1))
    for choice in ordered:
        pick_group(choice, level, chosen, depth)
    return chosen


def pick_group(choice: Group, level: str | None, chosen: Pick, depth: int) -> int:
    """Take what a group demands; returns how many selections were made."""
    taken = 0
    for one in choice.entries:
        if one.least > 0 and not quality_of(one):
            chosen.below.append(pick(one, level, chosen, one.least, depth + 1))
            taken += one.least
    for inner in choice.groups:
        taken += pick_group(inner, level, chosen, depth + 1)
    missing = choice.least - taken
    open_choices = [
        one for one in choice.entries if (one.most is None or one.most > one.least) and is_visible(one.nodes, chosen)
    ]
    qualities = [one for one in choice.entries if quality_of(one)]
    if qualities:
        wanted = [one for one in qualities if quality_of(one) == level] or qualities[:1]
        if missing > 0 or level is not None:
            chosen.below.append(pick(wanted[0], level, chosen, 1, depth + 1))
            taken += 1
        return taken
    while missing > 0 and open_choices:
        best = cheapest(choice, open_choices, level, chosen)
        room = missing if best.most is None else min(missing, best.most - best.least)
        chosen.below.append(pick(best, level, chosen, room, depth + 1))
        missing -= room
        taken += room
        open_choices.remove(best)
    return taken


def cheapest(choice: Group, offers: list[Offer], level: str | None, chosen: Pick) -> Offer:
    """The plainest choice: one without surcharge, else the one that costs least; the preset one among equals.

    A man among men with a price who costs nothing himself is a slip of the file and comes last.
    """

    def key(place: int) -> tuple[bool, float, bool, int]:
        trial = pick(offers[place], level, chosen)
        price = own_cost(offers[place], chosen) + max(0.0, sum(cost(one) for one in trial.below))
        preset = choice.preset in offers[place].ids
        slip = price == 0 and offers[place].kind == "model" and not preset
        return (price != 0 or slip, 1e9 if slip else price, not preset, place)

    return offers[min(range(len(offers)), key=key)]


def cost(picked: Pick) -> float:
    """What a selection costs with everything below it."""
    total = own_cost(picked.offer, picked.parent, picked)
    return picked.count * (total + sum(cost(one) for one in picked.below))


_QUALITY = re.compile(r"^(inexperienced|regular|veteran)(?: \(vehicle\))?$")


def quality_of(offered: Offer) -> str | None:
    """The experience an entry stands for, if it is such an entry."""
    match = _QUALITY.match(offered.name.strip().lower())
    return match[1] if match else None
