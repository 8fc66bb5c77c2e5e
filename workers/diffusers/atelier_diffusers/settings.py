"""The server's settings: environment variables whose names begin with `DIFFUSERS_`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .errors import WrongSetting

DTYPES = ("float32", "float16", "bfloat16")
OFFLOADS = ("none", "model", "sequential")
YES_OR_NO = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


@dataclass(frozen=True)
class Dtypes:
    """The type of the whole pipeline, and of components that differ. If `default` is `None`, the device decides."""

    default: str | None = None
    components: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    #: The folder with `model_index.json`.
    model: Path
    #: The pipeline's class, if it is not the one that the folder names.
    pipeline: str | None = None
    #: Such as `fp16`, if the weights are in files `….fp16.safetensors`.
    variant: str | None = None
    dtypes: Dtypes = Dtypes()
    #: `cuda`, `cuda:1`, `mps`, `cpu`, or `None` for the best available.
    device: str | None = None
    offload: str = "none"
    vae_tiling: bool = False
    loras: Path | None = None
    #: The default frame rate of videos.
    fps: float | None = None
    max_side: int = 4096
    max_frames: int = 1000

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Reads and checks all settings. An unknown name is an error, because it is probably a misspelling."""
        given = {name: value.strip() for name, value in environment.items() if name.startswith("DIFFUSERS_")}
        # These two belong to diffusers.
        for name in ("DIFFUSERS_VERBOSITY", "DIFFUSERS_CACHE"):
            given.pop(name, None)

        def take(name: str) -> str | None:
            return given.pop(f"DIFFUSERS_{name}", None) or None

        model = take("MODEL")
        if model is None:
            raise WrongSetting("DIFFUSERS_MODEL", "is missing; set it to the folder with model_index.json")
        settings = cls(
            model=_folder("DIFFUSERS_MODEL", model),
            pipeline=take("PIPELINE"),
            variant=take("VARIANT"),
            dtypes=_dtypes(take("DTYPE")),
            device=take("DEVICE"),
            offload=_one_of("DIFFUSERS_OFFLOAD", take("OFFLOAD") or "none", OFFLOADS),
            vae_tiling=_yes_or_no("DIFFUSERS_VAE_TILING", take("VAE_TILING") or "no"),
            loras=_optional_folder("DIFFUSERS_LORAS", take("LORAS")),
            fps=_optional_number("DIFFUSERS_FPS", take("FPS"), 1, 240),
            max_side=int(_number("DIFFUSERS_MAX_SIDE", take("MAX_SIDE") or "4096", 64, 16384)),
            max_frames=int(_number("DIFFUSERS_MAX_FRAMES", take("MAX_FRAMES") or "1000", 1, 100_000)),
        )
        if given:
            raise WrongSetting(sorted(given)[0], "is not a setting of this server")
        if not (settings.model / "model_index.json").is_file():
            raise WrongSetting("DIFFUSERS_MODEL", f"must be a folder with model_index.json (got {settings.model})")
        return settings


def _folder(name: str, text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise WrongSetting(name, f"must be an existing folder (got {text})")
    return path.resolve()


def _optional_folder(name: str, text: str | None) -> Path | None:
    return None if text is None else _folder(name, text)


def _one_of(name: str, text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise WrongSetting(name, f"must be one of {', '.join(allowed)} (got {text})")
    return text


def _yes_or_no(name: str, text: str) -> bool:
    if text.lower() not in YES_OR_NO:
        raise WrongSetting(name, f"must be yes or no (got {text})")
    return YES_OR_NO[text.lower()]


def _number(name: str, text: str, least: float, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        raise WrongSetting(name, f"must be a number (got {text})") from None
    if not least <= number <= most:
        raise WrongSetting(name, f"must be between {least} and {most} (got {text})")
    return number


def _optional_number(name: str, text: str | None, least: float, most: float) -> float | None:
    return None if text is None else _number(name, text, least, most)


def _dtypes(text: str | None) -> Dtypes:
    """Reads `bfloat16`, or `bfloat16, vae=float32`."""
    default, components = None, {}
    for part in filter(None, (part.strip() for part in (text or "").split(","))):
        component, is_component, dtype = part.rpartition("=")
        checked = _one_of("DIFFUSERS_DTYPE", dtype.strip(), DTYPES)
        if is_component:
            components[component.strip()] = checked
        elif default is None:
            default = checked
        else:
            raise WrongSetting("DIFFUSERS_DTYPE", f"has two values for the whole pipeline: {default} and {checked}")
    return Dtypes(default, components)
