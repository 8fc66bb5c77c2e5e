"""The server's settings, all of them environment variables whose names begin with `DIFFUSERS_`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .errors import WrongSetting

DTYPES = ("float32", "float16", "bfloat16")
OFFLOADS = ("none", "model", "sequential")
TRUTHS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


@dataclass(frozen=True)
class Dtypes:
    """Of the whole pipeline, and of components that differ from it. `default` is `None` for what suits the device."""

    default: str | None = None
    components: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    #: The folder with `model_index.json`.
    model: Path
    #: The pipeline's class, where the folder's own is not the one that is wanted.
    pipeline: str | None = None
    #: Such as `fp16`: the weights' files are called `….fp16.safetensors`.
    variant: str | None = None
    dtypes: Dtypes = Dtypes()
    #: `cuda`, `cuda:1`, `mps`, `cpu`; `None` for the best there is.
    device: str | None = None
    offload: str = "none"
    vae_tiling: bool = False
    loras: Path | None = None
    #: Frames a second of videos whose request and pipeline say nothing.
    fps: float | None = None
    max_side: int = 4096
    max_frames: int = 1000

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Reads and checks all of them. A name that is none is an error too: it is a slip of the pen."""
        given = {name: value.strip() for name, value in environment.items() if name.startswith("DIFFUSERS_")}
        # These two are the library's own.
        for name in ("DIFFUSERS_VERBOSITY", "DIFFUSERS_CACHE"):
            given.pop(name, None)

        def take(name: str) -> str | None:
            return given.pop(f"DIFFUSERS_{name}", None) or None

        model = take("MODEL")
        if model is None:
            raise WrongSetting("DIFFUSERS_MODEL", "is missing; it names the folder with model_index.json")
        settings = cls(
            model=_folder("DIFFUSERS_MODEL", model),
            pipeline=take("PIPELINE"),
            variant=take("VARIANT"),
            dtypes=_dtypes(take("DTYPE")),
            device=take("DEVICE"),
            offload=_one_of("DIFFUSERS_OFFLOAD", take("OFFLOAD") or "none", OFFLOADS),
            vae_tiling=_truth("DIFFUSERS_VAE_TILING", take("VAE_TILING") or "no"),
            loras=_optional_folder("DIFFUSERS_LORAS", take("LORAS")),
            fps=_optional_number("DIFFUSERS_FPS", take("FPS"), 1, 240),
            max_side=int(_number("DIFFUSERS_MAX_SIDE", take("MAX_SIDE") or "4096", 64, 16384)),
            max_frames=int(_number("DIFFUSERS_MAX_FRAMES", take("MAX_FRAMES") or "1000", 1, 100_000)),
        )
        if given:
            raise WrongSetting(sorted(given)[0], "is no setting of this server")
        if not (settings.model / "model_index.json").is_file():
            raise WrongSetting("DIFFUSERS_MODEL", f"there is no model_index.json in {settings.model}")
        return settings


def _folder(name: str, text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise WrongSetting(name, f"there is no folder {text}")
    return path.resolve()


def _optional_folder(name: str, text: str | None) -> Path | None:
    return None if text is None else _folder(name, text)


def _one_of(name: str, text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise WrongSetting(name, f"is {text}; it may be {', '.join(allowed)}")
    return text


def _truth(name: str, text: str) -> bool:
    if text.lower() not in TRUTHS:
        raise WrongSetting(name, f"is {text}; it may be yes or no")
    return TRUTHS[text.lower()]


def _number(name: str, text: str, least: float, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        raise WrongSetting(name, f"is {text}, which is no number") from None
    if not least <= number <= most:
        raise WrongSetting(name, f"is {text}; it may be {least} to {most}")
    return number


def _optional_number(name: str, text: str | None, least: float, most: float) -> float | None:
    return None if text is None else _number(name, text, least, most)


def _dtypes(text: str | None) -> Dtypes:
    """`bfloat16`, or `bfloat16, vae=float32`."""
    default, components = None, {}
    for part in filter(None, (part.strip() for part in (text or "").split(","))):
        component, is_component, dtype = part.rpartition("=")
        checked = _one_of("DIFFUSERS_DTYPE", dtype.strip(), DTYPES)
        if is_component:
            components[component.strip()] = checked
        elif default is None:
            default = checked
        else:
            raise WrongSetting("DIFFUSERS_DTYPE", f"names {default} and {checked} for the whole pipeline")
    return Dtypes(default, components)
