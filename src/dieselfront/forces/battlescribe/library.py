"""A set of BattleScribe files that refer to each other: entries, groups, links, profiles, rules by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dieselfront.forces.battlescribe.safe import Node, Refused

LINKED = ("selectionEntry", "selectionEntryGroup", "profile", "rule", "infoGroup", "categoryEntry", "catalogue")
VERSIONS = ("1.", "2.")
MAX_WORK = 400_000
"""Steps of following links and trying choices; the largest set of catalogues we know takes 27 thousand."""


class Profile:
    """A table of named values: its own name, the name of its type, the values."""

    __slots__ = ("name", "type_id", "type_name", "values")

    def __init__(self, name: str, type_id: str, type_name: str, values: dict[str, str]) -> None:
        self.name = name
        self.type_id = type_id
        self.type_name = type_name
        self.values = values


class Library:
    """The files, everything with an id in them, and how to follow a link."""

    def __init__(self, roots: Iterable[Node]) -> None:
        self.roots = tuple(roots)
        self.by_id: dict[str, Node] = {}
        self.type_names: dict[str, str] = {}
        self.categories: dict[str, str] = {}
        costs: set[str] = set()
        for root in self.roots:
            for node in walk(root):
                if node.tag == "profileType":
                    self.type_names[node.get("id")] = node.get("name")
                elif node.tag == "categoryEntry":
                    self.categories[node.get("id")] = node.get("name")
                elif node.tag in ("costType", "cost"):
                    costs.update((node.get("id"), node.get("typeId"), node.get("costTypeId")))
                if node.tag in LINKED and node.get("id"):
                    self.by_id.setdefault(node.get("id"), node)
        self.cost_ids = frozenset(costs - {""})
        self.work = MAX_WORK
        self.shared_profiles: dict[str, Node] = {}
        for root in self.roots:
            for node in root.inside("sharedProfiles"):
                self.shared_profiles.setdefault(node.get("name"), node)

    def toil(self) -> None:
        """Count a step of work; files that make no end of it are refused."""
        self.work -= 1
        if self.work < 0:
            raise Refused("These files link their entries so often that reading them has no end; they are not read.")

    @property
    def catalogues(self) -> list[Node]:
        return [root for root in self.roots if root.tag == "catalogue"]

    @property
    def game(self) -> str:
        """The name of the game system, if its file is among them."""
        return next((root.get("name") for root in self.roots if root.tag == "gameSystem"), "")

    def target(self, link: Node) -> Node | None:
        """What a link points to, None if its file is not here."""
        return self.by_id.get(link.get("targetId"))

    def profiles(self, node: Node) -> list[Profile]:
        """The profiles of an entry: its own and those it links to."""
        listed = [self.profile(one) for one in node.inside("profiles")]
        for link in node.inside("infoLinks"):
            target = self.target(link) if link.get("type") == "profile" else None
            if target is not None and target.tag == "profile":
                listed.append(self.profile(target))
        return listed

    def profile(self, node: Node) -> Profile:
        type_id = node.get("profileTypeId") or node.get("typeId")
        name = node.get("typeName") or node.get("profileTypeName") or self.type_names.get(type_id, "")
        values = {one.get("name"): value_of(one) for one in node.inside("characteristics")}
        return Profile(node.get("name"), type_id, name, values)

    def rules(self, node: Node) -> list[str]:
        """The names of an entry's rules, with what a modifier appends to them."""
        names = [one.get("name") for one in node.inside("rules")]
        for link in node.inside("infoLinks"):
            target = self.target(link) if link.get("type") == "rule" else None
            if target is None and link.get("type") == "rule" and link.get("name"):
                names.append(link.get("name"))
            elif target is not None:
                names.append(appended(target.get("name"), link))
        return names

    def category_names(self, node: Node) -> list[str]:
        """The categories of an entry, the primary one first."""
        links = sorted(node.inside("categoryLinks"), key=lambda link: link.get("primary") != "true")
        return [self.categories.get(link.get("targetId"), link.get("name")) for link in links]


def value_of(characteristic: Node) -> str:
    """A value: an attribute in schema 2.01, text in 2.03."""
    return (characteristic.attributes.get("value") or characteristic.text).strip()


def appended(name: str, link: Node) -> str:
    """Some links append to the name of what they link: "Expert" "- Flamethrower"."""
    for modifier in link.inside("modifiers"):
        if modifier.get("type") == "append" and modifier.get("field") == "name":
            return f"{name} {modifier.get('value')}"
    return name


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in order of the document."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(one.children))


def check_version(root: Node, name: str) -> None:
    version = root.get("battleScribeVersion")
    if version and not version.startswith(VERSIONS):
        raise Refused(f"{name} is of BattleScribe version {version[:20]!r}; versions 2.01 to 2.03 are read.")
