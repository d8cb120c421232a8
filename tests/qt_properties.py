# SPDX-License-Identifier: Apache-2.0
"""A mypy plugin: constructors of Qt take their properties and signals as keywords.

PySide accepts ``QVBoxLayout(spacing=4)`` and ``QTimer(timeout=slot)``; its stubs do not know, so
that mypy would have to pass over every call. What a class has is read from Qt itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from mypy.nodes import ArgKind, CallExpr
from mypy.plugin import FunctionSigContext, Plugin
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny, get_proper_type
from PySide6.QtCore import QMetaMethod

MODULES = ("PySide6.QtCore", "PySide6.QtGui", "PySide6.QtWidgets")


@cache
def has_keyword(qualified: str, name: str) -> bool:
    """Whether a Qt class has a property, a setter or a signal of that name."""
    module, _, owner = qualified.rpartition(".")
    made = getattr(import_module(module), owner, None)
    meta = getattr(made, "staticMetaObject", None)
    if meta is None:
        return False
    if meta.indexOfProperty(name) >= 0 or hasattr(made, f"set{name[0].upper()}{name[1:]}"):
        return True
    methods = (meta.method(n) for n in range(meta.methodCount()))
    signals = (each for each in methods if each.methodType() == QMetaMethod.MethodType.Signal)
    return any(bytes(each.name().data()).decode() == name for each in signals)


def qt_class(made: Type) -> str | None:
    """The nearest class of Qt's that an instance is of."""
    made = get_proper_type(made)
    names = (each.fullname for each in made.type.mro) if isinstance(made, Instance) else ()
    return next((name for name in names if name.rpartition(".")[0] in MODULES), None)


def with_keywords(context: FunctionSigContext) -> CallableType:
    """The signature, with those keywords of the call that its class has as properties."""
    signature = context.default_signature
    qualified = qt_class(signature.ret_type) if signature.is_type_obj() else None
    if qualified is None or not isinstance(context.context, CallExpr):
        return signature
    given = {name for name in context.context.arg_names if name} - set(signature.arg_names)
    more = sorted(name for name in given if has_keyword(qualified, name))
    return signature.copy_modified(
        arg_types=[*signature.arg_types, *(AnyType(TypeOfAny.special_form) for _ in more)],
        arg_kinds=[*signature.arg_kinds, *(ArgKind.ARG_NAMED_OPT for _ in more)],
        arg_names=[*signature.arg_names, *more],
    )


class QtProperties(Plugin):
    """Lets mypy check calls of Qt's constructors and of those below them."""

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], CallableType] | None:
        """For whatever may make a widget, a layout or another object of Qt's."""
        return with_keywords if fullname.startswith(("PySide6.", "dpdesk.desk.")) else None


def plugin(_version: str) -> type[Plugin]:
    """What mypy asks a plugin for."""
    return QtProperties
