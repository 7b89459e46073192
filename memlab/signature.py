"""A constructor's signature as the schema of a config node."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ConfigDict, PydanticUserError, TypeAdapter, ValidationError

from memlab.part import Part
from memlab.spelling import did_you_mean


def parameters(target: Callable[..., object]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a constructor, annotations resolved, without self, *args and **kwargs.

    Raises NameError or TypeError when an annotation cannot be resolved, or a parameter not be given by name.
    """
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if only := [p.name for p in inspect.signature(target).parameters.values() if p.kind is p.POSITIONAL_ONLY]:
        raise TypeError(f"'{only[0]}' is positional only")
    function = target.__init__ if isinstance(target, type) else target  # type: ignore[misc]
    hints = typing.get_type_hints(function)
    found = inspect.signature(target).parameters.values()
    return {p.name: p.replace(annotation=hints.get(p.name, Any)) for p in found if p.kind in named}


def part_type(annotation: object) -> type[Part] | None:
    """Return the interface that a parameter wants a collaborator of, or None when it is a plain setting."""
    union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    for choice in typing.get_args(annotation) if union else (annotation,):
        if isinstance(choice, type) and issubclass(choice, Part) and choice is not Part:
            return choice
    return None


def setting_faults(settings: Mapping[str, object], wanted: Mapping[str, inspect.Parameter]) -> list[str]:
    """Return what is wrong with plain settings: unknown names, wrong types, missing ones."""
    faults = []
    for name, value in settings.items():
        if name not in wanted:
            faults.append(
                f"has no setting '{name}'{did_you_mean(name, wanted)} (settings: {', '.join(wanted) or 'none'})"
            )
        elif fault := type_fault(value, wanted[name].annotation):
            faults.append(f"setting '{name}' {fault}")
    for name, parameter in wanted.items():
        if name not in settings and parameter.default is inspect.Parameter.empty:
            faults.append(f"needs the setting '{name}'")
    return faults


def type_fault(value: object, annotation: Any) -> str | None:
    """Return why a value does not fit an annotation, or None when it does; `2` fits float, `"2"` does not fit int."""
    try:
        TypeAdapter(annotation, config=ConfigDict(strict=True, arbitrary_types_allowed=True)).validate_python(value)
    except PydanticUserError:
        return f"is {value!r}, but a setting of type {annotation} cannot be given in YAML; use plain types"
    except ValidationError as error:
        reasons = dict.fromkeys(fault["msg"].lower() for fault in error.errors())
        return f"is {value!r}: {' or '.join(reasons)}"
    return None
