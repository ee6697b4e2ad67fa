"""``noughts train --help-config``: every key with its value in a preset, and the errors for unknown keys."""

from pathlib import Path

import pytest

from noughts.networks import parse_network
from noughts.store.run_folder import run_names
from noughts.training.registry import METHODS, Method
from tests.cli.running import Run, Shown

WIDE = '''
from noughts.networks import Network

class Wide(Network):
    """Rows of numbers.

    Attributes:
        width: Numbers of a row.
    """

    presets = {"big": {"width": "512"}}

    def __init__(self, key, board, width: int = 64, depth: int = 2):
        """Not made here."""
'''


def test_the_options_of_a_network_from_a_file_are_listed(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "wide.py"
    file.write_text(WIDE)
    code, out, err = run("networks", f"python:{file}:Wide")
    assert (code, err) == (0, "")
    assert out.startswith(
        f"python:{file}:Wide: Rows of numbers.\n  width = 64\n      Numbers of a row. Allowed: a whole number.\n"
    )
    assert "\n  depth = 2\n      Allowed: a whole number.\n  preset=big means width=512\n" in out


@pytest.mark.parametrize("name", ["about", "presets"])
def test_an_option_may_have_a_name_that_we_use_for_kinds(name: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(WIDE.replace("depth: int = 2", f"{name}: int = 2").replace('presets = {"big"', 'sizes = {"big"'))
    code, out, err = run("networks", f"python:{file}:Wide")
    assert (code, err) == (0, "")
    assert f"\n  {name} = 2\n      Allowed: a whole number.\n" in out
    assert str(parse_network(f"python:{file}:Wide,{name}=3")) == f"python:{file}:Wide,{name}=3"


def test_the_keys_of_a_preset_are_listed_with_its_values(tmp_path: Path, run: Run, shown: Shown) -> None:
    code, out, err = run("train", "--help-config", "--preset", "tic-tac-toe-fast")
    assert (code, err) == (0, "")
    assert "  games = 64  (the default is 256)\n" in out
    assert "  search.simulations = 32  (the default is 24)\n" in out
    assert "  augmentation = board\n" in out
    assert "  task\n" in out
    assert "\nWith the preset tic-tac-toe-fast it trains for 100 iterations.\n" in out
    config = tmp_path / "config.toml"
    config.write_text('preset = "tic-tac-toe-fast"\nbatch = 32\n')
    listed = shown("train", "bttt(D4)", "--help-config", "--config", config, "--set", "games=5", "--minutes", "3")
    keys = {field["key"]: (field["default"], field["value"]) for field in listed["config"]}
    assert (listed["preset"], listed["end"]) == ("tic-tac-toe-fast", "3 minutes")
    assert (keys["games"], keys["batch"], keys["steps"]) == ((256, 5), (256, 32), (96, 32))
    assert keys["task"] == (None, "bttt(D4)")
    plain = shown("train", "--help-config")
    assert (plain["preset"], plain["end"]) == (None, None)
    assert all(field["value"] == field["default"] for field in plain["config"])
    assert [field["key"] for field in plain["config"] if field["required"]] == ["task"]
    assert run_names() == ()


@pytest.mark.parametrize("method", METHODS)
def test_none_is_read_as_it_is_shown(method: str, tmp_path: Path, run: Run, shown: Shown) -> None:
    words = ("train", "--method", method, "--help-config")
    listed = shown(*words)["config"]
    keys = {field["key"] for field in listed if field["value"] is None and not field["required"]}
    keys.add("schedule.measure_minutes")  # it is 1 by default
    assert {"schedule.until", "population" if method == "es" else "opening_plies"} < keys
    config = tmp_path / "config.toml"
    for key in keys:
        config.write_text(f'{key} = "none"\n')
        for given in (*(("--set", f"{key}={text}") for text in ("none", "None", "null")), ("--config", config)):
            code, out, err = run(*words, *given)
            assert (code, err, f"  {key} = none" in out) == (0, "", True), given


def test_none_may_be_a_choice_of_its_own(run: Run) -> None:
    code, out, _ = run("train", "--help-config", "--set", "augmentation=none")
    assert (code, "  augmentation = none  (the default is board)\n" in out) == (0, True)


@pytest.mark.parametrize(
    ("words", "preset", "games"),
    [
        (("tic-tac-toe",), "tic-tac-toe-fast", 64),
        (("tic-tac-toe", "--set", "games=5"), "tic-tac-toe-fast", 5),
        (("tic-tac-toe", "--preset", "gumbel"), "gumbel", 128),
        (("bttt(D4)",), None, 128),
        ((), None, 128),
    ],
)
def test_small_games_get_a_default_preset(words: tuple[str, ...], preset: str | None, games: int, shown: Shown) -> None:
    listed = shown("train", *words, "--method", "mz", "--help-config")
    (value,) = (field["value"] for field in listed["config"] if field["key"] == "games")
    assert (listed["preset"], value) == (preset, games)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_preset_for_small_games_fits_the_method(method: Method) -> None:
    assert method.config.small_preset is None or method.config.small_preset in method.config.presets
