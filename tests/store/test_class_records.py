"""Records of classes are saved and replaced; only one process runs a class."""

import pytest

from noughts.rules import StoreError
from noughts.store.class_records import ClassRecord
from noughts.store.results import Store


def test_records_are_put_replaced_and_survive(place: str) -> None:
    with Store.open(place) as store:
        store.class_records.put(ClassRecord("c1", "class", "", "{}"), ClassRecord("c1", "pupil", "b", '"é"'))
        store.class_records.put(ClassRecord("c1", "pupil", "a", "1"), ClassRecord("c2", "class", "", "{}"))
        store.class_records.put(ClassRecord("c1", "pupil", "b", "2"))
    with Store.open(place) as store:
        found = [(each.kind, each.id, each.document) for each in store.class_records.all("c1")]
        assert found == [("class", "", "{}"), ("pupil", "a", "1"), ("pupil", "b", "2")]
        assert [each.class_id for each in store.class_records.of_kind("class")] == ["c1", "c2"]
        store.class_records.put(ClassRecord("c1", "class", "", "{}"))
        assert [each.class_id for each in store.class_records.of_kind("class")] == ["c2", "c1"]


def test_only_one_process_runs_a_class(place: str) -> None:
    with Store.open(place) as store, Store.open(place) as other:
        lock = store.class_records.lock("c")
        with pytest.raises(StoreError, match="another `noughts serve --class` is at work there"):
            other.class_records.lock("c")
        lock.release()
        other.class_records.lock("c").release()
