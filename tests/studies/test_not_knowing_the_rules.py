"""The study of the cost of not knowing the rules: conclusions from fabricated answers."""

from noughts.examine.imagining import ImaginedTally
from noughts.examine.judge import Tally
from noughts.questions.imagined import ImaginedBesideTruth, ImaginedTallies
from noughts.questions.judged import BesideTruth, PlyTally, Tallies
from noughts.questions.played import Playthrough
from noughts.questions.trained import Point, Trained, Training
from noughts.questions.walked import EveryReply
from noughts.rules import Value
from noughts.studies.not_knowing_the_rules import REPAIRS, SCALES, NotKnowingTheRules
from noughts.studies.study import Settings
from noughts.training.muzero.config import MuZeroConfig
from tests.studies.fabricated import Fabricated, beside_truth, differing, record, trained, walked


def fabricated() -> Fabricated:
    """AlphaZero is right everywhere and proved from its first measurement, MuZero from its last; it errs once in ten."""

    def training(unit: Training) -> Trained:
        points = unit.settings.schedule.measure_at_positions
        return trained(Point(iteration=i, positions=p + 7, seconds=p / 100, values={}) for i, p in enumerate(points, 1))

    def walk(unit: EveryReply) -> Value:
        early = int(unit.agent.target.partition("@")[2].rstrip("p")) < SCALES["quick"].positions[-1]
        fails = unit.agent.name == "mz" and early and unit.rules.rows == 3 and unit.rules.marks == "own"
        return walked((0, 1, 2) if fails else None)

    near = ImaginedTally(made=100, real=100, ended=10, missed=1, going=90, invented=2, boards=100, boards_wrong=5)
    far = ImaginedTally(made=50, illegal=10, real=40, beyond=3, ended=10, missed=4, going=30)
    return Fabricated(
        {
            Training: training,
            EveryReply: walk,
            BesideTruth: lambda unit: beside_truth(unit, lambda agent: 9 if agent.startswith("mz") else 10),
            ImaginedBesideTruth: lambda unit: ImaginedTallies(depths={1: near, 2: far}),
            Playthrough: lambda unit: record(unit, "first"),
        }
    )


def test_conclusions_list_proofs_and_the_quality_of_the_model() -> None:
    found = NotKnowingTheRules().conclude(Settings(), fabricated())
    proofs, decisions, _, notakto, model, repairs = found.tables
    assert {row.labels[0]: row.ours for row in proofs.rows} == {"AlphaZero": "1 of 1", "MuZero": "1 of 1"}
    first, last = (points + 7 for points in SCALES["quick"].positions)
    assert f"{first:,} positions" in proofs.rows[0].note
    assert f"{last:,} positions" in proofs.rows[1].note
    claimed = [row for row in decisions.rows if row.paper]
    assert [(row.labels[0], row.ours, row.verdict) for row in claimed] == [("MuZero", "9 of 10", "differs")]
    assert all("positions" in row.ours for row in notakto.rows)
    illegal = next(row for row in model.rows if row.labels == ("3x3", "moves that are illegal"))
    assert illegal.value is not None
    assert abs(illegal.value - 100 * 10 / 150) < 1e-9
    assert illegal.note == "by depth: 1: 0, 2: 20"
    assert [row.labels[0] for row in repairs.rows] == list(SCALES["quick"].repairs)
    assert [row.labels[2] for row in repairs.rows] == ["", ""]  # one seed gives no difference
    assert any("illegal 6.7" in finding for finding in found.findings)
    said = f"AlphaZero, 32 simulations: {first:,}; MuZero, 32 simulations: {last:,}"
    assert any(said in finding for finding in found.findings)
    assert any(figure.name == "imagined 3x3" and figure.table == model.title for figure in found.figures)


def test_the_effect_of_each_addition_is_a_difference_over_seeds() -> None:
    """Three seeds each: with learned ends all improve about equally; with learned legality one improves and two do not."""
    plan = NotKnowingTheRules().at(Settings(scale="laptop"))
    right = {"none": (900, 910, 890), "ends learned": (940, 951, 929), "legality learned": (990, 900, 700)}
    asked = {run.agent(32): right[name][run.seed] for name in right for run in plan.repaired[name]}

    def decisions(unit: BesideTruth) -> Tallies:
        tallies = [Tally(positions=1000, choices=1000, optimal=asked[a]) if a in asked else Tally() for a in unit.named]
        return Tallies(agents=tuple((PlyTally(3, 1000, True, tally),) for tally in tallies))

    known = Trained(iterations=9, positions=30_000, seconds=60.0, cores=1, curve=())
    answers = Fabricated({Training: lambda unit: known, BesideTruth: decisions})
    found = NotKnowingTheRules().conclude(Settings(scale="laptop"), answers)
    beside = {row.labels[0]: row.labels[1:] for row in found.tables[-1].rows}
    assert beside["none"] == ("3", "")
    assert beside["ends learned"] == ("3", "+4.0 points (+1.6 to +6.4)")
    assert beside["legality learned"][1].startswith("-3.7 points (-")
    assert "ends learned +4.0 points (+1.6 to +6.4)" in found.findings[-1]


def test_learners_share_all_their_common_settings() -> None:
    for scale in SCALES:
        plan = NotKnowingTheRules().at(Settings(scale=scale))
        for runs in (plan.toe[:2], plan.bricks, *plan.notakto.values()):
            told, learned = (run.training.config for run in runs)
            assert len({name for name, _ in told} & {name for name, _ in learned}) > 16
            assert differing(told, learned) <= {"window"}
            assert [run.training.method for run in runs] == ["az", "mz"]


def test_each_repair_adds_one_thing() -> None:
    plan = NotKnowingTheRules().at(Settings(scale="laptop"))
    base = plan.repaired["none"][0].training.config
    for name, runs in plan.repaired.items():
        config = runs[0].training.config
        assert isinstance(config, MuZeroConfig)
        changed = differing(config, base)
        assert changed - {"model"} == set(REPAIRS[name]) - {"model"}
        assert bool(changed) == (name != "none")
