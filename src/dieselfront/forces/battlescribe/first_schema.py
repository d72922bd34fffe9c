"""Catalogues of BattleScribe 1, rewritten in the words of version 2, so that one reader serves both.

Version 1 writes prices, limits and categories as attributes of an entry and has one list of links; version 2 has costs,
constraints and category links as lists, and parts links to entries from links to tables and rules.
"""

from __future__ import annotations

from dieselfront.forces.battlescribe.safe import Node

LISTS = {
    "entries": "selectionEntries",
    "entryGroups": "selectionEntryGroups",
    "sharedEntries": "sharedSelectionEntries",
    "sharedEntryGroups": "sharedSelectionEntryGroups",
}
"""Lists that go by another name in version 2."""
TAGS = {"entry": "selectionEntry", "entryGroup": "selectionEntryGroup", "category": "categoryEntry"}
LINKS = {
    "entry": ("entryLinks", "selectionEntry"),
    "entry group": ("entryLinks", "selectionEntryGroup"),
    "profile": ("infoLinks", "profile"),
    "rule": ("infoLinks", "rule"),
}
LIMITS = (
    ("minSelections", "min", "parent"),
    ("maxSelections", "max", "parent"),
    ("maxInForce", "max", "force"),
    ("maxInRoster", "max", "roster"),
)
UNLIMITED = ("", "-1")


def modernised(root: Node) -> Node:
    """The document as version 2 would write it; documents of version 2 are returned as they are."""
    return rewritten(root) if root.get("battleScribeVersion").startswith("1.") else root


def rewritten(root: Node) -> Node:
    """The tree in version 2's words, walked without recursion: files of strangers may be deep."""
    top = Node(root.tag, root.attributes)
    stack = [(root, top)]
    while stack:
        old, new = stack.pop()
        if old.tag in ("entry", "entryGroup"):
            new.children += terms(old)
        for child in old.children:
            if child.tag == "links":
                new.children += links(child)
                continue
            twin = Node(LISTS.get(child.tag) or TAGS.get(child.tag) or child.tag, child.attributes)
            twin.text = child.text
            new.children.append(twin)
            stack.append((child, twin))
    return top


def terms(entry: Node) -> list[Node]:
    """What an entry costs, how often it may be taken, and what it counts as."""
    costs = listed("costs", [Node("cost", {"name": "pts", "typeId": "points", "value": entry.get("points", "0")})])
    limits = [
        Node("constraint", {"type": kind, "field": "selections", "scope": scope, "value": entry.get(name)})
        for name, kind, scope in LIMITS
        if entry.get(name) not in UNLIMITED
    ]
    category = Node("categoryLink", {"targetId": entry.get("categoryId"), "primary": "true"})
    return [costs, listed("constraints", limits), listed("categoryLinks", [category])]


def links(old: Node) -> list[Node]:
    """One list of links as two; a link keeps what it modifies."""
    lists = {"entryLinks": Node("entryLinks", {}), "infoLinks": Node("infoLinks", {})}
    for link in old.children:
        where, kind = LINKS.get(link.get("linkType"), ("", ""))
        if where:
            twin = Node(where.removesuffix("s"), {**link.attributes, "type": kind})
            twin.children = link.children
            lists[where].children.append(twin)
    return list(lists.values())


def listed(tag: str, children: list[Node]) -> Node:
    node = Node(tag, {})
    node.children = children
    return node
