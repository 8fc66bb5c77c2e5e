"""The abilities of a pipeline, from its call's signature and a few facts about its components. Needs no torch."""

import contextlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import InvalidInput

# Parameters that requests cannot set: tensors, hooks, and those that the runner sets.
RESERVED = re.compile(
    r"^(self|args|generator|output_type|return_dict|latents|callback.*|.*kwargs|.*embeds.*|.*latents|.*_mask|"
    r".*_ids|.*tensor.*|.*cu_seqlens|ip_adapter_.*|.*ip_adapter_image)$"
)
# The frame rates that models were trained on, by the beginning of the pipeline's name. Used if request, setting and
# signature give none.
FPS = {
    "AnimateDiff": 8,
    "CogVideoX": 16,
    "Cosmos": 16,
    "HunyuanVideoFramepack": 30,
    "HunyuanSkyreels": 24,
    "HunyuanVideo": 24,
    "Kandinsky5": 24,
    "LTX": 24,
    "Mochi": 30,
    "Sana": 16,
    "SkyReels": 24,
    "WanAnimate": 30,
    "Wan": 16,
}
OTHER_FPS = 16
# Pipelines that take several pictures. The type in the signature does not tell, because it allows lists in all.
MANY_IMAGES = ("QwenImageEditPlus", "Flux2", "GlmImage", "OmniGen", "ZImageOmni")


@dataclass(frozen=True)
class Shape:
    """A pipeline's name, the parameters of its call, and facts to derive sizes and lengths from."""

    name: str
    parameters: Mapping[str, inspect.Parameter]
    #: The default width and height.
    size: tuple[int, int] = (1024, 1024)
    #: Derived sides are multiples of this.
    size_step: int = 16
    #: Derived numbers of frames are one more than a multiple of this.
    frame_step: int = 1
    #: The operator's default frame rate.
    fps: float | None = None

    @classmethod
    def of(cls, name: str, call: Callable[..., Any], **facts: Any) -> "Shape":
        parameters = {
            parameter.name: parameter
            for parameter in inspect.signature(call).parameters.values()
            if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY) and parameter.name != "self"
        }
        return cls(name, parameters, **facts)

    @property
    def kind(self) -> str:
        """`video`, `audio` or `image`."""
        if self.first("num_videos_per_prompt", "num_frames", "segment_frame_length"):
            return "video"
        if self.first("num_waveforms_per_prompt", "audio_duration", "audio_end_in_s", "audio_length_in_s"):
            return "audio"
        return "image"

    def first(self, *names: str) -> str | None:
        """Returns the first of these parameters that the call has."""
        return next((name for name in names if name in self.parameters), None)

    def default(self, name: str) -> Any:
        """Returns the parameter's default, or `None` if it has none."""
        parameter = self.parameters.get(name)
        return None if parameter is None or parameter.default is parameter.empty else parameter.default

    def needs(self) -> list[str]:
        """Lists the parameters without a default."""
        return [name for name, parameter in self.parameters.items() if parameter.default is parameter.empty]

    @property
    def takes_many_images(self) -> bool:
        return self.name.startswith(MANY_IMAGES) or self.first("input_images") is not None

    @property
    def frames_per_second(self) -> float:
        own = self.default("frame_rate") or self.default("fps")
        named = next((fps for start, fps in FPS.items() if self.name.startswith(start)), OTHER_FPS)
        return float(self.fps or own or named)

    def plain(self) -> list[str]:
        """Lists the parameters that a request may set by their own names."""
        return [name for name in self.parameters if not RESERVED.match(name) and self._types(name)]

    def _types(self, name: str) -> set[str]:
        """The plain types that the parameter takes, from its annotation or else from its default."""
        parameter = self.parameters[name]
        annotation = parameter.annotation
        if annotation is parameter.empty:
            return {type(self.default(name)).__name__} & {"bool", "int", "float", "str"}
        text = annotation if isinstance(annotation, str) else str(annotation).replace("<class '", "")
        return set(re.findall(r"(?<![\w.])(bool|int|float|str)\b", text))

    def checked(self, asked: str, name: str, value: Any) -> Any:
        """Converts a value to the type of the parameter `name`, which the request calls `asked`."""
        types = self._types(name)
        items = value if isinstance(value, list) else [value]
        checked = [_as_one_of(asked, item, types) for item in items]
        annotation = str(self.parameters[name].annotation).lower()
        if isinstance(value, list):
            if not re.search(r"list|tuple", annotation):
                raise InvalidInput(asked, "must be one value, not a list")
            return checked
        return checked[0]


def _as_one_of(asked: str, value: Any, types: set[str]) -> Any:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if "bool" in types and isinstance(value, bool):
        return value
    if "str" in types and isinstance(value, str):
        return value
    if isinstance(value, str) and types & {"int", "float"}:
        with contextlib.suppress(ValueError):
            value, is_number = float(value), True
    if "int" in types and is_number and float(value).is_integer():
        return int(value)
    if "float" in types and is_number:
        return float(value)
    words = {"bool": "true or false", "int": "a whole number", "float": "a number", "str": "a text"}
    allowed = " or ".join(words[name] for name in ("bool", "int", "float", "str") if name in types)
    raise InvalidInput(asked, f"must be {allowed} (got {value!r:.60})")
