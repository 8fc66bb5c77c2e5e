"""LoRA weights: which a request names, and the files that they are."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InvalidInput

MOST = 8


@dataclass(frozen=True)
class Lora:
    name: str
    scale: float = 1.0


def read_loras(asked: Any, scale: Any = None) -> tuple[Lora, ...]:
    """`name`, `name:0.8`, several of them with commas between, or a list. `scale` is of those that say none."""
    if asked is None:
        if scale is not None:
            raise InvalidInput("lora_scale", "there is no `lora` that it is of")
        return ()
    texts = asked.split(",") if isinstance(asked, str) else asked
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidInput("lora", "it takes a name, or a list of names")
    usual = _scale("lora_scale", 1.0 if scale is None else scale)
    loras = []
    for text in filter(None, (text.strip() for text in texts)):
        name, has_scale, own = text.partition(":")
        loras.append(Lora(name.strip(), _scale("lora", own) if has_scale else usual))
    names = [lora.name for lora in loras]
    if len(set(names)) < len(names) or len(names) > MOST:
        raise InvalidInput("lora", f"each may be named once, and {MOST} at most")
    return tuple(loras)


def _scale(name: str, value: Any) -> float:
    try:
        scale = float(value)
    except (TypeError, ValueError):
        scale = float("nan")
    if not -10 <= scale <= 10:
        raise InvalidInput(name, f"has the scale {value!r:.60}; it takes -10 to 10")
    return scale


def find(folder: Path | None, lora: Lora) -> Path:
    """The file `name.safetensors` of the folder. Nothing else is opened, whatever a request names."""
    if folder is None:
        raise InvalidInput("lora", "this server has none (DIFFUSERS_LORAS names no folder)")
    path = folder / f"{lora.name}.safetensors"
    if not re.fullmatch(r"[\w][\w. -]*", lora.name) or not path.is_file():
        there = ", ".join(sorted(file.stem for file in folder.glob("*.safetensors"))) or "none"
        raise InvalidInput("lora", f"there is no {lora.name!r:.60}; there are {there:.300}")
    return path
