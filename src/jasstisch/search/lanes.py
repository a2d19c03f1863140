"""The arithmetic of a small net, on `LANES` numbers at once, for compiled code.

Numba does not keep the sums of a loop like this in the registers of the machine; the two functions
here write down the vectors that do. They always add in the same order, so equal numbers give equal
sums on every machine.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["LANES", "rectified_dot", "sum_of_rows"]

LANES = 32
"""How many numbers of a net are worked on at once."""

SINGLE = ir.FloatType()
VECTOR = ir.VectorType(SINGLE, LANES)


def _lanes_at(builder: Any, data: Any, place: Any) -> Any:
    """Where `LANES` numbers of an array of singles begin."""
    pointer = builder.gep(data, [place])
    return builder.bitcast(pointer, VECTOR.as_pointer())


def _load(builder: Any, data: Any, place: Any) -> Any:
    lanes = builder.load(_lanes_at(builder, data, place))
    lanes.align = 4
    return lanes


def _store(builder: Any, lanes: Any, data: Any, place: Any) -> None:
    builder.store(lanes, _lanes_at(builder, data, place)).align = 4


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    return context.make_array(kind)(context, builder, array).data


def _sum_of_rows(
    _: Any, weights: Any, first_row: Any, rows: Any, paper: Any, factors: Any, start: Any, end: Any
) -> Any:
    number = rows.literal_value if isinstance(rows, types.IntegerLiteral) else None
    if number is None:
        return None

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        table = _data(context, builder, signature.args[0], values[0])
        sheet = _data(context, builder, signature.args[3], values[3])
        total = _load(builder, sheet, values[5])
        for row in range(number):
            there = ir.Constant(ir.IntType(64), row)
            factor = builder.load(builder.gep(sheet, [builder.add(values[4], there)]))
            empty = ir.Constant(VECTOR, ir.Undefined)
            first = builder.insert_element(empty, factor, ir.Constant(ir.IntType(32), 0))
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            factors = builder.shuffle_vector(first, empty, zeros)
            place = builder.add(values[1], ir.Constant(ir.IntType(64), row * LANES))
            total = builder.fadd(total, builder.fmul(factors, _load(builder, table, place)))
        _store(builder, total, sheet, values[6])
        return context.get_dummy_value()

    return types.void(weights, first_row, rows, paper, factors, start, end), build


def _rectified_dot(_: Any, weights: Any, row: Any, paper: Any, start: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        table = _data(context, builder, signature.args[0], values[0])
        sheet = _data(context, builder, signature.args[2], values[2])
        hidden = _load(builder, sheet, values[3])
        zero = ir.Constant(VECTOR, [0.0] * LANES)
        active = builder.fcmp_ordered(">", hidden, zero)
        rectified = builder.select(active, hidden, zero)
        total = builder.fmul(rectified, _load(builder, table, values[1]))
        width = LANES
        while width > 1:
            width //= 2
            upper = list(range(width, 2 * width)) + [0] * (LANES - width)
            places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), upper)
            total = builder.fadd(total, builder.shuffle_vector(total, total, places))
        return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))

    return types.float32(weights, row, paper, start), build


sum_of_rows: Any = intrinsic(prefer_literal=True)(_sum_of_rows)
"""In compiled code: adds rows of weights, each times its factor, to what is on paper.

Args:
    weights: singles, `LANES` to a row.
    first_row: the place where the first row begins.
    rows: how many; a constant.
    paper: singles; the factors and both the other operands are on it.
    factors: the place of the first factor; they lie side by side.
    start: the place of the numbers that the rows are added to.
    end: the place where the sums go.
"""

rectified_dot: Any = intrinsic(_rectified_dot)
"""In compiled code: the sum of weights times the numbers on paper that are above zero.

Args:
    weights: singles.
    row: the place where the row of weights begins.
    paper: singles.
    start: the place of the numbers.
"""
