"""Pictures of the unfinished result: the latents after a step, made smaller and decoded."""

import base64
import io
import math
from collections.abc import Callable
from typing import Any

import torch
from PIL import Image

# The most pictures of a request, and the longest side of the latents that are decoded.
MOST = 6
SIDE = 40


class Previews:
    """Shows some of a pipeline's steps as data URLs. A pipeline whose latents cannot be decoded in this way has none."""

    def __init__(self, show: Callable[[str], None], width: int, height: int) -> None:
        self.show, self.width, self.height = show, width, height
        self.works = True

    def __call__(self, pipe: Any, step: int, _timestep: Any, state: dict[str, Any]) -> dict[str, Any]:
        """Called by the pipeline after each step. Changes nothing."""
        steps, done = pipe.num_timesteps, step + 1
        if self.works and done < steps and done % math.ceil(steps / (MOST + 1)) == 0:
            try:
                self.show(_data_url(self._picture(pipe, state["latents"])))
            except Exception as error:
                self.works = False
                print(f"no previews of {type(pipe).__name__}: {error}", flush=True)
        return {}

    def _picture(self, pipe: Any, latents: torch.Tensor) -> Image.Image:
        if latents.dim() == 3:
            latents = pipe._unpack_latents(latents, self.height, self.width, pipe.vae_scale_factor)
        latents = latents[:1]
        has_frames = latents.dim() == 5
        if has_frames:
            latents = latents[:, :, latents.shape[2] // 2]
        rows, columns = latents.shape[-2:]
        scale = min(1.0, SIDE / max(rows, columns))
        size = (max(1, round(rows * scale)), max(1, round(columns * scale)))
        small = torch.nn.functional.interpolate(latents.float(), size=size, mode="area")
        vae = pipe.vae
        small = _as_the_decoder_takes(vae.config, small).to(vae.dtype)
        pixels = vae.decode(small.unsqueeze(2) if has_frames else small, return_dict=False)[0]
        pixels = pixels[0, :, 0] if has_frames else pixels[0]
        if not bool(pixels.isfinite().all()):
            raise ValueError(f"the decoder overflows in {vae.dtype}")
        pixels = ((pixels.float() / 2 + 0.5).clamp(0, 1) * 255).round().to(torch.uint8)
        return Image.fromarray(pixels.permute(1, 2, 0).cpu().numpy())


def _as_the_decoder_takes(config: Any, latents: torch.Tensor) -> torch.Tensor:
    """Undoes the normalisation, which is by channel or the same for all."""
    mean, std = getattr(config, "latents_mean", None), getattr(config, "latents_std", None)
    if mean is not None and std is not None:
        by_channel = lambda values: torch.tensor(values, device=latents.device).view(1, -1, 1, 1)  # noqa: E731
        return latents * by_channel(std) + by_channel(mean)
    return latents / config.scaling_factor + (getattr(config, "shift_factor", None) or 0.0)


def _data_url(picture: Image.Image) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=80)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()
