"""The tables of the database: games, their journals, what was said, uploaded records, stored positions and frames.

A game is its header and its journal: choices, take-backs, a concession or an agreed draw, in the order they happened.
Journals only grow. Changes of these tables are migrations (migrations/versions).
"""

from __future__ import annotations

from sqlalchemy import (
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

Index("games_created", games.c.created)
