"""The tables of the database: games, journals, talk, records, stored positions, frames, sealed lists;
people with their seats, wishes and ratings; shared games; and which server process has a game, where several share
the database.

A game is its header and its journal: choices, take-backs, a concession or an agreed draw, in the order they happened.
Journals only grow. Changes of these tables are migrations (migrations/versions).
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created", Double, nullable=False),
    Column("ruleset", String(40), nullable=False),
    Column("header", LargeBinary, nullable=False),  # JSON of kernel.record.Header
    Column("seed", String(80)),  # none: the players type in dice of their own
    Column("seats", Text, nullable=False),  # JSON: kind, level, name, hash of the token, webhook
    Column("spectator", String(64), nullable=False),  # hash of the token
    Column("pace", String(20), nullable=False),
    Column("webhook", Text),
    Column("origin", String(40)),  # the game or record it branched from, "ID@CHOICES"
    Column("offers", Text, nullable=False, server_default="{}"),  # JSON: who offers a draw or asks for a take-back
)

journal = Table(
    "journal",
    metadata,
    Column("game", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),  # choice, back, concede, draw
    Column("seat", SmallInteger, nullable=False),
    Column("body", Text, nullable=False),  # JSON: the answer; how many choices remain after a take-back
    Column("check", String(12), nullable=False),  # check value of the record after this entry
    Column("at", Double, nullable=False),
    Column("why", Text),  # why a computer chose so, in a line
)

chat = Table(
    "chat",
    metadata,
    Column("game", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("seat", SmallInteger),  # none: a spectator
    Column("name", String(80), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created", Double, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

positions = Table(
    "positions",
    metadata,
    Column("game", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),  # of the game, when this was its position
    Column("choices", Integer, nullable=False),  # how many choices had been made
    Column("rules", String(40), nullable=False),  # the version of the rules that led there
    Column("state", LargeBinary, nullable=False),  # see stored_states.py
    Column("log", LargeBinary, nullable=False),  # packed JSON: the log's lines up to there
    Column("at", Double, nullable=False),
)

frames = Table(
    "frames",
    metadata,
    Column("game", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("first", Integer, primary_key=True, autoincrement=False),  # the frames of a block, from so many choices on
    Column("data", LargeBinary, nullable=False),  # packed JSON: frames as replays show them
)

sealed_lists = Table(
    "sealed_lists",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created", Double, nullable=False),
    Column("offer", Text, nullable=False),  # JSON: the battle, and the list of whoever offers it
    Column("token", String(64), nullable=False),  # hash of his token
    Column("reply", Text),  # JSON: the list of whoever takes it up
    Column("reply_token", String(64)),
    Column("game", String(16)),  # the game that has begun
)

processes = Table(
    "processes",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),  # never given twice: a process that returns is new
    Column("address", String(200), nullable=False),  # where the others reach it
    Column("key", String(64), nullable=False),  # what they show to be believed
    Column("seen", Double, nullable=False),  # its last sign of life, by the database's clock
)

owners = Table(
    "owners",
    metadata,
    Column("game", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("process", Integer, ForeignKey("processes.number", ondelete="CASCADE"), nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("recovery", String(64), nullable=False, unique=True),  # hash of the code that opens another device
    Column("created", Double, nullable=False),
    Column("barred", Boolean, nullable=False, server_default=false()),  # the host keeps him out of the lobby
)

devices = Table(
    "devices",
    metadata,
    Column("key", String(64), primary_key=True),  # hash of the key that the browser keeps
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("created", Double, nullable=False),
)

places = Table(
    "places",
    metadata,
    Column("game", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("turn", Boolean, nullable=False),  # has this seat to decide?
    Column("over", Boolean, nullable=False),
    Column("at", Double, nullable=False),  # when that changed last
)

lobby = Table(
    "lobby",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("ruleset", String(40), nullable=False),
    Column("points", Integer, nullable=False),
    Column("pace", String(20), nullable=False),
    Column("wish", Text, nullable=False),  # JSON of messages.Offer
    Column("pair", Boolean, nullable=False),  # to be paired with whoever wishes the same
    Column("created", Double, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("who", String(60), primary_key=True),  # a person's id, or "level:" and a computer's level
    Column("ruleset", String(40), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
)

rated = Table(
    "rated",
    metadata,
    Column("game", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),  # counted once
    Column("at", Double, nullable=False),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", String(64), primary_key=True),  # hash of the address
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("data", Text, nullable=False),  # JSON of messages.Subscription
    Column("created", Double, nullable=False),
)

shared_games = Table(
    "shared_games",
    metadata,
    Column("game", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),  # whose player agreed
    Column("open", Boolean, nullable=False),  # everybody agreed
    Column("at", Double, nullable=False),
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

blocks = Table(
    "blocks",
    metadata,
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("other", String(16), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
)

reports = Table(
    "reports",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),  # who reports
    Column("other", String(16), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),  # whom
    Column("game", String(16)),  # where they met, if he held a seat there
    Column("text", Text, nullable=False),
    Column("chat", Text, nullable=False),  # JSON: the last lines of that game's chat
    Column("at", Double, nullable=False),
)

Index("games_created", games.c.created)
Index("owners_process", owners.c.process)
Index("devices_person", devices.c.person)
Index("places_person", places.c.person)
Index("lobby_person", lobby.c.person)
Index("subscriptions_person", subscriptions.c.person)
Index("reports_person", reports.c.person)
Index("shared_games_open", shared_games.c.open, shared_games.c.game)
