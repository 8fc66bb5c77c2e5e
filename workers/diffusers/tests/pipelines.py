"""Calls with the signatures of real pipelines, for tests without weights."""


class Tensor: ...


def pictures(
    self,
    prompt: str | list[str] = None,
    height: int | None = None,
    width: int | None = None,
    num_inference_steps: int = 50,
    timesteps: list[int] = None,
    guidance_scale: float = 7.5,
    negative_prompt: str | list[str] | None = None,
    num_images_per_prompt: int | None = 1,
    generator: Tensor | None = None,
    latents: Tensor | None = None,
    prompt_embeds: Tensor | None = None,
    output_type: str | None = "pil",
    return_dict: bool = True,
    cross_attention_kwargs: dict | None = None,
): ...


def from_picture(
    self,
    prompt: str | list[str] = None,
    image: Tensor = None,
    strength: float = 0.8,
    num_inference_steps: int = 50,
    num_images_per_prompt: int | None = 1,
): ...


def distilled(
    self,
    prompt: str | list[str] = None,
    true_cfg_scale: float = 4.0,
    height: int | None = None,
    width: int | None = None,
    guidance_scale: float | None = None,
): ...


def video_of_words(
    self,
    prompt: str | list[str] = None,
    negative_prompt: str | list[str] = None,
    height: int = 480,
    width: int = 832,
    num_frames: int = 81,
    num_inference_steps: int = 50,
    guidance_scale: float = 5.0,
    guidance_scale_2: float | None = None,
    num_videos_per_prompt: int | None = 1,
): ...


def video_of_frames(
    self,
    image: Tensor,
    prompt: str | list[str] = None,
    height: int = 480,
    width: int = 832,
    num_frames: int = 81,
    last_image: Tensor | None = None,
): ...


def video_of_video(
    self,
    prompt: str | list[str] = None,
    video: list[Tensor] | None = None,
    mask: list[Tensor] | None = None,
    reference_images: list[Tensor] | None = None,
    height: int = 480,
    width: int = 832,
    num_frames: int = 81,
): ...


def video_with_rate(
    self,
    prompt: str | list[str] = None,
    num_frames: int | None = None,
    frame_rate: float = 24.0,
    audio_guidance_scale: float | None = 7.0,
): ...


def sound(
    self,
    prompt: str | list[str] = None,
    audio_end_in_s: float | None = None,
    num_inference_steps: int = 100,
    num_waveforms_per_prompt: int | None = 1,
): ...
