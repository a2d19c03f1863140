"""SIMD arithmetic of a small neural net, on `LANES` numbers at once, for compiled code.

Numba does not keep the sums of such a loop in registers; the functions here write LLVM vector
instructions that do. They always add in the same order. On processors with fused multiply-add,
which rounds once instead of twice, `fma` and `exp_block` use it; all other results are identical on
every machine.
"""

import math
from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, register_model

LANES = 32
"""The number of values of a net that are processed at once."""

EXP_WIDTH = 8
"""The number of values that `exp_block` processes."""

_FLOAT32, _INT32 = ir.FloatType(), ir.IntType(32)
_VECTOR = ir.VectorType(_FLOAT32, LANES)


class _LanesType(types.Type):
    """The Numba type of the hidden layer of a net, kept in registers."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]


_LANES_TYPE: Any = _LanesType()

Lanes: TypeAlias = Any
"""In compiled code: `LANES` single-precision numbers in registers."""


def _data_pointer(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    return context.make_array(kind)(context, builder, array).data


def _splat(builder: Any, number: Any, width: int) -> Any:
    """A vector with one number in all lanes."""
    empty = ir.Constant(ir.VectorType(_FLOAT32, width), ir.Undefined)
    first = builder.insert_element(empty, number, ir.Constant(_INT32, 0))
    return builder.shuffle_vector(
        first, empty, ir.Constant(ir.VectorType(_INT32, width), [0] * width)
    )


def _multiply_add(builder: Any, one: Any, other: Any, addend: Any) -> Any:
    kind = addend.type
    form = ir.FunctionType(kind, [kind] * 3)
    get_or_insert_function: Any = cgutils.get_or_insert_function
    name = f"llvm.fmuladd.v{kind.count}f32"
    function = get_or_insert_function(builder.module, form, name)
    return builder.call(function, [one, other, addend])


def _load_row_vector(context: Any, builder: Any, kind: Any, weights: Any, number: Any) -> Any:
    start = builder.mul(number, ir.Constant(ir.IntType(64), LANES))
    data = _data_pointer(context, builder, kind, weights)
    row = builder.load(builder.bitcast(builder.gep(data, [start]), _VECTOR.as_pointer()))
    row.align = 4
    return row


def _zero_lanes(_: Any) -> Any:
    def build(_context: Any, _builder: Any, _signature: Any, _values: Any) -> Any:
        return ir.Constant(_VECTOR, [0.0] * LANES)

    signature: Any = _LANES_TYPE()
    return signature, build


def _fma(_: Any, lanes: Any, factor: Any, weights: Any, number: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        total, factor, weights, number = values
        weighed = _load_row_vector(context, builder, signature.args[2], weights, number)
        return _multiply_add(builder, _splat(builder, factor, LANES), weighed, total)

    return _LANES_TYPE(lanes, types.float32, weights, types.int64), build


def _add_lanes(_: Any, one: Any, other: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.fadd(*values)

    return _LANES_TYPE(one, other), build


def _relu_dot(_: Any, lanes: Any, weights: Any, number: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        hidden, weights, number = values
        zero = ir.Constant(_VECTOR, [0.0] * LANES)
        active = builder.fcmp_ordered(">", hidden, zero)
        output = _load_row_vector(context, builder, signature.args[1], weights, number)
        total = builder.fmul(builder.select(active, hidden, zero), output)
        width = LANES
        while width > 1:
            width //= 2
            halves = ([*range(first, first + width)] for first in (0, width))
            kind = ir.VectorType(_INT32, width)
            total = builder.fadd(
                *(builder.shuffle_vector(total, total, ir.Constant(kind, one)) for one in halves)
            )
        return builder.extract_element(total, ir.Constant(_INT32, 0))

    return types.float32(lanes, weights, types.int64), build


_EXP_COEFFICIENTS = [float(np.float32(math.log(2) ** n / math.factorial(n))) for n in range(8)]
"""The Taylor coefficients of powers of 2, exact to single precision from -1 to 0."""

_MIN_EXPONENT = -100.0
"""2 to this power is practically 0, and still a normal number."""

_MANTISSA_BITS = 23
"""The number of mantissa bits in single precision."""


def _exp_block(_: Any, scratch: Any, place: Any, most: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        whole = ir.VectorType(_INT32, EXP_WIDTH)
        kind = ir.VectorType(_FLOAT32, EXP_WIDTH)

        def every(number: float) -> Any:
            return ir.Constant(kind, [number] * EXP_WIDTH)

        sheet = _data_pointer(context, builder, signature.args[0], values[0])
        there = builder.bitcast(builder.gep(sheet, [values[1]]), kind.as_pointer())
        numbers = builder.load(there)
        numbers.align = 4
        numbers = builder.fsub(numbers, _splat(builder, values[2], EXP_WIDTH))
        powers = builder.fmul(numbers, every(float(np.float32(1 / math.log(2)))))
        too_low = builder.fcmp_unordered("<", powers, every(_MIN_EXPONENT))
        powers = builder.select(too_low, every(_MIN_EXPONENT), powers)
        exponents = builder.fptosi(powers, whole)
        rest = builder.fsub(powers, builder.sitofp(exponents, kind))  # above -1, at most 0
        total = every(_EXP_COEFFICIENTS[-1])
        for factor in _EXP_COEFFICIENTS[-2::-1]:
            total = _multiply_add(builder, total, rest, every(factor))
        shifted = builder.shl(exponents, ir.Constant(whole, [_MANTISSA_BITS] * EXP_WIDTH))
        total = builder.add(builder.bitcast(total, whole), shifted)
        builder.store(builder.bitcast(total, kind), there).align = 4
        return context.get_dummy_value()

    return types.void(scratch, types.int64, types.float32), build


zero_lanes: Any = intrinsic(_zero_lanes)
"""In compiled code: lanes of zeros."""

fma: Any = intrinsic(_fma)
"""In compiled code: the sum of lanes and a factor times row `number` of the weights.

Args:
    lanes: the addend.
    factor: a single-precision number.
    weights: single-precision numbers, `LANES` to a row.
    number: the number of the row.
"""

add_lanes: Any = intrinsic(_add_lanes)
"""In compiled code: the sum of two lanes."""

relu_dot: Any = intrinsic(_relu_dot)
"""In compiled code: the dot product of the positive part (ReLU) of lanes and a row of weights."""

exp_block: Any = intrinsic(_exp_block)
"""In compiled code: replaces numbers in scratch memory by e to their power.

Args:
    paper: scratch memory in single precision.
    place: the index of the first of `EXP_WIDTH` numbers.
    most: subtracted from each number first; no number whose power is used may exceed it.
"""
