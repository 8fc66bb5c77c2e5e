"""Turns a request into a pipeline's arguments. Requests may use atelier's field names or the pipeline's own. Inputs
that the pipeline does not support are refused, not dropped."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .errors import InvalidInput
from .lora import Lora, read_loras
from .shape import Shape

# atelier's names, and the parameters with the same meaning, in order of preference.
NAMES = {
    "text": ("prompt",),
    "steps": ("num_inference_steps",),
    "n": ("num_images_per_prompt", "num_videos_per_prompt", "num_waveforms_per_prompt"),
    "language_code": ("vocal_language",),
    "key_scale": ("keyscale",),
    "time_signature": ("timesignature",),
    "enhance_prompt": ("use_pe", "enable_prompt_enhancement"),
}
FORMATS = {"image": ("png", "webp", "jpeg"), "video": ("mp4",), "audio": ("wav", "flac", "mp3")}
LONGEST_TEXT = 50_000
MOST_STEPS = 1000
MOST_OUTPUTS = 16


@dataclass(frozen=True)
class Media:
    """Opens the files of a request. Each function gets an input's name and value."""

    image: Callable[[str, Any], Any]
    mask: Callable[[str, Any], Any]
    #: Also gets the frame rate and the most frames to return.
    video: Callable[[str, Any, float, int], list[Any]]
    #: Scales an opened picture to a size.
    fitted: Callable[[Any, tuple[int, int]], Any]


@dataclass
class Call:
    """One call of a pipeline, and the format of its output."""

    arguments: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    fps: float = 16
    format: str = "png"
    sound: bool = True
    loras: tuple[Lora, ...] = ()


def variant(request: dict[str, Any]) -> str:
    """The kind of pipeline that the request needs: `text`, `image` or `inpaint`. Pipelines for text have relatives for
    the other two, which share their components."""
    if any(request.get(name) for name in ("mask_url", "mask_image", "mask")):
        return "inpaint"
    return "image" if any(request.get(name) for name in ("image_urls", "image", "reference_image_urls")) else "text"


def read(request: dict[str, Any], shape: Shape, media: Media, max_side: int = 4096, max_frames: int = 1000) -> Call:
    """Reads the call from a request."""
    return _Reader(dict(request), shape, media, max_side, max_frames).read()


class _Reader:
    """Takes the inputs out of the request one by one. Inputs that are left at the end are refused."""

    def __init__(self, request: dict[str, Any], shape: Shape, media: Media, max_side: int, max_frames: int) -> None:
        self.request = {name: value for name, value in request.items() if value is not None}
        self.shape, self.media = shape, media
        self.max_side, self.max_frames = max_side, max_frames
        self.call = Call(fps=shape.frames_per_second)

    def read(self) -> Call:
        self._seed()
        self._output()
        self.call.loras = read_loras(self._take("lora"), self._take("lora_scale"))
        pictures = self._pictures()
        self._size(pictures)
        self._rate()
        self._video()
        self._duration()
        self._guidance()
        self._named()
        self._own_names()
        self._refuse_rest()
        for name in self.shape.needs():
            if name not in self.call.arguments:
                raise InvalidInput(name, f"is missing; {self.shape.name} requires it")
        self._limits()
        return self.call

    def _take(self, name: str) -> Any:
        return self.request.pop(name, None)

    def _give(self, asked: str, name: str, value: Any) -> None:
        self.call.arguments[name] = self.shape.checked(asked, name, value)

    def _seed(self) -> None:
        seed = self._take("seed")
        if seed is None:
            return
        if isinstance(seed, bool) or not isinstance(seed, (int, float)) or seed != int(seed) or not 0 <= seed < 2**63:
            raise InvalidInput("seed", f"must be a whole number, 0 or more (got {seed!r:.60})")
        self.call.seed = int(seed)

    def _output(self) -> None:
        allowed = FORMATS[self.shape.kind]
        asked = self._take("output_format") or allowed[0]
        self.call.format = "jpeg" if asked == "jpg" else asked
        if self.call.format not in allowed:
            raise InvalidInput("output_format", f"must be one of {', '.join(allowed)} (got {asked!r:.60})")
        if self.shape.kind == "video" and "generate_audio" in self.request:
            sound = self._take("generate_audio")
            if sound and not any("audio" in name for name in self.shape.parameters):
                raise InvalidInput("generate_audio", f"is not supported: {self.shape.name} makes no sound")
            self.call.sound = bool(sound)

    def _pictures(self) -> list[Any]:
        """Opens the pictures and assigns them to parameters. Returns those that the size may follow."""
        own = self.shape.first("input_images", "image")
        asked, opened = self._opened("image_urls", "image")
        last_name, last = self._opened("last_image")
        references_name, references = self._opened("reference_image_urls", "reference_images")
        if references and self.shape.first("reference_images"):
            self.call.arguments["reference_images"] = references
        elif references:
            asked, opened = asked if opened else references_name, opened + references
        if len(opened) == 2 and not last and self.shape.first("last_image"):
            last_name, last = asked, [opened.pop()]
        if last:
            if not self.shape.first("last_image") or len(last) > 1:
                raise InvalidInput(last_name, f"is not supported: {self.shape.name} takes no last picture")
            self.call.arguments["last_image"] = last[0]
        if opened:
            if own is None:
                raise InvalidInput(asked, f"is not supported: {self.shape.name} takes no picture")
            if len(opened) > 1 and not self.shape.takes_many_images:
                most = "one picture" + (", or a first and a last one" if self.shape.first("last_image") else "")
                raise InvalidInput(asked, f"has {len(opened)} pictures, but {self.shape.name} takes {most}")
            is_list = len(opened) > 1 or own == "input_images"
            self.call.arguments[own] = opened if is_list else opened[0]
        elif not any(self.request.get(name) for name in ("video_url", "video")):
            # Strength has no meaning without a picture.
            self._take("strength")
        self._mask()
        return opened

    def _opened(self, *names: str) -> tuple[str, list[Any]]:
        for name in names:
            value = self._take(name)
            if value:
                values = value if isinstance(value, list) else [value]
                return name, [self.media.image(name, value) for value in values]
        return names[0], []

    def _mask(self) -> None:
        asked = next((name for name in ("mask_url", "mask_image", "mask") if self.request.get(name)), None)
        if asked is None:
            return
        own = self.shape.first("mask_image", "mask")
        if own is None:
            raise InvalidInput(asked, f"is not supported: {self.shape.name} takes no mask")
        self.call.arguments[own] = self.media.mask(asked, self._take(asked))

    def _size(self, pictures: list[Any]) -> None:
        width, height = self._take("width"), self._take("height")
        ratio, asked = None, None
        for name in ("size", "aspect_ratio"):
            text = self._take(name)
            if text is None or text == "auto":
                continue
            numbers = re.fullmatch(r"(\d{1,5})\s*([x*:])\s*(\d{1,5})", str(text))
            if numbers is None or "0" in (numbers[1].lstrip("0") or "0", numbers[3].lstrip("0") or "0"):
                raise InvalidInput(name, f"must be like 1280x720, 16:9 or auto (got {text!r:.60})")
            across, down = int(numbers[1]), int(numbers[3])
            asked = name
            if numbers[2] == ":":
                ratio = across / down
            elif width is None and height is None:
                width, height = across, down
        resolution = None if self.shape.first("resolution") else self._take("resolution")
        takes_size = self.shape.first("width") and self.shape.first("height")
        # A pipeline that starts from a picture and takes no size keeps the picture's size, however large.
        follows_picture = bool(not takes_size and pictures and self.shape.first("strength"))
        if not takes_size and not follows_picture:
            asked = asked or ("resolution" if resolution else "width" if width or height else None)
            if asked:
                problem = f"is not supported: the size of {self.shape.name} follows its picture or model"
                raise InvalidInput(asked, problem)
            return
        if width is None and height is None:
            width, height = self._derived(ratio, resolution, pictures, follows_picture)
        for name, side in (("width", width), ("height", height)):
            if side is None:
                continue
            if isinstance(side, bool) or not isinstance(side, (int, float)) or not 16 <= side <= self.max_side:
                raise InvalidInput(name, f"must be between 16 and {self.max_side} (got {side!r:.60})")
            if takes_size:
                self._give(name, name, side)
        if follows_picture and width and height:
            for name in ("image", "mask_image"):
                if name in self.call.arguments:
                    picture = self.call.arguments[name]
                    self.call.arguments[name] = self.media.fitted(picture, (int(width), int(height)))

    def _derived(
        self, ratio: float | None, resolution: Any, pictures: list[Any], follows_picture: bool
    ) -> tuple[int | None, int | None]:
        """Derives a size from a ratio, a resolution or the first picture's shape, in steps of the pipeline."""
        has_own_size = self.shape.default("height") is not None
        if ratio is None and pictures and (resolution or has_own_size or follows_picture):
            ratio = pictures[0].size[0] / pictures[0].size[1]
        if ratio is None and resolution is None:
            return None, None
        ratio = min(max(ratio or 1.0, 0.1), 10.0)
        area = self.shape.size[0] * self.shape.size[1]
        if resolution is not None:
            number = re.fullmatch(r"(\d{1,5})(p?|k)", str(resolution).lower())
            if number is None or int(number[1]) == 0:
                raise InvalidInput("resolution", f"must be like 720p or 2K (got {resolution!r:.60})")
            side = int(number[1])
            area = (side * 1024) ** 2 if number[2] == "k" else side**2 * max(ratio, 1 / ratio)
        step = self.shape.size_step
        width, height = math.sqrt(area * ratio), math.sqrt(area / ratio)
        return max(step, round(width / step) * step), max(step, round(height / step) * step)

    def _rate(self) -> None:
        asked = next((name for name in ("fps", "frame_rate") if name in self.request), None)
        if asked is None or self.shape.kind != "video":
            return
        fps = self._take(asked)
        if isinstance(fps, bool) or not isinstance(fps, (int, float)) or not 1 <= fps <= 240:
            raise InvalidInput(asked, f"must be between 1 and 240 (got {fps!r:.60})")
        self.call.fps = float(fps)

    def _video(self) -> None:
        asked = next((name for name in ("video_url", "video") if self.request.get(name)), None)
        if asked is None:
            return
        if not self.shape.first("video"):
            raise InvalidInput(asked, f"is not supported: {self.shape.name} takes no video")
        seconds = self.request.get("duration")
        most = self.max_frames if seconds is None else self._frames(self._seconds(seconds))
        frames = self.media.video(asked, self._take(asked), self.call.fps, most)
        step = self.shape.frame_step
        frames = frames[: (len(frames) - 1) // step * step + 1]
        self.call.arguments["video"] = frames
        mask = self.call.arguments.get("mask")
        if mask is not None:
            self.call.arguments["mask"] = [mask] * len(frames)
        if self.shape.first("num_frames") and "num_frames" not in self.request:
            self._take("duration")
            self.call.arguments["num_frames"] = len(frames)

    def _seconds(self, value: Any) -> float:
        try:
            seconds = float(value)
        except (TypeError, ValueError):
            seconds = math.nan
        if not 0 < seconds <= 3600:
            raise InvalidInput("duration", f"must be a number of seconds, at most 3600 (got {value!r:.60})")
        return seconds

    def _frames(self, seconds: float) -> int:
        step = self.shape.frame_step
        return max(1, round((seconds * self.call.fps - 1) / step) * step + 1)

    def _duration(self) -> None:
        rate = self.shape.first("frame_rate", "fps")
        if rate and self.shape.kind == "video":
            self.call.arguments[rate] = self.shape.checked(rate, rate, self.call.fps)
        own = self.shape.first("audio_duration", "audio_end_in_s", "audio_length_in_s", "duration")
        if "duration" not in self.request or own == "duration":
            return
        seconds = self._seconds(self._take("duration"))
        if self.shape.first("num_frames"):
            self.call.arguments.setdefault("num_frames", self._frames(seconds))
        elif own:
            self.call.arguments[own] = seconds
        else:
            raise InvalidInput("duration", f"is not supported: {self.shape.name} takes no duration")

    def _guidance(self) -> None:
        """In some pipelines `guidance_scale` is for distilled models only, and the usual guidance has another name."""
        if "guidance_scale" not in self.request or self.shape.default("guidance_scale") is not None:
            return
        own = self.shape.first("true_cfg_scale", "distilled_guidance_scale")
        if own and own not in self.request:
            self._give("guidance_scale", own, self._take("guidance_scale"))

    def _named(self) -> None:
        for asked, names in NAMES.items():
            own = self.shape.first(*names)
            if asked not in self.request or asked in self.shape.parameters:
                continue
            if own is not None:
                self._give(asked, own, self._take(asked))
            elif asked == "n" and self.request["n"] == 1:
                self._take("n")

    def _own_names(self) -> None:
        for name in self.shape.plain():
            if name in self.request and name not in ("image", "video"):
                self._give(name, name, self._take(name))

    def _refuse_rest(self) -> None:
        # A switch that is off needs no support.
        left = sorted(name for name, value in self.request.items() if value is not False and value != [])
        if left:
            takes = ", ".join(sorted(self.shape.plain()))
            raise InvalidInput(left[0], f"is not supported by {self.shape.name}; its parameters are {takes}")

    def _limits(self) -> None:
        arguments = self.call.arguments
        for name, value in arguments.items():
            if isinstance(value, str) and len(value) > LONGEST_TEXT:
                raise InvalidInput(name, f"must have at most {LONGEST_TEXT} characters (got {len(value)})")
        limits = {"num_inference_steps": MOST_STEPS, "num_frames": self.max_frames}
        limits |= dict.fromkeys(NAMES["n"], MOST_OUTPUTS)
        for name, most in limits.items():
            if isinstance(arguments.get(name), int) and not 1 <= arguments[name] <= most:
                raise InvalidInput(name, f"must be between 1 and {most} (got {arguments[name]})")
