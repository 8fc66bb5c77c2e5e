"""A loaded pipeline folder, which turns requests into files."""

import inspect
import math
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import diffusers
import torch

from . import files, inputs
from .errors import InvalidInput, WrongSetting
from .lora import Lora, find
from .previews import Previews
from .settings import Settings
from .shape import Shape

# For pipelines that start from a picture or a mask: how to find the relative of a pipeline, and the parameters that
# make one unnecessary.
RELATIVES = {
    "image": (diffusers.AutoPipelineForImage2Image, ("image", "input_images", "reference_images")),
    "inpaint": (diffusers.AutoPipelineForInpainting, ("mask_image", "mask")),
}
# Decoders whose quality suffers in half precision.
FULL_PRECISION = ("AutoencoderKLWan",)

Progress = Callable[[int, int], None]
Show = Callable[[str], None]


class Pipeline:
    """The pipeline of a folder and its relatives, which share its weights. Runs one request at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.device = _device(settings.device)
        if settings.offload != "none" and self.device == "cpu":
            raise WrongSetting("DIFFUSERS_OFFLOAD", "requires a GPU; this server runs on the processor")
        self.pipe = self._load()
        self.relatives: dict[str, Any] = {}
        self.placed: Any = None
        self.loaded: tuple[Lora, ...] = ()
        self._place(self.pipe)

    def _load(self) -> Any:
        kind = diffusers.DiffusionPipeline
        if self.settings.pipeline:
            kind = getattr(diffusers, self.settings.pipeline, None)
            if not (inspect.isclass(kind) and issubclass(kind, diffusers.DiffusionPipeline)):
                raise WrongSetting(
                    "DIFFUSERS_PIPELINE", f"must be a pipeline class of diffusers (got {self.settings.pipeline})"
                )
        return kind.from_pretrained(
            self.settings.model,
            local_files_only=True,
            dtype=self._dtypes(kind),
            variant=self.settings.variant,
        )

    def _dtypes(self, kind: Any) -> Any:
        """Returns one type for all components, or a table with `default`."""
        asked = self.settings.dtypes
        table = dict(asked.components)
        if asked.default is None and self.device != "cpu":
            parts = kind.load_config(self.settings.model, local_files_only=True)
            for name, part in parts.items():
                if isinstance(part, list) and part[-1] in FULL_PRECISION:
                    table.setdefault(name, "float32")
        table["default"] = asked.default or _usual_dtype(self.device)
        dtypes = {name: getattr(torch, dtype) for name, dtype in table.items()}
        return dtypes if len(dtypes) > 1 else dtypes["default"]

    def _place(self, pipe: Any) -> None:
        """Moves the weights to the device. Offloading hooks belong to one pipeline at a time."""
        if self.placed is pipe:
            return
        if self.settings.offload == "model":
            pipe.enable_model_cpu_offload(device=self.device)
        elif self.settings.offload == "sequential":
            pipe.enable_sequential_cpu_offload(device=self.device)
        elif self.placed is None:
            pipe.to(self.device)
        if self.settings.vae_tiling:
            vae = getattr(pipe, "vae", None)
            if not hasattr(vae, "enable_tiling"):
                raise WrongSetting(
                    "DIFFUSERS_VAE_TILING", f"is not supported: {type(pipe).__name__} cannot decode in tiles"
                )
            vae.enable_tiling()
        self.placed = pipe

    def about(self) -> str:
        """Describes the pipeline and its parameters, for the log."""
        shape = self.shape(self.pipe)
        return (
            f"{shape.name} on {self.device} as {self.pipe.dtype}, offload {self.settings.offload}: {shape.kind}; "
            f"parameters {', '.join(sorted(shape.plain()))}"
        )

    def shape(self, pipe: Any) -> Shape:
        spatial = _first(pipe, "vae_scale_factor_spatial", "vae_spatial_compression_ratio", "vae_scale_factor") or 8
        temporal = _first(
            pipe, "vae_scale_factor_temporal", "vae_temporal_compression_ratio", "vae_temporal_scale_factor"
        )
        shape = Shape.of(
            type(pipe).__name__,
            type(pipe).__call__,
            size_step=spatial if hasattr(pipe, "unet") else math.lcm(spatial * _patch(pipe), 16),
            frame_step=temporal or 1,
            fps=self.settings.fps,
        )
        width, height = shape.default("width"), shape.default("height")
        if not (isinstance(width, int) and isinstance(height, int)):
            width = height = _own_side(pipe, spatial)
        return Shape(**{**vars(shape), "size": (width, height)})

    def make(
        self, request: dict[str, Any], folder: Path, progress: Progress, show: Show | None = None
    ) -> list[Path]:
        """Runs a request and writes the results into the folder. Raises `InvalidInput` for an invalid request.
        `show` gets pictures of the unfinished result as data URLs."""
        pipe = self._pipe_for(inputs.variant(request))
        shape = self.shape(pipe)
        media = inputs.Media(files.image, files.mask, files.video, files.fitted)
        call = inputs.read(request, shape, media, self.settings.max_side, self.settings.max_frames)
        self._place(pipe)
        self._apply_loras(call.loras)
        arguments = dict(call.arguments)
        # On the processor, so that a seed means the same on every machine.
        if "generator" in shape.parameters:
            arguments["generator"] = torch.Generator("cpu").manual_seed(call.seed)
        else:
            torch.manual_seed(call.seed)
        if "output_type" in shape.parameters and shape.kind != "audio":
            arguments["output_type"] = "np" if shape.kind == "video" else "pil"
        # With offloading, the decoder is not on the device yet.
        if show and self.settings.offload == "none" and "callback_on_step_end" in shape.parameters:
            width, height = (arguments.get(name) or own for name, own in zip(("width", "height"), shape.size))
            arguments["callback_on_step_end"] = Previews(show, width, height)
        pipe.progress_bar = _Bars(progress)
        try:
            with torch.inference_mode():
                made = pipe(**arguments)
        except (ValueError, TypeError) as error:
            if _is_refusal(error):
                problem = " ".join(str(error).split())
                raise InvalidInput("request", f"was refused by the pipeline: {problem}") from error
            raise
        finally:
            # An interrupted run leaves weights on the device.
            pipe.maybe_free_model_hooks()
        return list(self._write(pipe, call, made, folder))

    def _pipe_for(self, variant: str) -> Any:
        """Returns the pipeline itself if it supports the variant, or else its relative for it."""
        find_relative, names = RELATIVES.get(variant, (None, ()))
        if find_relative is None or self.shape(self.pipe).first(*names):
            return self.pipe
        if variant not in self.relatives:
            try:
                self.relatives[variant] = find_relative.from_pipe(self.pipe)
            except ValueError:
                # It has no relative. Checking its own call gives the best error message.
                return self.pipe
        return self.relatives[variant]

    def _apply_loras(self, loras: tuple[Lora, ...]) -> None:
        """Applies these LoRAs, and no others, to the weights."""
        if loras == self.loaded:
            return
        paths = [find(self.settings.loras, lora) for lora in loras]
        if self.loaded:
            self.pipe.unload_lora_weights()
            self.loaded = ()
        if not loras:
            return
        if not hasattr(self.pipe, "load_lora_weights"):
            raise InvalidInput("lora", f"is not supported by {type(self.pipe).__name__}")
        try:
            for index, path in enumerate(paths):
                self.pipe.load_lora_weights(path.parent, weight_name=path.name, adapter_name=f"lora{index}")
            names = [f"lora{index}" for index in range(len(loras))]
            self.pipe.set_adapters(names, [lora.scale for lora in loras])
        except BaseException as error:
            self.pipe.unload_lora_weights()
            if isinstance(error, (ValueError, KeyError, RuntimeError)):
                wrong = ", ".join(lora.name for lora in loras)
                problem = f"names {wrong}, which does not fit this model: {str(error)[:200]}"
                raise InvalidInput("lora", problem) from error
            raise
        self.loaded = loras

    def _write(self, pipe: Any, call: inputs.Call, made: Any, folder: Path) -> Iterator[Path]:
        maker = f"atelier-diffusers ({type(pipe).__name__})"
        path = lambda index, form: folder / f"output-{index}.{form}"  # noqa: E731
        images, frames = getattr(made, "images", None), getattr(made, "frames", None)
        sound = getattr(made, "audios", None)
        sound = getattr(made, "audio", None) if sound is None else sound
        if frames is not None:
            rate = _sampling_rate(pipe) if sound is not None and call.sound else None
            for index, video in enumerate(_numbers(frames)):
                track = None if rate is None else (_numbers(sound)[index], rate)
                files.write_video(video, call.fps, path(index, "mp4"), maker, track)
                yield path(index, "mp4")
        elif images is not None:
            # Layers arrive as a list inside the list.
            flat = [item for one in images for item in (one if isinstance(one, list) else [one])]
            form = call.format if call.format in inputs.FORMATS["image"] else "png"
            for index, picture in enumerate(flat):
                files.write_image(picture, path(index, form), maker)
                yield path(index, form)
        elif sound is not None:
            for index, track in enumerate(_numbers(sound)):
                files.write_audio(track, _sampling_rate(pipe), path(index, call.format), maker)
                yield path(index, call.format)
        else:
            raise RuntimeError(f"{type(pipe).__name__} returned no pictures, frames or sound")


class _Bars:
    """Replaces the pipeline's progress bars. Progress only grows: if there are several bars, a later one counts only
    once it is ahead of the earlier ones."""

    def __init__(self, progress: Progress) -> None:
        self.progress, self.share = progress, 0.0

    def __call__(self, iterable: Any = None, total: int | None = None) -> "_Bar":
        return _Bar(self, iterable, len(iterable) if total is None else total)

    def advance(self, done: int, total: int) -> None:
        # One more step stands for decoding and writing.
        share = done / (total + 1)
        if total > 0 and share > self.share:
            self.share = share
            self.progress(done, total + 1)


class _Bar:
    def __init__(self, bars: _Bars, iterable: Any, total: int) -> None:
        self.bars, self.iterable, self.total, self.done = bars, iterable, total, 0

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        for item in self.iterable:
            yield item
            self.update()

    def update(self, steps: int = 1) -> None:
        self.done += steps
        self.bars.advance(self.done, self.total)

    def set_description(self, *_: object, **__: object) -> None:
        pass

    set_postfix = set_description
    close = set_description


def _device(asked: str | None) -> str:
    """Returns the requested device if it is available; without a request, the best available."""
    there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if asked is None:
        return next(name for name, is_there in there.items() if is_there)
    kind, _, number = asked.partition(":")
    if kind not in there or (number and not number.isdigit()):
        raise WrongSetting("DIFFUSERS_DEVICE", f"must be cuda, cuda:1, mps or cpu (got {asked})")
    if not there[kind] or (kind == "cuda" and int(number or 0) >= torch.cuda.device_count()):
        raise WrongSetting("DIFFUSERS_DEVICE", f"is {asked}, but PyTorch {torch.__version__} finds no such device")
    return asked


def _usual_dtype(device: str) -> str:
    if device == "cpu":
        return "float32"
    return "bfloat16" if device.startswith("cuda") and torch.cuda.is_bf16_supported() else "float16"


def _first(pipe: Any, *names: str) -> int | None:
    return next((value for value in (getattr(pipe, name, None) for name in names) if isinstance(value, int)), None)


def _patch(pipe: Any) -> int:
    """The number of latent pixels along a side of one token of the transformer."""
    config = getattr(getattr(pipe, "transformer", None), "config", {})
    patch = config.get("patch_size", 1)
    patch = patch[-1] if isinstance(patch, (list, tuple)) and patch else patch
    # Pipelines that pack latents two by two report a patch of one.
    return max(2, patch if isinstance(patch, int) else 1)


def _own_side(pipe: Any, spatial: int) -> int:
    side = _first(pipe, "default_sample_size", "default_height")
    if side is None:
        unet = getattr(getattr(pipe, "unet", None), "config", {})
        side = unet.get("sample_size") if isinstance(unet.get("sample_size"), int) else 1024 // spatial
    return side * spatial if side <= 512 else side


def _numbers(values: Any) -> Any:
    """Converts tensors to arrays on the processor; leaves other values unchanged."""
    return values.detach().float().cpu().numpy() if isinstance(values, torch.Tensor) else values


def _sampling_rate(pipe: Any) -> int:
    """Finds the sample rate, which pipelines keep in different places."""
    vocoder = getattr(getattr(pipe, "vocoder", None), "config", None)
    for holder, names in (
        (vocoder, ("output_sampling_rate", "sampling_rate")),
        (pipe, ("sample_rate", "audio_sampling_rate")),
        (getattr(pipe, "vae", None), ("sampling_rate",)),
        (getattr(getattr(pipe, "vae", None), "config", None), ("sampling_rate", "sample_rate")),
    ):
        for name in names:
            rate = getattr(holder, name, None)
            if isinstance(rate, int) and rate > 0:
                return rate
    raise RuntimeError(f"{type(pipe).__name__} has no known sample rate")


def _is_refusal(error: BaseException) -> bool:
    """Tells whether the pipeline's own check of its arguments raised the error."""
    return any(frame.name == "check_inputs" for frame in traceback.extract_tb(error.__traceback__))
