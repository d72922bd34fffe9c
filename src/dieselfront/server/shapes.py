"""What positions, decisions, odds, replays and library pages look like on the wire.

Routes name these shapes, so the API's description tells them, and `tools/make_api_types.py` writes them as types for
the browser app. Positions are those of the contract of a ruleset (`kernel.views`).
A field that only some games tell is unset by default.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from dieselfront.forces.armies import Army
from dieselfront.forces.card_face import CardFace
from dieselfront.kernel.views import View

Answer = Annotated[Any, Meta(title="Answer")]
"""None, a bool, a number, a text, or a list of answers."""
Number = int | float
Point = str | list[Number]
"""A square by its name, or millimetres on a measured table."""
Because = list["Reason"]


class Reason(Struct, frozen=True):
    """Why: a rule and what it says here."""

    rule: str
    text: str


# -- decisions --------------------------------------------------------------------------------------


class Meaning(Struct, frozen=True):
    """What an answer is about (kernel.meaning.About); what it leaves out it does not know."""

    act: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    targets: list[str] | UnsetType = UNSET
    places: list[str | list[Number]] | UnsetType = UNSET
    way: list[str | list[Number]] | UnsetType = UNSET
    facing: Number | UnsetType | None = UNSET
    weapons: list[str] | UnsetType = UNSET
    skills: list[str] | UnsetType = UNSET
    cost: int | UnsetType | None = UNSET
    careless: bool | UnsetType = UNSET


class Option(Struct, frozen=True):
    """One legal answer: in words, and what it is about."""

    answer: Answer
    label: str
    about: Meaning


class Forbidden(Struct, frozen=True):
    """An answer that some rule forbids."""

    answer: Answer
    rule: str
    reason: str
    label: str = ""
    about: Meaning | UnsetType = UNSET


class Spot(Struct, frozen=True):
    """A place that can be chosen, what it costs, and which ways one can face there."""

    spot: Answer
    cost: int
    label: str
    facings: list[Answer]


class Item(Struct, frozen=True):
    """Something to be assigned, with its own options."""

    item: Answer
    label: str
    options: list[Option]


class Decision(Struct, frozen=True):
    """The pending decision: whole for whoever may answer it (`mine`), a sentence for all others."""

    shape: Literal["pick-one", "pick-some", "assign", "place", "place-free", "path", "number", "yes-no", "dice"]
    player: int
    text: str
    mine: bool
    key: str = ""
    rule: str = ""
    unit: str = ""
    act: str = "choose"
    stakes: bool = False
    version: int | UnsetType = UNSET
    options: list[Option] | UnsetType = UNSET
    refused: list[Forbidden] | UnsetType = UNSET
    spots: list[Spot] | UnsetType = UNSET
    items: list[Item] | UnsetType = UNSET
    default: Answer | UnsetType = UNSET
    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET
    faces: list[str] | UnsetType = UNSET
    count: int | UnsetType = UNSET
    stage: str | UnsetType = UNSET
    region: dict[str, Any] | UnsetType = UNSET
    ordering: bool | UnsetType = UNSET
    """All the options come, one after another: only the order is asked for, again for those that are left."""


# -- before a choice --------------------------------------------------------------------------------


class OddsStep(Struct, frozen=True):
    """One throw on the way from dice to losses."""

    weapon: str
    kind: str
    label: str
    dice: Number
    faces: list[str]
    chance: Number
    expected: Number
    rule: str
    because: Because


class OddsFacts(Struct, frozen=True):
    """The exact odds of an attack on one target; chances by value."""

    hits: dict[str, Number]
    losses: dict[str, Number]
    destroyed: Number
    capacity: int
    expected: dict[str, Number]
    median: int
    steps: list[OddsStep]
    rules: list[str]
    notes: list[str]
    chances: dict[str, Number] | UnsetType = UNSET
    """Of further events by name: a pin, a token, a critical hit."""
    strength: int | UnsetType = UNSET
    """What the target has left, where it is more than the attack can reach: then it cannot be destroyed."""


class WeaponOdds(Struct, frozen=True):
    """One weapon at one target."""

    item: int
    answer: Answer
    target: str
    name: str
    odds: OddsFacts


class TargetOdds(Struct, frozen=True):
    """A whole answer and what it does to one unit: everything that bears at one aim, a target, a reaction."""

    aim: Answer
    answer: Answer
    target: str
    name: str
    odds: OddsFacts


class OptionsOdds(Struct, frozen=True):
    """The odds of every answer that leads to dice."""

    version: int
    options: list[WeaponOdds]
    targets: list[TargetOdds]


class Hint(Struct, frozen=True):
    """What a computer would answer to the pending decision, in words, and why; empty where it has no more to say."""

    version: int
    answer: Answer
    label: str
    reason: str
    chance: float | None = None
    """The player's chance to win as the battle stands, where the game ships what was learned from played games."""


class Unused(Struct, frozen=True):
    """A weapon that cannot be used, and why."""

    weapon: str
    rule: str
    reason: str


class CardOdds(Struct, frozen=True):
    """The odds between two cards."""

    label: str
    hits: dict[str, Number]
    losses: dict[str, Number]
    destroyed: Number
    capacity: int
    expected: dict[str, Number]
    median: int
    chances: dict[str, Number]
    steps: list[OddsStep]
    rules: list[str]
    notes: list[str]
    attacker: str
    target: str
    unused: list[Unused]


class OddsQuestion(Struct, frozen=True):
    """Something about the situation of an attack that changes its odds, as a form asks for it."""

    name: str
    kind: Literal["flag", "number", "choice", "words", "list"]
    text: str
    default: Answer
    choices: list[str]
    least: int | None
    most: int | None


class ThrowAhead(Struct, frozen=True):
    """The dice that would fall next."""

    label: str
    player: int
    count: int
    rule: str
    needs: list[str]
    chance: Number | None
    because: Because


class NextDecision(Struct, frozen=True):
    """The decision that would follow."""

    player: int
    key: str
    text: str
    shape: str
    unit: str


class WeaponReach(Struct, frozen=True):
    """A weapon and how far it reaches, in the lengths of the game; does it reach that far?"""

    weapon: str
    length: Number
    reaches: bool


class Ruler(Struct, frozen=True):
    """A tape from base edge to base edge between the nearest models (mm), its length in the lengths of the game."""

    start: list[Number]
    end: list[Number]
    length: Number
    weapons: list[WeaponReach]


class SeenModel(Struct, frozen=True):
    """One model of a target as it is seen."""

    at: list[Number]
    kind: Literal["clear", "cover", "blocked"]
    reason: str


class SightLine(Struct, frozen=True):
    """What one unit sees of another: clear, in cover, or not at all; where the obstacle stands, and why."""

    unit: str
    to: str
    kind: Literal["clear", "cover", "blocked"]
    start: Point
    end: Point
    at: Point | None
    """The obstacle, where there is one."""
    reason: str
    rule: str
    range: Number
    """Squares, or inches on a measured table."""
    ruler: Ruler | UnsetType = UNSET
    models: list[SeenModel] | UnsetType = UNSET
    no_shot: str | UnsetType = UNSET
    """Why none of its weapons can be used on the target, where none can."""


class ArcView(Struct, frozen=True):
    """Where a weapon bears: corners of the area on a measured table, or squares by their names."""

    weapon: str
    name: str
    range: Number
    at: Point
    outline: list[Point]
    """Empty if it bears all round."""
    rule: str


class TerrainEffect(Struct, frozen=True):
    """What a kind of terrain does to a unit: one line, and the rules behind it."""

    kind: str
    text: str
    rules: list[str]
    going: str = ""
    """How it is crossed: `slow`, `no`, or empty for freely."""


class CostGrid(Struct, frozen=True):
    """What the way to every spot in reach costs: a lattice row by row, `step` millimetres apart, from (x, y) on."""

    x: int
    y: int
    step: int
    columns: int
    limit: Number
    """How far the move goes, in the lengths of the game."""
    cells: str
    """A letter for each spot: 0-9, a-z, A-Z, + and - are 0 to 63 sixty-thirds of the limit, a dot is out of reach."""


class Sights(Struct, frozen=True):
    """What a unit sees, where its weapons bear, how far it can go, and what the ground does to it."""

    version: int
    unit: str
    lines: list[SightLine]
    arcs: list[ArcView]
    reach: list[list[Point]]
    """Rings round the ground in reach of one move, on measured tables."""
    costs: CostGrid | None
    """What the way to every spot of that ground costs."""
    terrain: list[TerrainEffect]


class TemplateView(Struct, frozen=True):
    """A template on a measured table: a disc, a band from `start` to `at`, or any outline; in millimetres."""

    at: list[Number]
    radius: Number
    start: list[Number] | None
    width: Number
    outline: list[list[Number]]


class BodyView(Struct, frozen=True):
    """A base or a hull somewhere on a measured table (mm, degrees)."""

    x: Number
    y: Number
    heading: Number
    width: Number
    length: Number
    round: bool


class RouteView(Struct, frozen=True):
    """Where an answer would bring a unit: its models there, the way (mm), its length and limit as the game measures."""

    bodies: list[BodyView]
    way: list[list[Number]]
    length: Number
    limit: Number


class PreviewFacts(Struct, frozen=True):
    """What an answer would lead to, up to the dice. Of one that is not legal, or comes too late, only why."""

    lines: Because
    dice: ThrowAhead | None
    next: NextDecision | None
    reach: list[Spot]
    region: dict[str, Any] | None
    odds: dict[str, OddsFacts]
    sight: list[SightLine]
    templates: list[TemplateView]
    over: bool
    route: RouteView | None = None
    refused: Reason | None = None


# -- after the battle -------------------------------------------------------------------------------


class LogLine(Struct, frozen=True):
    """One event: its number, its rule, its sentence, its data, and how many choices had been made by then."""

    n: int
    rule: str
    kind: str
    text: str
    data: dict[str, Any]
    choice: int


class ScenarioBrief(Struct, frozen=True):
    """The battle in a few words."""

    id: str
    name: str
    text: str
    turns: int


class Result(Struct, frozen=True):
    """How the game ended: by its own rules, by a concession, or by an agreed draw."""

    winner: int | None
    reason: str
    kind: Literal["played", "concession", "draw"]


class StorySeat(Struct, frozen=True):
    """Who sat where."""

    seat: int
    name: str
    side: str


class DieKind(Struct, frozen=True):
    """A kind of die: what stands on each of its sides."""

    name: str
    sides: list[str]


class Story(Struct, frozen=True):
    """A record from beginning to end."""

    id: str
    ruleset: str
    scenario: ScenarioBrief
    seats: list[StorySeat]
    choices: int
    log: list[LogLine]
    view: View
    turn: int
    over: bool
    result: Result | None
    options: dict[str, str]
    commitment: str
    salt: str
    seed: str | None
    thrown: int
    """How many throws of dice there were in all, shown or not."""
    dice: list[DieKind]
    """The dice of the game; an event names the die that fell unless it is the first of these."""
    explained: list[int]
    """The choices of computers whose reasons may be asked for; a record tells none."""


class Asked(Struct, frozen=True):
    """Who decides next in a replay."""

    player: int
    text: str
    mine: bool


class Frame(Struct, frozen=True):
    """One moment of a replay."""

    at: int
    choices: int
    view: View
    log: list[LogLine]
    lines: int
    decision: Asked | None
    answer: Answer
    turn: int
    over: bool


class SideLuck(Struct, frozen=True):
    """One side's dice beside what was to be expected of them."""

    dice: int
    successes: int
    expected: Number
    deviation: Number
    throws: int
    as_good: Number
    as_bad: Number


class RollLuck(Struct, frozen=True):
    """One throw."""

    n: int
    player: int
    rule: str
    label: str
    dice: int
    successes: int
    expected: Number


class CaseFile(Struct, frozen=True):
    """A position of a running game as a file for the referee."""

    name: str
    text: str


class Luck(Struct, frozen=True):
    """How the dice treated both sides, and how often luck like that comes up."""

    sides: list[SideLuck]
    rolls: list[RollLuck]
    balance: Number
    as_extreme: Number
    sentences: list[str]


# -- after the battle -------------------------------------------------------------------------------


class UnitFate(Struct, frozen=True):
    """What became of a unit."""

    id: str
    name: str
    points: Number
    left: Number
    """What is left of it, from 0 to 1."""


class BestStroke(Struct, frozen=True):
    """The choice that cost the enemy most."""

    choice: int
    turn: int
    unit: str
    """Who struck, by name; empty where nobody can tell."""
    targets: list[str]
    points: Number


class RareThrow(Struct, frozen=True):
    """A throw of unusual luck, and the chance of luck like that."""

    choice: int
    label: str
    dice: int
    successes: int
    expected: Number
    chance: Number


class SideResult(Struct, frozen=True):
    """How one side came through the battle."""

    name: str
    points: Number
    lost: Number
    units: list[UnitFate]
    best: BestStroke | None
    worst_luck: RareThrow | None


class HeldObjective(Struct, frozen=True):
    """An objective and who holds it at the end."""

    name: str
    points: Number
    holder: int | None


class ReviewMoment(Struct, frozen=True):
    """The chance of the first side to win where an activation begins, after so many choices."""

    choice: int
    turn: int
    player: int | None
    """Whose activation begins; null at the end of the game."""
    unit: str
    text: str
    chance: Number
    turning: bool


class JudgedActivation(Struct, frozen=True):
    """An activation beside the best one found; all numbers are the chance to win of who made it."""

    moment: int
    """The number of the moment at which it begins."""
    best: Number
    chosen: Number
    after: Number
    gave_up: Number
    luck: Number
    instead: str
    continuations: int


class Review(Struct, frozen=True):
    """A finished game looked at again, as far as it has been worked out."""

    ready: bool
    done: int
    of: int
    sides: list[SideResult]
    objectives: list[HeldObjective]
    moments: list[ReviewMoment]
    activations: list[JudgedActivation]
    note: str
    """Why activations are not judged, where they are not."""


# -- the library ------------------------------------------------------------------------------------


class OptionChoice(Struct, frozen=True):
    """One way to play an option of the rulebook."""

    id: str
    text: str


class RuleOption(Struct, frozen=True):
    """An option of the rulebook."""

    name: str
    default: str
    choices: list[OptionChoice]
    rule: str | UnsetType = UNSET


class Ruleset(Struct, frozen=True):
    """A game."""

    id: str
    name: str
    summary: str
    table: str
    version: str
    rules: int
    inherits: str | None
    playable: bool
    options: list[RuleOption]
    cards: CardWords | None


class CardWords(Struct, frozen=True):
    """What pages of cards and armies need to know of a game's cards."""

    catalogue: str
    edition: int
    side_word: str
    side_field: str
    sides: list[str]
    price_word: str
    levels: list[str]
    usual_points: int
    odds: bool


class Level(Struct, frozen=True):
    """How well a computer plays, in a line."""

    id: str
    name: str
    text: str


class Personality(Struct, frozen=True):
    """What a computer cares about; a seat's level may be LEVEL:PERSONALITY."""

    id: str
    name: str
    text: str


class RuleText(Struct, frozen=True):
    """A rule in our own words."""

    id: str
    title: str
    text: str
    ruleset: str
    chapter: str
    ruling: bool
    dice: list[str] | UnsetType = UNSET
    table: list[dict[str, Any]] | UnsetType = UNSET
    note: str | UnsetType = UNSET
    example: str | UnsetType = UNSET
    problem: str | UnsetType = UNSET
    why: str | UnsetType = UNSET
    differs: str | UnsetType = UNSET
    see_also: list[str] | UnsetType = UNSET
    option: RuleOption | UnsetType = UNSET
    diagram: str | UnsetType = UNSET
    """Where its drawing is."""


class BoardPlan(Struct, frozen=True):
    """The board of a scenario, as its file draws it."""

    size: Annotated[list[int], Meta(min_length=2, max_length=2)]
    terrain: list[str] | UnsetType = UNSET


class ScenarioPiece(Struct, frozen=True):
    """A piece of terrain of a measured table, in inches: a box, several, a polygon, a line or a disc."""

    kind: str
    at: list[Number] | UnsetType = UNSET
    size: list[Number] | UnsetType = UNSET
    radius: Number | UnsetType = UNSET
    boxes: list[list[Number]] | UnsetType = UNSET
    points: list[list[Number]] | UnsetType = UNSET
    line: list[list[Number]] | UnsetType = UNSET
    width: Number | UnsetType = UNSET


class Scenario(Struct, frozen=True):
    """A battlefield, in short; files hold more."""

    id: str
    name: str
    text: str
    turns: int
    points: int | UnsetType = UNSET
    weather_name: str | UnsetType = UNSET
    board: BoardPlan | UnsetType = UNSET
    size: list[Number] | UnsetType = UNSET
    terrain: list[ScenarioPiece] | UnsetType = UNSET


class Starter(Struct, frozen=True):
    """An army list that comes with the program."""

    id: str
    name: str
    ruleset: str
    side: str
    points: int
    limit: int
    army: Army


class BalanceNote(Struct, frozen=True):
    """What to know of a starter army or a scenario that is lopsided between equal players."""

    short: str
    """A word or two: strong, weak, favours red."""
    text: str
    """The measured figures with their interval, and what they mean."""
    side: int | None
    """Of a scenario: the side it favours."""


class UnevenPairing(Struct, frozen=True):
    """Two starter armies that are no even match, and why."""

    armies: Annotated[list[str], Meta(min_length=2, max_length=2)]
    text: str


class BalanceNotes(Struct, frozen=True):
    """All that is proven to be lopsided in a game, by id; what is not listed is even, or not proven to be otherwise."""

    armies: dict[str, BalanceNote]
    scenarios: dict[str, BalanceNote]
    pairings: list[UnevenPairing]


class PuzzleRow(Struct, frozen=True):
    """A puzzle before it is solved. `before` is the chance to win of the side that decides."""

    id: str
    ruleset: str
    title: str
    themes: list[str]
    """Kinds of acts (kernel.meaning.ACTS), or `objective`."""
    difficulty: Literal["easy", "medium", "hard"]
    turn: int
    side: int
    before: float


class PuzzleVerdict(Struct, frozen=True):
    """What was made of a puzzle. The solution is told once the activation is over, or when it is asked for."""

    puzzle: PuzzleRow
    done: bool
    right: bool
    did: list[str]
    solution: str = ""
    why: str = ""
    rules: list[str] = []
    best: float | None = None
    """The chance to win that the solution leads to."""
    next_best: float | None = None
    """And the next best plan that was found."""


class CardRow(Struct, frozen=True):
    """A card in short: what a browser filters and sorts by."""

    id: str
    name: str
    ruleset: str
    points: int
    side: str
    kind: str
    skills: list[str]
    weapons: list[str]
    factions: list[str]
    rulesets: list[str]
    any_side: bool
    unknown_rules: list[str]
    armour: str | UnsetType = UNSET
    move: int | str | UnsetType | None = UNSET
    march: int | str | UnsetType | None = UNSET
    models: int | UnsetType = UNSET
    damage: int | UnsetType = UNSET
    unique: bool | UnsetType = UNSET
    size: str | UnsetType = UNSET
    locomotion: str | UnsetType = UNSET
    carried: list[str] | UnsetType = UNSET


class CardFacts(Struct, frozen=True):
    """A card in full, of any game; its face is what a page shows."""

    id: str
    name: str
    ruleset: str
    kind: str
    side: str
    points: int | dict[str, int]
    skill_names: list[str]
    notes: list[str]
    unknown_rules: list[str]
    source: str
    origin: str
    face: CardFace
    factions: list[str] | UnsetType = UNSET
    locomotion: str | UnsetType = UNSET
    unique: bool | UnsetType = UNSET


class Fault(Struct, frozen=True):
    """What is wrong with a list, by which rule, at which unit."""

    message: str
    rule: str
    unit: str


class ListedUnit(Struct, frozen=True):
    """A unit of a list with its price."""

    label: str
    card: str
    name: str
    points: int


class Suggestion(Struct, frozen=True):
    """What a list could do with."""

    message: str
    cards: list[str]


class ArmyReport(Struct, frozen=True):
    """Is a list legal, what does it cost, what does it lack?"""

    ok: bool
    points: int
    limit: int
    bonus: int
    faction_force: bool
    errors: list[Fault]
    warnings: list[Fault]
    units: list[ListedUnit]
    suggestions: list[Suggestion]


class Unmatched(Struct, frozen=True):
    """An entry of a roster that found no card."""

    name: str
    points: Number
    side: str
    nearest: list[str]


class CardName(Struct, frozen=True):
    """A card that came with a roster."""

    id: str
    name: str


class Imported(Struct, frozen=True):
    """What was found in the files of other programs."""

    armies: list[Army]
    unmatched: list[Unmatched]
    warnings: list[str]
    cards: list[CardName]


# -- inviting friends -------------------------------------------------------------------------------


class Reach(Struct, frozen=True):
    """Where friends find this server."""

    open: bool
    """Does it listen to the network, or only to its own machine?"""
    origins: list[str]
    """Addresses to put before a link, best first."""
    command: str
    """How its owner opens it to the network."""
