"""Files from strangers: bombs, tricks and noise are refused in a sentence, in bounded time and memory."""

from __future__ import annotations

import io
import json
import random
import re
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dieselfront.forces import ForcesError
from dieselfront.forces.armies import army_from
from dieselfront.forces.army_text import parse_text
from dieselfront.forces.battlescribe import safe
from dieselfront.forces.battlescribe.importing import import_cards, import_files
from dieselfront.forces.battlescribe.library import Library
from dieselfront.forces.battlescribe.match import import_roster
from dieselfront.forces.battlescribe.rosters import parse_roster
from dieselfront.forces.battlescribe.safe import Refused, parse_xml, unpack
from dieselfront.forces.documents import parse_document

FILES = Path(__file__).parent / "files"
ENTITY_BOMB = b"""<?xml version="1.0"?><!DOCTYPE roster [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><roster name="&c;"/>"""
OUTSIDE = b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster name="&x;"/>'
REMOTE_DTD = b'<?xml version="1.0"?><!DOCTYPE roster SYSTEM "http://example.invalid/x.dtd"><roster/>'


def zipped(*files: tuple[str, bytes]) -> bytes:
    store = io.BytesIO()
    with zipfile.ZipFile(store, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return store.getvalue()


@pytest.mark.parametrize("data", [ENTITY_BOMB, OUTSIDE, REMOTE_DTD])
def test_document_types_and_entities_are_refused_outright(data: bytes) -> None:
    with pytest.raises(Refused, match="document type"):
        parse_roster(data, "bomb.ros")


def test_entities_hidden_in_another_encoding_are_refused_too() -> None:
    with pytest.raises(Refused):
        parse_roster(ENTITY_BOMB.decode().replace("1.0", "1.0", 1).encode("utf-16"), "bomb.ros")


def test_an_undeclared_entity_is_not_well_formed() -> None:
    with pytest.raises(Refused, match="not well-formed"):
        parse_roster(b'<roster name="&lol;"/>', "x.ros")


def test_a_zip_bomb_is_refused_before_it_unfolds() -> None:
    bomb = zipped(("roster.ros", b"<roster>" + b" " * (64 * 1024 * 1024) + b"</roster>"))
    tracemalloc.start()
    with pytest.raises(Refused, match="unpacks to"):
        unpack(bomb, "bomb.rosz")
    assert tracemalloc.get_traced_memory()[1] < 16 * 1024 * 1024
    tracemalloc.stop()


def test_a_zip_that_lies_about_its_size_is_cut_off() -> None:
    bomb = bytearray(zipped(("roster.ros", b"<roster>" + b" " * (40 * 1024 * 1024) + b"</roster>")))
    true_size = (40 * 1024 * 1024 + 17).to_bytes(4, "little")
    assert true_size in bomb
    with pytest.raises(Refused):
        unpack(bytes(bomb).replace(true_size, (100).to_bytes(4, "little")), "bomb.rosz")


@pytest.mark.parametrize(
    "name", ["../roster.ros", "/etc/roster.ros", "a/../../roster.ros", "..\\roster.ros", "C:\\r.ros"]
)
def test_names_that_lead_out_of_an_archive_are_refused(name: str) -> None:
    with pytest.raises(Refused, match="leads out"):
        unpack(zipped((name, b"<roster/>")), "evil.rosz")


def test_an_archive_of_many_files_or_none_of_ours_is_refused() -> None:
    with pytest.raises(Refused, match="70 files"):
        unpack(zipped(*((f"{n}.txt", b"") for n in range(70))), "many.rosz")
    with pytest.raises(Refused, match="0 rosters"):
        unpack(zipped(("readme.txt", b"hello")), "none.rosz")


def test_an_archive_in_an_archive_is_not_followed() -> None:
    with pytest.raises(ForcesError):
        parse_roster(zipped(("inner.ros", zipped(("roster.ros", b"<roster/>")))), "nested.rosz")


def test_two_hundred_megabytes_of_nothing_are_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "nothing.ros"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    started = time.perf_counter()
    with pytest.raises(Refused, match="200 MB"):
        import_files([path])
    assert time.perf_counter() - started < 1


def test_a_very_deep_document_is_refused() -> None:
    with pytest.raises(Refused, match="nested deeper"):
        parse_xml(b"<a>" * 5000 + b"</a>" * 5000, "deep.ros")


def test_a_document_of_too_many_elements_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe, "MAX_ELEMENTS", 1000)
    with pytest.raises(Refused, match="more than 1000 elements"):
        parse_xml(b"<a>" + b"<b/>" * 2000 + b"</a>", "wide.ros")


def test_links_in_circles_come_to_an_end() -> None:
    entries = b"".join(
        b'<selectionEntry id="e%d" name="E%d" type="unit"><entryLinks>%s</entryLinks></selectionEntry>'
        % (
            n,
            n,
            b"".join(b'<entryLink id="l%d-%d" targetId="e%d" type="selectionEntry"/>' % (n, m, m) for m in range(20)),
        )
        for n in range(20)
    )
    text = b'<catalogue name="Konflikt loop"><selectionEntries>' + entries + b"</selectionEntries></catalogue>"
    started = time.perf_counter()
    try:
        import_cards(Library([parse_xml(text, "loop.cat")]))
    except Refused as error:
        assert "no end" in str(error)
    assert time.perf_counter() - started < 20


def test_a_roster_of_thousands_of_units_is_refused() -> None:
    selections = [{"name": f"Unit {n}", "number": 1} for n in range(5000)]
    data = json.dumps({"roster": {"forces": [{"name": "x", "selections": selections}]}}).encode()
    with pytest.raises(Refused, match="5000 units"):
        parse_roster(data, "many.json")


def test_deep_json_is_refused() -> None:
    with pytest.raises(ForcesError):
        parse_roster(b'{"forces":' * 100_000, "deep.json")
    nest: dict[str, object] = {"name": "x"}
    for _ in range(60):
        nest = {"name": "x", "selections": [nest]}
    with pytest.raises(Refused, match="nested deeper"):
        parse_roster(json.dumps({"forces": [{"selections": [nest]}]}).encode(), "deep.json")


@pytest.mark.parametrize("data", [b"", b"\x00" * 500, b"PK\x03\x04garbage", b"\xff\xfe\x00", b"<", b"{", b"[]", b"42"])
def test_small_nonsense_gets_a_sentence(data: bytes) -> None:
    with pytest.raises(ForcesError) as caught:
        parse_roster(data, "x")
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_control_characters_in_names_do_not_reach_the_list() -> None:
    data = json.dumps({"name": "a\u0007b\u2028c", "forces": [{"selections": [{"name": "Pounder", "number": 1}]}]})
    army = import_roster(parse_roster(data.encode(), "x.json"), "dust1947").army
    assert army_from(json.loads(json.dumps({"ruleset": "dust1947", "name": army.name, "points": 1}))).name == army.name


def mangled(data: bytes, dice: random.Random) -> bytes:
    """The data with a few bytes changed, cut, doubled, swapped or sprinkled with signs that matter."""
    out = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(out)) if out else 0
        kind = dice.randrange(6)
        if kind == 0 and out:
            out[at] = dice.randrange(256)
        elif kind == 1:
            del out[at : at + dice.randint(1, 60)]
        elif kind == 2:
            out[at:at] = out[at : at + dice.randint(1, 80)]
        elif kind == 3:
            out[at:at] = dice.choice(SIGNS)
        elif kind == 4:
            del out[at:]
        else:
            to = dice.randrange(len(out)) if out else 0
            out[at:at] = out[to : to + 10]
    return bytes(out)


ODD_VALUES = [
    "",
    "-1",
    "1e308",
    "nan",
    "inf",
    "x" * 500,
    "99999999999999999999",
    "true",
    "e1",
    "e2",
    "m2",
    "pts",
    "any",
]
ODD_VALUES += [
    "Regular",
    "unit",
    "model",
    "parent",
    "min",
    "max",
    "NCO",
    "Allies",
    "Pounder",
    "S9",
    "C",
    "4-12",
    "#/#",
    "é\u00a0",
]


def twisted(data: bytes, dice: random.Random) -> bytes:
    """The data still in good form, with some of its values changed for others."""
    try:
        tree = json.loads(data)
    except ValueError:
        return twisted_xml(data, dice)
    leaves = list(places(tree))
    for _ in range(dice.randint(1, 5)):
        holder, key = dice.choice(leaves)
        holder[key] = dice.choice(
            [None, -3, 1e300, True, [], {}, [[]], {"name": 5}, "", "x" * 300, 10**30, *ODD_VALUES]
        )
    return json.dumps(tree).encode()


def places(tree: object) -> Iterator[tuple[Any, Any]]:
    """Every table or list with every key in it."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(pairs):
        yield tree, key
        yield from places(value)


def twisted_xml(data: bytes, dice: random.Random) -> bytes:
    """XML with attributes changed, elements renamed, or a part of the document moved elsewhere."""
    text = data.decode("utf-8", "replace")
    values = [(one.start(1), one.end(1)) for one in re.finditer(r'="([^"<&]*)"', text)]
    for start, end in sorted((dice.choice(values) for _ in range(dice.randint(1, 6))), reverse=True):
        text = f"{text[:start]}{dice.choice(ODD_VALUES)}{text[end:]}"
    if dice.random() < 0.3:
        old, new = dice.choice(TAGS), dice.choice(TAGS)
        text = text.replace(f"<{old}", f"<{new}").replace(f"</{old}>", f"</{new}>")
    return text.encode()


TAGS = [
    "selections",
    "selection",
    "costs",
    "profiles",
    "profile",
    "constraints",
    "entryLinks",
    "selectionEntries",
    "forces",
]
SIGNS = [b"<", b">", b"&", b'"', b"\x00", b"<!DOCTYPE x>", b"<![CDATA[", b"]]>", b"&#x0;", b"1e999", b"-1", b"null"]
SIGNS += [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"99999999999999999999",
    b"\xc3\x28",
    b"NaN",
    b'number="-5"',
    b"\xef\xbb\xbf",
    b"\n",
]


def roster(data: bytes) -> None:
    """What comes through is a list that our own files could hold."""
    army = import_roster(parse_roster(data, "fuzz")).army
    assert army_from(msgspec.to_builtins(army)) == army


def cards(data: bytes) -> None:
    """What comes through is a file of cards that our own reader takes."""
    file = import_cards(Library([parse_xml(unpack(data, "fuzz"), "fuzz")])).file
    assert msgspec.convert(msgspec.to_builtins(file), type(file)) == file


def listing(data: bytes) -> None:
    army_from(parse_document(data, "fuzz"))


def text(data: bytes) -> None:
    parse_text(data.decode("utf-8", "replace"))


def seeds() -> list[tuple[Callable[[bytes], None], bytes, int]]:
    """What is mangled, how it is read, and how many times."""
    ros = (FILES / "roster.ros").read_bytes()
    army = b'{"ruleset":"dust1947","name":"A","points":50,"units":[{"card":"allies-pounder","options":{"x":2}}]}'
    words = b'Dieselfront army: A\nruleset: dust1947 | limit: 5\n1. X [allies-pounder] 3; called "a"; joins #1\n'
    return [
        (roster, ros, 2500),
        (roster, zipped(("roster.ros", ros)), 2000),
        (roster, (FILES / "newrecruit.json").read_bytes(), 2000),
        (roster, (FILES / "newrecruit.txt").read_bytes(), 800),
        (cards, (FILES / "mini_moon.cat").read_bytes(), 900),
        (cards, (FILES / "mini_konflikt.cat").read_bytes(), 600),
        (listing, army, 700),
        (text, words, 500),
    ]


def test_ten_thousand_mangled_files_yield_only_clean_errors() -> None:
    dice = random.Random(1947)
    cases = refused = 0
    for read, data, times in seeds():
        for _ in range(times):
            cases += 1
            spoil = twisted if read in (roster, cards, listing) and data[:1] in b"<{" and cases % 2 else mangled
            try:
                read(spoil(data, dice))
            except ForcesError as error:
                refused += 1
                assert str(error) and "\n" not in str(error), str(error)
    assert cases == 10_000 and 3_000 < refused < 9_500
