import pytest

from noughts.rules import NoughtsError, Rules, RulesError, Task


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "impossible rules: not JSON: EOF while parsing a value at line 1 column 0"),
        ("[]", "impossible rules: [] is not allowed: Input should be an object"),
        ('{"rows":3,"cols":3,"k":"3"}', "impossible rules: k='3' is not allowed: a whole number from 1 to 19"),
    ],
)
def test_wrong_json_is_one_line_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.from_json(text)
    assert str(caught.value) == message


def test_an_error_inside_a_value_names_its_place() -> None:
    with pytest.raises(RulesError) as caught:
        Task.from_json('{"rules":[{"rows":3,"cols":3,"k":3},{"rows":3,"cols":3,"k":9}],"weights":[1,1]}')
    assert str(caught.value).startswith("impossible task: rules.1: impossible rules: k=9: no line of 9 fits on 3x3")


def test_an_error_does_not_show_pydantics() -> None:
    with pytest.raises(NoughtsError) as caught:
        Rules(**{"rows": 3})
    assert isinstance(caught.value, ValueError)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_json_from_before_joined_edges_is_unchanged() -> None:
    before = '{"rows":3,"cols":3,"k":3,"bricks":["B2"],"marks":"own","line":"wins","full":"draw","boards":1,"lineless":false}'
    rules = Rules.from_json(before)
    assert rules.wrap == "none"
    assert rules.to_json() == before
    assert f'{{"rules":[{before}],' in Task(rules=(rules,), weights=(1.0,)).to_json()
    joined = Rules(**{**dict(rules), "wrap": "rows"})
    assert joined.to_json() == before[:-1] + ',"wrap":"rows"}'
    assert Rules.from_json(joined.to_json()) == joined != rules
