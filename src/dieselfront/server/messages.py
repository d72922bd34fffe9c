"""What goes over the wire: requests, answers and the messages of a live game, with their bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from dieselfront import rulesets
from dieselfront.server.shapes import Answer, Decision, LogLine, Result, ScenarioBrief, View

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
    """A scenario's id, `random:SEED`, or a whole scenario."""
    armies: Annotated[list[Id | Plain], Meta(max_length=2)] = []
    """For each side a starter army's id, `random:NUMBER`, or a whole army list."""
    seats: Annotated[list[NewSeat], Meta(max_length=2)] = []
    options: dict[Id, Id] = {}
    dice: DiceKind = "fair"
    pace: Pace = "live"
    webhook: Address | None = None


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
    """A new game. Tokens are told only here: who loses them loses the seat."""

    id: str
    seats: list[SeatLink]
    spectator: Link
    table: Link
    """All seats of people in one link, for two players at one screen."""
    commitment: str


# -- a game as it stands ----------------------------------------------------------------------------


class SeatView(Struct, frozen=True):
    """Who sits where, and is he there?"""

    seat: int
    name: str
    side: str
    kind: Kind
    level: str | None
    connected: bool


class ChatLine(Struct, frozen=True):
    """Something said; seat is null for a spectator."""

    n: int
    seat: int | None
    name: str
    text: str
    at: float


class Offers(Struct, frozen=True):
    """Which seat offers a draw, which asks to take a choice back; null if none does."""

    draw: int | None = None
    takeback: int | None = None
    move: int | None = None
    """Which seat consents to go on under rules that have moved."""


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
    """How many throws of dice there were so far, told with their faces or not."""
    explained: list[int]
    """The choices of computers whose reasons may be asked for."""
    origin: str | None
    moved: Moved | None
    """Null unless the rules of the game have moved and it waits for consent, or can only be looked at."""
    commitment: str
    salt: str
    seed: str | None
    """Published when the game is over, so that every die can be checked against the commitment."""


class Update(Struct, frozen=True, tag_field="type", tag="update"):
    """What changed since the version a socket was told last. Of the old log, `kept` lines still hold."""

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


class Why(Struct, frozen=True):
    """Why a computer made a choice; `choice` is how many choices had been made with it."""

    choice: int
    seat: int
    reason: str


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
