"""Single-instruction operations of the processor on sets of cards, for compiled code.

Compiled code may call `bit_count` and `bit_length` of integers, as plain Python does; Numba itself
supports neither. Sets of cards are never negative.
"""

from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload_method

HAS_PDEP = bool(llvm.get_host_cpu_features().get("bmi2"))
"""Whether the processor has the instruction PDEP (deposit bits at the positions of a mask)."""


def _popcount(_: Any, cards: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return cards(cards), build


def _count_leading_zeros_impl(_: Any, cards: Any) -> Any:
    def build(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.ctlz(values[0], context.get_constant(types.boolean, 0))

    return cards(cards), build


# Compiled code omits the first argument; for Python these are just objects.
_ctpop: Any = intrinsic(_popcount)
_ctlz: Any = intrinsic(_count_leading_zeros_impl)


@overload_method(types.Integer, "bit_count", inline="always")
def _bit_count(cards: Any) -> Any:
    def count(cards: Any) -> Any:
        return _ctpop(cards)

    return count


@overload_method(types.Integer, "bit_length", inline="always")
def _bit_length(cards: Any) -> Any:
    def length(cards: Any) -> Any:
        return 64 - _ctlz(cards)

    return length


def _pdep(_: Any, bits: Any, places: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        name = "llvm.x86.bmi.pdep.64"
        get_or_insert_function: Any = cgutils.get_or_insert_function
        return builder.call(get_or_insert_function(builder.module, kind, name), values)

    return places(bits, places), build


pdep: Any = intrinsic(_pdep)
"""In compiled code: deposits the low bits of an int at the positions of a set; needs `HAS_PDEP`."""


def _mul_wide(_: Any, one: Any, other: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        word, both = ir.IntType(64), ir.IntType(128)
        whole = builder.mul(*(builder.zext(value, both) for value in values))
        upper = builder.lshr(whole, both(64))
        pack: Any = cgutils.pack_array
        return pack(builder, [builder.trunc(half, word) for half in (upper, whole)])

    pair: Any = types.UniTuple
    return pair(one, 2)(one, other), build


mul_wide: Any = intrinsic(_mul_wide)
"""In compiled code: the product of two words as two words, the high one first."""


def _load_at(_: Any, array: Any, place: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        return builder.load(builder.gep(data, [values[1]]))

    return array.dtype(array, types.int64), build


load_at: Any = intrinsic(_load_at)
"""In compiled code: the element at an index of an array, without wraparound of negative indices."""


def _store_at(_: Any, array: Any, place: Any, number: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        builder.store(values[2], builder.gep(data, [values[1]]))
        return context.get_dummy_value()

    return types.void(array, types.int64, array.dtype), build


store_at: Any = intrinsic(_store_at)
"""In compiled code: stores a number at an index, without wraparound of negative indices."""
