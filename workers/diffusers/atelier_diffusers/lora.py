"""LoRA weights: the names in a request, and their files."""

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
    """Reads `name`, `name:0.8`, several of them separated by commas, or a list. `scale` is the default scale."""
    if asked is None:
        if scale is not None:
            raise InvalidInput("lora_scale", "requires `lora`")
        return ()
    texts = asked.split(",") if isinstance(asked, str) else asked
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidInput("lora", "must be a name or a list of names")
    usual = _scale("lora_scale", 1.0 if scale is None else scale)
    loras = []
    for text in filter(None, (text.strip() for text in texts)):
        name, has_scale, own = text.partition(":")
        loras.append(Lora(name.strip(), _scale("lora", own) if has_scale else usual))
    names = [lora.name for lora in loras]
    if len(set(names)) < len(names) or len(names) > MOST:
        raise InvalidInput("lora", f"must name each LoRA once, and at most {MOST}")
    return tuple(loras)


def _scale(name: str, value: Any) -> float:
    try:
        scale = float(value)
    except (TypeError, ValueError):
        scale = float("nan")
    if not -10 <= scale <= 10:
        raise InvalidInput(name, f"takes scales between -10 and 10 (got {value!r:.60})")
    return scale


def find(folder: Path | None, lora: Lora) -> Path:
    """Returns the file `name.safetensors` of the folder. A request can reach no other file."""
    if folder is None:
        raise InvalidInput("lora", "is not supported: DIFFUSERS_LORAS is not set")
    path = folder / f"{lora.name}.safetensors"
    if not re.fullmatch(r"[\w][\w. -]*", lora.name) or not path.is_file():
        there = ", ".join(sorted(file.stem for file in folder.glob("*.safetensors"))) or "none"
        raise InvalidInput("lora", f"names an unknown LoRA {lora.name!r:.60}; known LoRAs: {there:.300}")
    return path
