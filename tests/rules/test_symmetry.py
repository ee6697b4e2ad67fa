import pytest
from hypothesis import given

from noughts.rules import Rules, line_table, parse_rules, parse_task, symmetries
from noughts.rules.symmetry import image_classes, image_onto
from tests.rules.strategies import all_rules, brick_orbit


@given(all_rules())
def test_symmetries_form_a_group(rules: Rules) -> None:
    group = symmetries(rules)
    maps = {symmetry.image for symmetry in group}
    assert len(maps) == len(group) == len({symmetry.name for symmetry in group})
    of_board = 8 if rules.rows == rules.cols and rules.wrap in ("none", "both") else 4
    moves = (rules.rows if rules.wrap in ("rows", "both") else 1) * (
        rules.cols if rules.wrap in ("columns", "both") else 1
    )
    assert of_board * moves % len(group) == 0
    assert group[0].name == "identity"
    assert group[0].image == tuple(range(rules.size))
    for one in maps:
        assert sorted(one) == list(range(rules.size))
        inverse = [0] * rules.size
        for cell, to in enumerate(one):
            inverse[to] = cell
        assert tuple(inverse) in maps
        for other in sorted(maps)[:20]:
            assert tuple(one[other[cell]] for cell in range(rules.size)) in maps


@given(all_rules())
def test_symmetries_preserve_bricks_lines_and_boards(rules: Rules) -> None:
    lines = {frozenset(line) for line in line_table(rules).cells}
    for symmetry in symmetries(rules):
        assert {symmetry.image[brick] for brick in rules.brick_cells} == rules.brick_cells
        assert {frozenset(symmetry.image[cell] for cell in line) for line in lines} == lines
        assert all(cell // rules.board_size == to // rules.board_size for cell, to in enumerate(symmetry.image))


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("tic-tac-toe", 8), ("bttt(D4)", 8), ("bttt(E5)", 2), ("bttt(D3)", 2), ("bttt(A2)", 1), ("bttt(D3+D5)", 4),
        ("bttt(A1+A7)", 2), ("mnk(3,4,3)", 4), ("mnk(3,4,3,bricks=B1)", 2), ("mnk(1,5,3)", 2), ("mnk(1,1,1)", 1),
        ("notakto(3,boards=2)", 8), ("tic-tac-toe(wrap=both)", 72), ("bttt(A2,wrap=both)", 8),
        ("bttt(A2+A3,wrap=both)", 4), ("mnk(3,4,3,wrap=columns)", 16), ("mnk(3,4,3,wrap=both)", 48),
        ("tic-tac-toe(wrap=rows)", 12), ("mnk(3,3,3,wrap=columns,bricks=B1)", 4), ("mnk(2,2,2,wrap=both)", 8),
    ],
)  # fmt: skip
def test_known_groups(text: str, order: int) -> None:
    assert len(symmetries(parse_rules(text))) == order


def test_each_symmetry_matches_its_name() -> None:
    rules = parse_rules("tic-tac-toe")
    a1_and_a2_go_to = {
        symmetry.name: tuple(rules.name_of(symmetry.image[rules.cell_of(name)]) for name in ("A1", "A2"))
        for symmetry in symmetries(rules)
    }
    assert a1_and_a2_go_to == {
        "identity": ("A1", "A2"), "rotate-90": ("A3", "B3"), "rotate-180": ("C3", "C2"), "rotate-270": ("C1", "B1"),
        "flip-rows": ("C1", "C2"), "flip-columns": ("A3", "A2"), "transpose": ("A1", "B1"), "anti-transpose": ("C3", "B3"),
    }  # fmt: skip


@given(all_rules())
def test_orbit_and_group_make_up_the_board_symmetries(rules: Rules) -> None:
    bare = Rules(**{**dict(rules), "bricks": (), "k": 1, "lineless": False})
    assert len(brick_orbit(rules)) * len(symmetries(rules)) == len(symmetries(bare))
    assert rules.bricks in brick_orbit(rules)


@given(all_rules())
def test_a_game_is_its_own_image_and_symmetries_map_lines_to_lines(rules: Rules) -> None:
    turned = Rules.model_validate(
        rules.model_dump()
        | {"rows": rules.cols, "cols": rules.rows}
        | {"wrap": {"rows": "columns", "columns": "rows"}.get(rules.wrap, rules.wrap)}
        | {"bricks": tuple(brick % rules.cols * rules.rows + brick // rules.cols for brick in rules.bricks)}
    )
    for other in (rules, turned):
        image = image_onto(rules, other)
        assert image is not None
        assert sorted(image) == list(range(rules.size))
        assert {image[brick] for brick in rules.brick_cells} == other.brick_cells
        lines = {frozenset(line) for line in line_table(other).cells}
        assert {frozenset(image[cell] for cell in line) for line in line_table(rules).cells} == lines


def test_games_that_are_not_images_of_each_other() -> None:
    assert image_onto(parse_rules("bttt(D4)"), parse_rules("bttt(D3)")) is None
    assert image_onto(parse_rules("mnk(3,4,3)"), parse_rules("mnk(4,3,3,line=loses)")) is None
    assert image_onto(parse_rules("mnk(3,4,3)"), parse_rules("mnk(3,4,2)")) is None


def test_the_49_squares_are_ten_classes() -> None:
    classes = image_classes(parse_task("bttt(*)").rules)
    assert sorted(map(len, classes)) == [1, 4, 4, 4, 4, 4, 4, 8, 8, 8]


def test_squares_along_joined_edges_are_one_class() -> None:
    assert [len(found) for found in image_classes(parse_task("bttt(*,wrap=both)").rules)] == [49]
    assert [len(found) for found in image_classes(parse_task("bttt(*,wrap=rows)").rules)] == [14, 14, 14, 7]
    edge, other_edge, middle = (
        parse_rules(f"mnk(3,3,3,{fields})")
        for fields in ("bricks=A1,wrap=rows", "bricks=C2,wrap=columns", "bricks=B2,wrap=columns")
    )
    assert image_classes([edge, other_edge, middle]) == [[edge, other_edge], [middle]]
    assert image_onto(edge, middle) is None


def test_a_shift_is_named_by_its_distance() -> None:
    rules = parse_rules("mnk(3,4,3,wrap=columns)")
    images = {symmetry.name: symmetry.image for symmetry in symmetries(rules)}
    assert rules.name_of(images["right-1"][rules.cell_of("B4")]) == "B1"
    assert rules.name_of(images["flip-rows+right-3"][rules.cell_of("A2")]) == "C1"
    assert list(images)[:4] == ["identity", "rotate-180", "flip-rows", "flip-columns"]
    assert "transpose+down-1+right-2" in {found.name for found in symmetries(parse_rules("tic-tac-toe(wrap=both)"))}
