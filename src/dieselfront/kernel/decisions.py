"""The few shapes of decisions: every question a player is ever asked has one of them.

A decision says whose it is, what is legal, and can list or sample its answers. Screens, computer players, records and
the learning environment know these shapes and no rules. Answers are plain data (numbers, texts, tuples of them), so
that a record is a list of answers. Options are worked out only when somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Any, Protocol

import msgspec

from dieselfront.kernel.meaning import NOTHING, About, Option, Refusal
from dieselfront.kernel.stakes import Stake

Answer = Any
"""None, a bool, an int, a str, or a tuple of answers."""

_UNKNOWN: Any = object()


class Chance(Protocol):
    """What sampling needs of a random source; `random.Random` fits."""

    def randrange(self, stop: int, /) -> int: ...
    def random(self) -> float: ...


class IllegalChoice(Exception):
    """An answer that the rules do not allow, with the reason and, where known, the rule."""

    def __init__(self, reason: str, rule: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule


def plain(answer: object) -> Answer:
    """An answer as it came from JSON, with lists made tuples; anything that is no plain data is refused."""
    if isinstance(answer, list | tuple):
        return tuple(plain(part) for part in answer)
    if answer is None or isinstance(answer, str | int):
        return answer
    raise IllegalChoice(f"{answer!r} is not an answer; expected numbers, texts or lists of them")


class Decision:
    """A question to one player. `key` names the kind of question, `unit` the unit it is about."""

    __slots__ = ("_about", "_labels", "_stakes", "act", "key", "player", "refusals", "rule", "text", "unit")

    shape = ""

    def __init__(
        self,
        player: int,
        key: str,
        text: str = "",
        rule: str = "",
        unit: str = "",
        labels: Callable[[Answer], str] | None = None,
        refusals: Callable[[], Mapping[Answer, tuple[str, str]]] | None = None,
        act: str = "choose",
        about: Callable[[Answer], About] | None = None,
        stakes: Callable[[Answer], Sequence[Stake]] | None = None,
    ) -> None:
        self.player = player
        self.key = key
        self.text = text
        self.rule = rule
        self.unit = unit
        self._labels = labels
        self.refusals = refusals
        self.act = act
        self._about = about
        self._stakes = stakes

    @property
    def takes_more(self) -> bool:
        """Are other legal answers accepted than those that `answers` lists?"""
        return False

    def answers(self) -> Iterator[Answer]:
        """Every legal answer, in a fixed order."""
        raise NotImplementedError

    def count(self) -> int:
        """How many legal answers there are."""
        return sum(1 for _ in self.answers())

    def check(self, answer: Answer) -> Answer:
        """The answer in its plain form, or IllegalChoice with the reason."""
        raise NotImplementedError

    def tidy(self, answer: Answer) -> Answer:
        """An answer in another spelling that the decision takes, in its plain form, legal or not."""
        return answer

    def sample(self, chance: Chance) -> Answer:
        """Any legal answer, by chance."""
        raise NotImplementedError

    def forced(self) -> Answer:
        """The only legal answer, or NOT_FORCED."""
        return NOT_FORCED

    def label(self, answer: Answer) -> str:
        """The answer in words."""
        return self._labels(answer) if self._labels else say(answer)

    def meaning(self, answer: Answer) -> About:
        """What an answer is about. None and no answer at all mean doing nothing, unless the decision knows better."""
        if self._about is not None:
            return self._about(answer)
        return NOTHING if answer is None else About(act=self.act, unit=self.unit)

    @property
    def has_stakes(self) -> bool:
        """May answers lead to dice whose plans are known already?"""
        return self._stakes is not None

    def at_stake(self, answer: Answer) -> Sequence[Stake]:
        """What would be rolled for an answer: targets and plans; empty where no dice follow from it."""
        return self._stakes(answer) if self._stakes is not None else ()

    def option(self, answer: Answer) -> Option:
        """A legal answer as people see it."""
        return Option(answer, self.label(answer), self.meaning(answer))

    def refused(self) -> list[Option]:
        """Answers that a player might expect and may not give, each with the rule that forbids it."""
        if self.refusals is None:
            return []
        return [
            Option(answer, self.label(answer), self.meaning(answer), Refusal(rule, reason))
            for answer, (rule, reason) in self.refusals().items()
        ]

    def refuse(self, answer: Answer) -> IllegalChoice:
        """Why an answer is not legal, in the words of the rule if the decision knows them."""
        if self.refusals is not None:
            known = self.refusals().get(answer)
            if known is not None:
                return IllegalChoice(known[1], known[0])
        return IllegalChoice(f"{self.named(answer)} is not among the legal answers to {self.key!r}", self.rule or None)

    def named(self, answer: Answer) -> str:
        """What people call an answer that need not be legal, as far as the decision has words for it."""
        try:
            return self.label(answer)
        except (LookupError, TypeError, ValueError, AttributeError):
            return say(answer)

    def facts(self) -> dict[str, Any]:
        """What a screen shows of the decision, as plain data."""
        return {
            "shape": self.shape,
            "player": self.player,
            "key": self.key,
            "text": self.text,
            "rule": self.rule,
            "unit": self.unit,
            "act": self.act,
            "stakes": self.has_stakes,
        }


def _shown(option: Option) -> dict[str, Any]:
    """An option as plain data; what it is about only as far as it is known."""
    return {"answer": option.answer, "label": option.label, "about": msgspec.to_builtins(option.about)}


NOT_FORCED: Any = type("NotForced", (), {"__repr__": lambda self: "NOT_FORCED"})()


def say(answer: Answer) -> str:
    """A plain answer as text."""
    if answer is None:
        return "nothing"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, tuple):
        return ", ".join(say(part) for part in answer)
    return str(answer)


Options = Sequence[Answer] | Callable[[], Sequence[Answer]]


class PickOne(Decision):
    """Choose one of the options."""

    __slots__ = ("_index", "_options")

    shape = "pick-one"

    def __init__(
        self,
        player: int,
        key: str,
        options: Options,
        text: str = "",
        rule: str = "",
        unit: str = "",
        labels: Callable[[Answer], str] | None = None,
        refusals: Callable[[], Mapping[Answer, tuple[str, str]]] | None = None,
        act: str = "choose",
        about: Callable[[Answer], About] | None = None,
        stakes: Any = None,
    ) -> None:
        self.player = player  # as Decision does, without another call: most decisions are such
        self.key = key
        self.text = text
        self.rule = rule
        self.unit = unit
        self._labels = labels
        self.refusals = refusals
        self.act = act
        self._about = about
        self._stakes = stakes
        self._options: Any = options
        self._index: Any = None

    @property
    def options(self) -> Sequence[Answer]:
        """The legal options in their fixed order, worked out on first look."""
        options: Any = self._options
        if callable(options):
            options = self._options = options()
        listed: Sequence[Answer] = options
        return listed

    def answers(self) -> Iterator[Answer]:
        return iter(self.options)

    def count(self) -> int:
        return len(self.options)

    def check(self, answer: Answer) -> Answer:
        answer = plain(answer)
        if self._index is None:
            self._index = set(self.options)
        if answer not in self._index:
            raise self.refuse(answer)
        return answer

    def sample(self, chance: Chance) -> Answer:
        options = self.options
        return options[chance.randrange(len(options))]

    def forced(self) -> Answer:
        options = self.options
        return options[0] if len(options) == 1 else NOT_FORCED

    def facts(self) -> dict[str, Any]:
        shown = super().facts()
        shown["options"] = [_shown(self.option(answer)) for answer in self.options]
        if self.refusals is not None:
            shown["refused"] = [
                _shown(option) | {"rule": option.refused.rule, "reason": option.refused.reason}
                for option in self.refused()
                if option.refused is not None
            ]
        return shown


class PickNext(PickOne):
    """Choose what comes next of several things that all come; the same question follows about the rest.

    The options stand in the order that is usual, so that a screen may offer to take all of them as they stand.
    """

    __slots__ = ()

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"ordering": True}


class YesNo(Decision):
    """Yes or no."""

    __slots__ = ()

    shape = "yes-no"

    def answers(self) -> Iterator[Answer]:
        return iter((False, True))

    def check(self, answer: Answer) -> Answer:
        if isinstance(answer, str) and answer.lower() in ("yes", "no"):
            answer = answer.lower() == "yes"
        if not isinstance(answer, bool):
            raise IllegalChoice(f"{say(answer)} is neither yes nor no", self.rule or None)
        return answer

    def sample(self, chance: Chance) -> Answer:
        return chance.randrange(2) == 1

    def meaning(self, answer: Answer) -> About:
        """Yes does what is asked about, no does nothing."""
        if self._about is not None:
            return self._about(answer)
        return About(act=self.act, unit=self.unit) if answer else NOTHING


class Number(Decision):
    """A whole number from `least` to `most`."""

    __slots__ = ("least", "most")

    shape = "number"

    def __init__(self, player: int, key: str, least: int, most: int, **details: Any) -> None:
        super().__init__(player, key, **details)
        self.least = least
        self.most = most

    def answers(self) -> Iterator[Answer]:
        return iter(range(self.least, self.most + 1))

    def check(self, answer: Answer) -> Answer:
        if isinstance(answer, bool) or not isinstance(answer, int) or not self.least <= answer <= self.most:
            raise IllegalChoice(
                f"expected a whole number from {self.least} to {self.most}, not {say(answer)}", self.rule or None
            )
        return answer

    def sample(self, chance: Chance) -> Answer:
        return self.least + chance.randrange(self.most - self.least + 1)

    def forced(self) -> Answer:
        return self.least if self.least == self.most else NOT_FORCED

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"least": self.least, "most": self.most}


class PickSome(PickOne):
    """Choose some of the options, from `least` to `most`, none twice; the answer keeps the options' order."""

    __slots__ = ("least", "most")

    shape = "pick-some"

    def __init__(self, player: int, key: str, options: Options, least: int, most: int, **details: Any) -> None:
        super().__init__(player, key, options, **details)
        self.least = least
        self.most = most

    def answers(self) -> Iterator[Answer]:
        for size in range(self.least, min(self.most, len(self.options)) + 1):
            yield from combinations(self.options, size)

    def count(self) -> int:
        return sum(1 for _ in self.answers())

    def check(self, answer: Answer) -> Answer:
        answer = plain(answer)
        if not isinstance(answer, tuple):
            raise IllegalChoice(f"expected a list of options, not {say(answer)}", self.rule or None)
        if len(set(answer)) != len(answer):
            raise IllegalChoice("an option was chosen twice", self.rule or None)
        if not self.least <= len(answer) <= self.most:
            raise IllegalChoice(
                f"choose from {self.least} to {self.most} options, not {len(answer)}", self.rule or None
            )
        for part in answer:
            if part not in self.options:
                raise self.refuse(part)
        return tuple(option for option in self.options if option in answer)

    def sample(self, chance: Chance) -> Answer:
        most = min(self.most, len(self.options))
        size = self.least + chance.randrange(most - self.least + 1)
        left = list(self.options)
        chosen = [left.pop(chance.randrange(len(left))) for _ in range(size)]
        return tuple(option for option in self.options if option in chosen)

    def forced(self) -> Answer:
        options = self.options
        if self.most == 0 or not options:
            return ()
        return tuple(options) if self.least == len(options) else NOT_FORCED

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"least": self.least, "most": self.most}


class OpenOptions(tuple[Answer, ...]):
    """Options that are offered to an item, and besides them every other one that is legal, such as a template that may
    be laid anywhere."""

    legal: Callable[[Answer], bool] | None = None

    def __contains__(self, option: object) -> bool:
        if super().__contains__(option):
            return True
        return self.legal is not None and isinstance(option, tuple) and self.legal(option)


class Assign(Decision):
    """Give each item one of its own options: weapons to targets, hits to models.

    The answer is a tuple with one option per item, in the order of the items. `agree` may forbid combinations that
    single options do not show; it returns the reason, or None if all is well. `conflicts` are pairs of items of which
    only one may be given an option other than None. `default` is a legal fallback.
    """

    __slots__ = ("_choices", "agree", "conflicts", "default", "item_labels", "items")

    shape = "assign"

    def __init__(
        self,
        player: int,
        key: str,
        items: Sequence[Answer],
        choices: Sequence[Sequence[Answer]],
        agree: Callable[[tuple[Answer, ...]], IllegalChoice | None] | None = None,
        default: tuple[Answer, ...] | None = None,
        item_labels: Callable[[Answer], str] | None = None,
        conflicts: Sequence[tuple[int, int]] = (),
        **details: Any,
    ) -> None:
        super().__init__(player, key, **details)
        self.items = items
        self._choices = choices
        self.agree = agree
        self.default = default
        self.conflicts = conflicts
        self.item_labels = item_labels

    @property
    def choices(self) -> Sequence[Sequence[Answer]]:
        """The options of each item."""
        return self._choices

    @property
    def takes_more(self) -> bool:
        return any(isinstance(options, OpenOptions) and options.legal is not None for options in self._choices)

    def answers(self) -> Iterator[Answer]:
        for answer in product(*self._choices):
            if self.objection(answer) is None:
                yield answer

    def objection(self, answer: tuple[Answer, ...]) -> IllegalChoice | None:
        """Why the options, each legal by itself, do not go together."""
        for one, other in self.conflicts:
            if answer[one] is not None and answer[other] is not None:
                return IllegalChoice(
                    f"{self.item(self.items[one])} and {self.item(self.items[other])} cannot both be used",
                    self.rule or None,
                )
        return self.agree(answer) if self.agree else None

    def check(self, answer: Answer) -> Answer:
        answer = plain(answer)
        if not isinstance(answer, tuple) or len(answer) != len(self.items):
            raise IllegalChoice(f"expected {len(self.items)} assignments, one per item", self.rule or None)
        for item, chosen, options in zip(self.items, answer, self._choices, strict=True):
            if chosen not in options:
                raise self._not_an_option(item, chosen)
        objection = self.objection(answer)
        if objection is not None:
            raise objection
        return answer

    def _not_an_option(self, item: Answer, chosen: Answer) -> IllegalChoice:
        known = self.refusals().get((item, chosen)) if self.refusals is not None else None
        if known is not None:
            return IllegalChoice(f"{self.item(item)}: {known[1]}", known[0])
        words = f"{self.named(chosen)} is not among the legal answers to {self.key!r}"
        return IllegalChoice(f"{self.item(item)}: {words}", self.rule or None)

    def sample(self, chance: Chance) -> Answer:
        for _ in range(20):
            drawn = [options[chance.randrange(len(options))] for options in self._choices]
            for one, other in self.conflicts:
                if drawn[one] is not None and drawn[other] is not None:
                    drawn[other if chance.randrange(2) else one] = None
            answer = tuple(drawn)
            if self.agree is None or self.agree(answer) is None:
                return answer
        if self.default is not None:
            return self.default
        return next(self.answers())

    def forced(self) -> Answer:
        if all(len(options) == 1 for options in self._choices):
            return tuple(options[0] for options in self._choices)
        return NOT_FORCED

    def item(self, item: Answer) -> str:
        """An item in words."""
        return self.item_labels(item) if self.item_labels else say(item)

    def aim(self, item: Answer, option: Answer) -> Option:
        """One option of one item as people see it."""
        return Option(option, self.label(option), self.part_meaning(item, option))

    def part_meaning(self, item: Answer, option: Answer) -> About:
        """What one item with one option is about; `about` of an Assign is asked for such pairs."""
        if option is None:
            return NOTHING
        return self._about((item, option)) if self._about is not None else About(act=self.act, unit=self.unit)

    def meaning(self, answer: Answer) -> About:
        """What the whole assignment is about: everything its parts are about, in their order."""
        parts = [
            self.part_meaning(item, option)
            for item, option in zip(self.items, answer, strict=True)
            if option is not None
        ]
        if not parts:
            return NOTHING
        return About(
            act=parts[0].act,
            unit=parts[0].unit or self.unit,
            targets=tuple(dict.fromkeys(target for part in parts for target in part.targets)),
            places=tuple(dict.fromkeys(place for part in parts for place in part.places)),
            weapons=tuple(dict.fromkeys(weapon for part in parts for weapon in part.weapons)),
            skills=tuple(dict.fromkeys(skill for part in parts for skill in part.skills)),
        )

    def facts(self) -> dict[str, Any]:
        shown = super().facts()
        shown["items"] = [
            {
                "item": item,
                "label": self.item(item),
                "options": [_shown(self.aim(item, answer)) for answer in options],
            }
            for item, options in zip(self.items, self._choices, strict=True)
        ]
        if self.default is not None:
            shown["default"] = self.default
        return shown


class Region(Protocol):
    """Where something may be placed when the spots cannot be listed (a measured table)."""

    def why_not(self, spot: Answer) -> str | None: ...
    def sample(self, chance: Chance) -> Answer: ...
    def spots(self) -> Sequence[Answer]: ...
    def facts(self) -> dict[str, Any]: ...


class Place(Decision):
    """Put something on a spot of a region, with a facing where facings matter: the answer is (spot, facing).

    On squares `spots` maps every legal spot to what it costs; `facings` are the legal facings, the same for all spots
    or, as a function, for each. Where `why_not_by` is given, an answer may also name the way, every spot entered with
    the last one included: (spot, facing, way). It says why a way is not legal, or None. Ways are never listed;
    `spot_named` finds the spots of one by their names.
    """

    __slots__ = ("_facings", "_spots", "spot_named", "why_not_by")

    shape = "place"

    def __init__(
        self,
        player: int,
        key: str,
        spots: Mapping[Answer, int] | Callable[[], Mapping[Answer, int]],
        facings: Sequence[Answer] | Callable[[Answer], Sequence[Answer]] = (None,),
        why_not_by: Callable[[Answer, Answer, tuple[Answer, ...]], str | None] | None = None,
        spot_named: Callable[[str], Answer] | None = None,
        text: str = "",
        rule: str = "",
        unit: str = "",
        labels: Callable[[Answer], str] | None = None,
        refusals: Callable[[], Mapping[Answer, tuple[str, str]]] | None = None,
        act: str = "choose",
        about: Callable[[Answer], About] | None = None,
        stakes: Callable[[Answer], Sequence[Stake]] | None = None,
    ) -> None:
        Decision.__init__(self, player, key, text, rule, unit, labels, refusals, act, about, stakes)
        self._spots: Any = spots
        self._facings = facings
        self.why_not_by = why_not_by
        self.spot_named = spot_named

    @property
    def spots(self) -> Mapping[Answer, int]:
        """Every legal spot with its cost, in a fixed order."""
        if callable(self._spots):
            self._spots = self._spots()
        spots: Mapping[Answer, int] = self._spots
        return spots

    def facings(self, spot: Answer) -> Sequence[Answer]:
        """The legal facings on a spot."""
        return self._facings(spot) if callable(self._facings) else self._facings

    def answers(self) -> Iterator[Answer]:
        for spot in self.spots:
            for facing in self.facings(spot):
                yield (spot, facing)

    def check(self, answer: Answer) -> Answer:
        answer = plain(answer)
        if not isinstance(answer, tuple) or len(answer) not in (2, 3):
            raise IllegalChoice("expected a spot and a facing", self.rule or None)
        spot, facing, *named = answer
        if spot not in self.spots:
            raise self.refuse(spot)
        if facing not in self.facings(spot):
            raise IllegalChoice(f"facing {say(facing)} is not possible there", self.rule or None)
        for way in named:
            self._check_way(spot, facing, way)
        return answer

    def _check_way(self, spot: Answer, facing: Answer, way: Answer) -> None:
        if self.why_not_by is None or not isinstance(way, tuple):
            raise IllegalChoice("expected a spot and a facing, and no way", self.rule or None)
        objection = self.why_not_by(spot, facing, way)
        if objection is not None:
            raise IllegalChoice(objection, self.rule or None)

    def sample(self, chance: Chance) -> Answer:
        spots = self.spots
        spot = next(islice(spots, chance.randrange(len(spots)), None))
        facings = self.facings(spot)
        return (spot, facings[chance.randrange(len(facings))])

    def forced(self) -> Answer:
        spots = self.spots
        if len(spots) == 1:
            spot = next(iter(spots))
            facings = self.facings(spot)
            if len(facings) == 1:
                return (spot, facings[0])
        return NOT_FORCED

    def facts(self) -> dict[str, Any]:
        shown = super().facts()
        shown["spots"] = [
            {"spot": spot, "cost": cost, "label": self.label(spot), "facings": list(self.facings(spot))}
            for spot, cost in self.spots.items()
        ]
        return shown

    def meaning(self, answer: Answer) -> About:
        """Where the unit goes, which way it looks then, and what that costs."""
        if self._about is not None:
            return self._about(answer)
        spot, facing = answer[0], answer[1]
        return About(
            act="move" if self.act == "choose" else self.act,
            unit=self.unit,
            places=(self.label(spot),),
            facing=facing,
            cost=self.spots.get(spot),
        )


class PlaceFree(Decision):
    """Put something anywhere in a region that cannot be listed: the answer is a spot as plain numbers."""

    __slots__ = ("region",)

    shape = "place-free"
    takes_more = True

    def __init__(self, player: int, key: str, region: Region, **details: Any) -> None:
        super().__init__(player, key, **details)
        self.region = region

    def answers(self) -> Iterator[Answer]:
        """A fair choice of good spots, not all of them."""
        return iter(self.region.spots())

    def check(self, answer: Answer) -> Answer:
        answer = plain(answer)
        objection = self.region.why_not(answer)
        if objection is not None:
            raise IllegalChoice(objection, self.rule or None)
        return answer

    def sample(self, chance: Chance) -> Answer:
        return self.region.sample(chance)

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"region": self.region.facts()}

    def meaning(self, answer: Answer) -> About:
        """Where the unit goes (x, y), and which way it looks then."""
        if self._about is not None:
            return self._about(answer)
        act = "move" if self.act == "choose" else self.act
        if not is_point(answer):
            return About(act=act, unit=self.unit)
        facing = answer[2] if len(answer) > 2 and isinstance(answer[2], int) else None
        return About(act=act, unit=self.unit, places=(answer[:2],), facing=facing)


class Path(PlaceFree):
    """A way along points of a region: the answer is a tuple of points (with headings where they matter)."""

    __slots__ = ()

    shape = "path"

    def meaning(self, answer: Answer) -> About:
        """The way and its end; no points at all mean that the unit stays where it is."""
        if self._about is not None:
            return self._about(answer)
        act = "move" if self.act == "choose" else self.act
        points = tuple(point[:2] for point in answer if is_point(point))
        if not points:
            return About(act=act, unit=self.unit, careless=True)
        last = answer[-1]
        return About(act=act, unit=self.unit, places=points[-1:], way=points, facing=last[2] if len(last) > 2 else None)


def is_point(answer: Answer) -> bool:
    """Does an answer begin with the coordinates of a point?"""
    return isinstance(answer, tuple) and len(answer) >= 2 and all(isinstance(part, int) for part in answer[:2])


class TypeDice(Decision):
    """People roll dice of their own and type the faces in: the answer is one face name per die."""

    __slots__ = ("count_", "faces", "stage")

    shape = "dice"

    def __init__(self, player: int, faces: tuple[str, ...], count: int, stage: str, **details: Any) -> None:
        super().__init__(player, "dice", **details)
        self.faces = faces
        self.count_ = count
        self.stage = stage

    def answers(self) -> Iterator[Answer]:
        return product(self.faces, repeat=self.count_)

    def check(self, answer: Answer) -> Answer:
        answer = plain(answer)
        if isinstance(answer, str):
            answer = tuple(answer.replace(",", " ").split())
        if not isinstance(answer, tuple) or len(answer) != self.count_:
            raise IllegalChoice(f"expected {self.count_} faces", self.rule or None)
        known = {face.upper(): face for face in self.faces}
        for face in answer:
            if str(face).upper() not in known:
                raise IllegalChoice(f"no die shows {face}; the faces are {', '.join(self.faces)}", self.rule or None)
        return tuple(known[str(face).upper()] for face in answer)

    def sample(self, chance: Chance) -> Answer:
        return tuple(self.faces[chance.randrange(len(self.faces))] for _ in range(self.count_))

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"faces": self.faces, "count": self.count_, "stage": self.stage}
