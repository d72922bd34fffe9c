"""What goes over the wire: requests, answers and the messages of a live game, with their bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from dieselfront import rulesets
from dieselfront.forces.armies import Army
from dieselfront.kernel.views import View
from dieselfront.server.shapes import Answer, Decision, LogLine, Result, ScenarioBrief

Id = Annotated[str, Meta(min_length=1, max_length=128)]
Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")]
Address = Annotated[str, Meta(min_length=8, max_length=500, pattern=r"^https?://[!-~]+$")]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Token = Annotated[str, Meta(min_length=1, max_length=64)]
Plain = dict[str, Any]

Kind = Literal["human", "computer"]
DiceKind = Literal["fair", "typed"]
Pace = Literal["live", "correspondence"]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """Something a client sends; unknown fields are refused."""


# -- a new game -------------------------------------------------------------------------------------


class NewSeat(Request, frozen=True):
    """Who sits there. A computer has a level; a person may be notified at a webhook of his own."""

    kind: Kind = "human"
    name: Name | None = None
    level: Id | None = None
    webhook: Address | None = None


class NewGame(Request, frozen=True):
    """A battle to begin. By default: the first scenario, two starter armies, you against a computer."""

    ruleset: Id = rulesets.DEFAULT
    scenario: Id | Plain | None = None
    """A scenario's id, `random:SEED`, `lesson:ID` (which brings its armies), or a whole scenario."""
    armies: Annotated[list[Id | Plain], Meta(max_length=2)] = []
    """For each side a starter army's id, `random:NUMBER`, or a whole army list."""
    seats: Annotated[list[NewSeat], Meta(max_length=2)] = []
    options: dict[Id, Id] = {}
    dice: DiceKind = "fair"
    pace: Pace = "live"
    webhook: Address | None = None


class LinkText(Request, frozen=True):
    """A link to be drawn as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=600)]


class SeatLink(Struct, frozen=True):
    """A seat and the token that opens it; computers have none."""

    seat: int
    kind: Kind
    name: str
    token: str | None
    link: str | None


class Link(Struct, frozen=True):
    """A token and the address with it."""

    token: str
    link: str


class Created(Struct, frozen=True):
    """A new game. Tokens are given only here: who loses them loses the seat."""

    id: str
    seats: list[SeatLink]
    spectator: Link
    table: Link
    """All seats of people in one link, for two players at one screen."""
    commitment: str


# -- a battle with secret lists ---------------------------------------------------------------------


class SealedOffer(Request, frozen=True):
    """A battle with secret lists, and the list of whoever offers it."""

    army: Id | Plain
    ruleset: Id = rulesets.DEFAULT
    name: Name | None = None
    scenario: Id | Plain | None = None
    options: dict[Id, Id] = {}
    dice: DiceKind = "fair"
    pace: Pace = "live"


class SealedReply(Request, frozen=True):
    """The list of whoever takes a battle up."""

    army: Id | Plain
    name: Name | None = None


class HandedIn(Struct, frozen=True):
    """A list is in. The token is given only here; it shows the own list, and opens the seat once the game has begun."""

    id: str
    seat: int
    token: str
    game: str | None = None
    link: str | None = None


class SealedBattle(Struct, frozen=True):
    """Such a battle as a visitor sees it; a list he may not see yet is null."""

    id: str
    ruleset: str
    rule: str
    """The rule of the game that wants it so; empty if the game leaves it open."""
    points: int
    seats: list[str | None]
    lists: list[Army | None]
    revealed: bool
    game: str | None = None


# -- people -----------------------------------------------------------------------------------------

Code = Annotated[str, Meta(min_length=16, max_length=64)]
Points = Annotated[int, Meta(ge=1, le=5000)]
Experience = Literal["any", "new", "regular", "veteran"]


class Called(Request, frozen=True):
    """How somebody wishes to be called."""

    name: Name


class Recovering(Request, frozen=True):
    """A recovery code; `alone` takes the keys of all other devices away."""

    code: Code
    alone: bool = False


class NewPerson(Struct, frozen=True):
    """A person on a new device. Key and code are given only here: the browser keeps the one, the person the other."""

    id: str
    name: str
    key: str
    recovery: str


class Features(Struct, frozen=True):
    """What this server has for people; its host may switch each of it off."""

    people: bool
    lobby: bool
    ratings: bool
    push: bool
    sharing: bool


class NewCode(Struct, frozen=True):
    """A recovery code in place of the one before; given only here."""

    recovery: str


class Rating(Struct, frozen=True):
    """How well somebody plays a game (Glicko-2)."""

    ruleset: str
    rating: float
    deviation: float
    games: int
    sure: bool
    """Is it more than a guess?"""


class PersonView(Struct, frozen=True):
    """Somebody this server knows."""

    id: str
    name: str
    ratings: list[Rating]


class MyGame(Struct, frozen=True):
    """A game in which one holds a seat; the person's key opens it."""

    game: str
    ruleset: str
    pace: str
    seat: int
    names: list[str]
    your_turn: bool
    over: bool
    at: float
    """When that changed last."""
    rated: bool
    """Does it count, or has it counted, for ratings?"""


Base64 = Annotated[str, Meta(min_length=16, max_length=200, pattern=r"^[A-Za-z0-9_=-]+$")]


class PushKeys(Request, frozen=True):
    """What a browser gives so that only it can read a notification."""

    p256dh: Base64
    auth: Base64


class Subscription(Request, frozen=True):
    """Where a browser takes notifications, as its PushSubscription tells."""

    endpoint: Address
    keys: PushKeys


class PushKey(Struct, frozen=True):
    """The server's public key, for the browser to subscribe with."""

    key: str


class Silencing(Request, frozen=True):
    """Which browser is notified no more; without an address, none of a person's browsers."""

    endpoint: Address | None = None


class Subscribed(Struct, frozen=True):
    """How many of a person's browsers are notified."""

    browsers: int


class Blocking(Request, frozen=True):
    """Meet somebody no more in the lobby, or again."""

    person: Id
    blocked: bool = True


class Known(Struct, frozen=True):
    """Somebody by name."""

    id: str
    name: str


class Reporting(Request, frozen=True):
    """Tell the host about somebody; the talk of a game where both sat goes along."""

    person: Id
    text: Annotated[str, Meta(min_length=3, max_length=1000)]
    game: Id | None = None


class Reported(Struct, frozen=True):
    """The host can read it."""

    id: str


class Ranked(Struct, frozen=True):
    """Somebody in the list of a game: a person, or a level of the computer."""

    who: str
    """A person's id, or "level:" and the level."""
    name: str
    rating: float
    deviation: float
    games: int
    sure: bool


class Offer(Request, frozen=True):
    """A battle looked for. `pair`: with whoever wishes the same, at once; otherwise somebody joins."""

    ruleset: Id = rulesets.DEFAULT
    points: Points = 50
    pace: Pace = "live"
    scenario: Id | None = None
    army: Id | Plain | None = None
    pair: bool = False
    level: Experience = "any"
    """Who is looked for: anybody, somebody new to the game, somebody who knows it, somebody who knows it well."""


class OfferView(Struct, frozen=True):
    """An open seat."""

    id: str
    host: PersonView
    ruleset: str
    points: int
    pace: Pace
    scenario: str | None
    pair: bool
    yours: bool
    created: float
    level: Experience


class Joining(Request, frozen=True):
    """The army one joins with; by default a starter army."""

    army: Id | Plain | None = None


class Meeting(Struct, frozen=True):
    """What came of a wish: an entry of the lobby, or a game that has begun; the person's key opens his seat."""

    offer: str | None
    game: str | None
    seat: int | None


# -- a game as it stands ----------------------------------------------------------------------------


class SeatView(Struct, frozen=True):
    """Who sits where, and is he there?"""

    seat: int
    name: str
    side: str
    kind: Kind
    level: str | None
    connected: bool
    person: str | UnsetType = UNSET
    """Whose seat it is, if it is that of a person this server knows."""


class ChatLine(Struct, frozen=True):
    """Something said; seat is null for a spectator."""

    n: int
    seat: int | None
    name: str
    text: str
    at: float


class Offers(Struct, frozen=True):
    """Which seat offers a draw, which asks to take a choice back, where a rematch waits; null if none does."""

    draw: int | None = None
    takeback: int | None = None
    move: int | None = None
    """Which seat consents to go on under rules that have moved."""
    rematch: str | None = None
    """The game in which both meet again with their sides changed; everybody's link opens the same seat there."""


class Moved(Struct, frozen=True):
    """The rules are not those the game was played by; it goes on from a stored position if both sides consent."""

    before: str
    """The version it was played by."""
    now: str
    """The version this server plays."""
    reason: str
    can_go_on: bool
    lost: int
    """How many choices at the end would be taken back."""


class Snapshot(Struct, frozen=True, tag_field="type", tag="snapshot"):
    """A game as one visitor sees it."""

    id: str
    ruleset: str
    scenario: ScenarioBrief
    you: int | None
    yours: list[int]
    seats: list[SeatView]
    version: int
    """Number of changes so far: choices and take-backs. A choice names the version it answers."""
    choices: int
    view: View
    decision: Decision | None
    log: list[LogLine]
    turn: int
    over: bool
    result: Result | None
    can_undo: bool
    offers: Offers
    chat: list[ChatLine]
    dice: DiceKind
    pace: Pace
    options: dict[str, str]
    thinking: bool
    thrown: int
    """How many throws of dice there were so far, shown with their faces or not."""
    explained: list[int]
    """The choices of computers whose reasons may be asked for."""
    origin: str | None
    moved: Moved | None
    """Null unless the rules of the game have moved and it waits for consent, or can only be looked at."""
    commitment: str
    salt: str
    seed: str | None
    """Published when the game is over, so that every die can be checked against the commitment."""
    rated: bool | UnsetType = UNSET
    """Told if the game will count, or has counted, for the ratings of those who play it."""


class Update(Struct, frozen=True, tag_field="type", tag="update"):
    """What changed since the version a socket was sent last. Of the old log, `kept` lines still hold."""

    version: int
    since: int
    choices: int
    kept: int
    log: list[LogLine]
    you: int | None
    view: View
    decision: Decision | None
    turn: int
    over: bool
    result: Result | None
    can_undo: bool
    offers: Offers
    thinking: bool
    thrown: int
    explained: list[int]
    seed: str | None


class Problem(Struct, frozen=True, omit_defaults=True):
    """What was wrong, in one sentence; the rule that says so, where there is one."""

    reason: str
    rule: str | None = None
    faults: list[Plain] | UnsetType = UNSET


class Stale(Struct, frozen=True):
    """The choice answers a decision that is no longer pending; here is the game as it stands."""

    reason: str
    snapshot: Snapshot


# -- playing ----------------------------------------------------------------------------------------


class Choice(Request, frozen=True):
    """An answer to the decision that was pending at a version."""

    decision: Version
    answer: Answer


class Acknowledged(Struct, frozen=True):
    """The change is durable; this is the version it made."""

    version: int


class At(Request, frozen=True):
    """A change that names the version it was made at, so that it cannot hit another position."""

    version: Version | None = None


class OfferAction(Request, frozen=True):
    """Offer or ask, agree, decline, or withdraw."""

    action: Literal["offer", "accept", "decline", "withdraw"] = "offer"


class GiveUp(Request, frozen=True):
    """Which seat gives up, for somebody who holds both."""

    seat: Annotated[int, Meta(ge=0, le=1)] | None = None


class Say(Request, frozen=True):
    """A line of chat."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Preview(Request, frozen=True):
    """An answer somebody thinks about."""

    decision: Version
    answer: Answer


class BranchAt(Request, frozen=True):
    """The number of choices after which a new game goes its own way, and who plays it."""

    at: Version
    seats: Annotated[list[NewSeat], Meta(max_length=2)] = []


class PuzzleAnswer(Request, frozen=True):
    """What somebody chooses from the position of a puzzle on, both sides' answers in their order."""

    choices: Annotated[list[Any], Meta(max_length=200)]


class Rematch(Struct, frozen=True):
    """The game in which both sides meet again; the token of a seat opens the same person's seat there."""

    id: str


class Why(Struct, frozen=True):
    """Why a computer made a choice; `choice` is how many choices had been made with it."""

    choice: int
    seat: int
    reason: str


class Share(Request, frozen=True):
    """Whether whoever asks agrees that everybody may read the finished game."""

    share: bool


class Sharing(Struct, frozen=True):
    """How far a game is shared: each side's consent (computers have nothing against it), and whether all agreed."""

    agreed: list[bool]
    shared: bool


class SharedGame(Struct, frozen=True):
    """A game that everybody may read."""

    id: str
    ruleset: str
    created: float


class RecordId(Struct, frozen=True):
    """Where an uploaded record is found."""

    id: str
    choices: int
    ok: bool
    winner: int | None
    turns: int


# -- messages of a socket ---------------------------------------------------------------------------


class Hello(Request, frozen=True, tag_field="type", tag="hello"):
    """The first message: who is there."""

    token: Annotated[str, Meta(max_length=200)] | None = None
    tokens: Annotated[list[Token], Meta(max_length=3)] = []
    version: int | None = None


class Choose(Request, frozen=True, tag_field="type", tag="choose"):
    """A choice over the socket; `id` comes back with the acknowledgement."""

    decision: Version
    answer: Answer
    id: int | str | None = None


class Chat(Request, frozen=True, tag_field="type", tag="chat"):
    """A line of chat over the socket."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    id: int | str | None = None


class Sync(Request, frozen=True, tag_field="type", tag="sync"):
    """Ask for a whole snapshot again."""


class Ping(Request, frozen=True, tag_field="type", tag="ping"):
    """Is anybody there?"""

    id: int | str | None = None


class Acked(Struct, frozen=True, tag_field="type", tag="ack"):
    """The choice is on the disk."""

    id: int | str | None
    version: int


class RefusedMessage(Struct, frozen=True, tag_field="type", tag="refused"):
    """What was asked is not granted; a stale choice brings the game as it stands."""

    reason: str
    id: int | str | UnsetType | None = UNSET
    status: int | UnsetType = UNSET
    rule: str | UnsetType | None = UNSET
    snapshot: Snapshot | UnsetType = UNSET


class PresenceMessage(Struct, frozen=True, tag_field="type", tag="presence"):
    """Who is connected."""

    connected: list[bool]
    spectators: int


class ChatMessage(Struct, frozen=True, tag_field="type", tag="chat"):
    """Something was said."""

    line: ChatLine


class OfferMessage(Struct, frozen=True, tag_field="type", tag="offer"):
    """An offer was made or is gone."""

    offers: Offers


class ThinkingMessage(Struct, frozen=True, tag_field="type", tag="thinking"):
    """A computer begins to think, or has done."""

    thinking: bool


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """Somebody is there."""

    id: int | str | None


Outgoing = (
    Snapshot | Update | Acked | RefusedMessage | PresenceMessage | ChatMessage | OfferMessage | ThinkingMessage | Pong
)
Incoming = Hello | Choose | Chat | Sync | Ping
incoming: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
encode = msgspec.json.Encoder().encode
