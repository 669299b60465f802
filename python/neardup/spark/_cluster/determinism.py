"""Refuses ids that Spark makes up: another run, or a repeated task, would make others."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame

from ..._core import UsageError
from .session import column


def check_stable(df: DataFrame, name: str, argument: str) -> None:
    """Raises UsageError if the column `name` comes from an expression whose values depend on the engine, such as an id by
    monotonically_increasing_id(), rand() or uuid(), however many selections lie between."""
    plan = df.select(column(name))._jdf.queryExecution().analyzed()
    aliases: dict[int, Any] = {}
    _collect_aliases(plan, aliases)
    wanted = [_number(attribute) for attribute in _items(plan.output())]
    seen: set[int] = set()
    while wanted:
        number = wanted.pop()
        if number in seen:
            continue
        seen.add(number)
        for expression in aliases.get(number, ()):
            if not expression.deterministic():
                made_by = expression.toString()
                hint = (
                    "its values depend on how Spark cut the data into partitions"
                    if "monotonically" in made_by
                    else "its values differ in every run"
                )
                raise UsageError(
                    f"{argument}: column '{name}' is made by {made_by}: {hint}. Use a column of the data, or write the data with their ids first"
                )
            wanted.extend(_number(attribute) for attribute in _items(expression.references().toSeq()))


def _collect_aliases(plan: Any, aliases: dict[int, list[Any]]) -> None:
    for expression in _items(plan.expressions()):
        if expression.getClass().getSimpleName() == "Alias":
            aliases.setdefault(_number(expression), []).append(expression.child())
    children = list(_items(plan.children()))
    if plan.getClass().getSimpleName() == "Union":
        # An output of a union has the number of that of the first child, or its own; the others have no alias that leads to it.
        for outputs in zip(_items(plan.output()), *(_items(child.output()) for child in children)):
            aliases.setdefault(_number(outputs[0]), []).extend(outputs[1:])
    for child in children:
        _collect_aliases(child, aliases)


def _number(attribute: Any) -> int:
    return attribute.exprId().id()


def _items(sequence: Any) -> Any:
    return (sequence.apply(place) for place in range(sequence.size()))
