"""`replay`: genuine records are proven, told and drawn; changed ones are refused with the reason."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from dieselfront import rulesets
from dieselfront.kernel.record import BrokenRecord, dump, load, record, verify
from dieselfront.lab.simulate import Matches, simulate
from dieselfront.scenarios import battle


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    simulate(Matches("dust1947", 1, "5", scenario="crossroads", save=str(folder)))
    return folder / "game-00000.json"


def test_a_genuine_record_is_proven(dieselfront, kept):
    code, out, err = dieselfront("replay", "verify", kept, "--json")
    proven = json.loads(out)
    assert (code, err, proven["ok"]) == (0, "", True)
    assert set(proven) >= {"ok", "turns", "winner", "digest"}
    code, out, _ = dieselfront("replay", "verify", kept)
    assert code == 0 and "genuine" in out and "published seed" in out


def test_one_byte_changed_anywhere_is_refused(kept):
    data = kept.read_bytes()
    chance = Random(1)
    places = [chance.randrange(len(data)) for _ in range(40)]
    places += [data.index(word) for word in (b'"seed"', b'"choices"', b'"checks"', b'"winner"', b'"salt"', b'"turns"')]
    places += [len(data) - 1, 0, 1, data.index(b"[")]
    for place in places:
        old = data[place]
        new = chance.choice([byte for byte in b'0123456789abcXY "{}[],:\n' if byte != old])
        forged = data[:place] + bytes([new]) + data[place + 1 :]
        with pytest.raises(BrokenRecord) as caught:
            verify(rulesets.load, forged, "forged.json")
        assert str(caught.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda kept: kept.choices.pop(), "check values"),
        (lambda kept: kept.checks.__setitem__(3, "0" * 12), "choice 4 leads to another game"),
        (lambda kept: kept.result.__setitem__("winner", 1 - (kept.result["winner"] or 0)), "result differs"),
        (lambda kept: setattr(kept, "seed", "another"), "commitment"),
        (lambda kept: kept.header.scenario.__setitem__("turns", 7), "another game"),
        (lambda kept: kept.header.forces[0]["units"].pop(), "choice|another game|can be played"),
        (lambda kept: kept.header.forces[0].pop("cards"), "can be played"),
        (lambda kept: kept.choices.__setitem__(0, "b1"), "choice 1 is not legal"),
    ],
)
def test_a_forged_record_is_refused_with_the_reason(kept, change, reason):
    forged = load(kept.read_bytes())
    change(forged)
    with pytest.raises(BrokenRecord, match=reason):
        verify(rulesets.load, dump(forged))


def test_a_refused_record_is_one_sentence_and_exit_2(dieselfront, kept, tmp_path):
    forged = tmp_path / "forged.json"
    forged.write_bytes(kept.read_bytes().replace(b'"turns": 8', b'"turns": 9'))
    for command in (("verify",), ("show",), ("html", "-o", tmp_path / "x.html")):
        code, out, err = dieselfront("replay", command[0], forged, *command[1:])
        assert (code, out) == (2, "")
        assert err.count("\n") == 1 and "another game" in err
    code, out, err = dieselfront("replay", "verify", forged, "--json")
    assert code == 2 and json.loads(out)["ok"] is False


def test_what_is_no_record_is_refused(dieselfront, tmp_path):
    other = tmp_path / "other.json"
    other.write_text('{"a": 1}')
    assert dieselfront("replay", "verify", other)[0] == 2
    assert "cannot be used" in dieselfront("replay", "verify", tmp_path / "none.json")[2]


def test_the_battle_is_told_turn_by_turn(dieselfront, kept):
    code, out, _ = dieselfront("replay", "show", kept, "--rules")
    assert code == 0
    assert "Turn 1 begins" in out and "d47.turn.sequence" in out and "The game ends" in out
    code, out, _ = dieselfront("replay", "show", kept, "--json")
    told = json.loads(out)
    assert told["turns"] == 8 and told["log"][0]["text"].endswith(told["log"][0]["text"].split(" at ")[1])


def test_the_page_stands_alone(dieselfront, kept, tmp_path):
    page = tmp_path / "battle.html"
    code, out, _ = dieselfront("replay", "html", kept, "-o", page)
    text = page.read_text()
    assert code == 0 and str(page) in out
    assert not re.search(r'(?:src|href)="(?!#)', text)
    assert text.replace("http://www.w3.org/2000/svg", "").count("http") == text.count("http-equiv")
    battle_data = json.loads(re.search(r'id="battle">(.*?)</script>', text, re.DOTALL)[1])
    assert len(battle_data["frames"]) > 50 and battle_data["lines"][0][1] == "d47.setup.board"


def test_names_in_a_page_cannot_break_out_of_it(tmp_path):
    from dieselfront.cli.terminal.page import page
    from dieselfront.cli.terminal.report import tell

    header = battle.header("dust1947", "crossroads", ["dust1947-allies", "dust1947-axis"], seed="1")
    header.forces[0]["name"] = "</script><script>alert(1)</script>"
    game = battle.start(header, "1")
    chance = Random(1)
    for _ in range(12):
        game.choose(game.pending.sample(chance))
    text = page(tell(dump(record(game, publish_seed=True)), "x"))
    assert "<script>alert" not in text
