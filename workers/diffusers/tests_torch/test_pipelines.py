"""With tiny pipelines, the runner makes the same files as a direct call of diffusers."""

import base64
import io
import tempfile
import unittest
from pathlib import Path
from typing import Any

import diffusers
import numpy
import torch
from PIL import Image

from atelier_diffusers import files
from atelier_diffusers.errors import InvalidInput, WrongSetting
from atelier_diffusers.pipeline import Pipeline
from atelier_diffusers.settings import Settings

from . import tiny


def pixels(path: Path) -> numpy.ndarray:
    with Image.open(path) as picture:
        return numpy.asarray(picture).copy()


def data_url(picture: Image.Image) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


class Pipelines(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        tiny.make(cls.folder)
        cls.out = cls.folder / "out"
        cls.out.mkdir()
        cls.loaded: dict[str, Pipeline] = {}

    def pipeline(self, name: str, **settings: str) -> Pipeline:
        given = {"DIFFUSERS_MODEL": str(self.folder / name), "DIFFUSERS_LORAS": str(self.folder / "loras")}
        if settings:
            return Pipeline(Settings.read(given | settings))
        if name not in self.loaded:
            self.loaded[name] = Pipeline(Settings.read(given))
        return self.loaded[name]

    def make(self, name: str, request: dict[str, Any]) -> list[Path]:
        self.progress: list[tuple[int, int]] = []
        return self.pipeline(name).make(request, self.out, lambda done, steps: self.progress.append((done, steps)))

    def direct(self, name: str, **arguments: Any) -> Any:
        pipe = diffusers.DiffusionPipeline.from_pretrained(self.folder / name, local_files_only=True)
        pipe.set_progress_bar_config(disable=True)
        return pipe(generator=torch.Generator().manual_seed(7), **arguments)

    def test_pictures_equal_those_of_a_direct_call(self) -> None:
        asked = {
            "prompt": "a boat",
            "negative_prompt": "rain",
            "size": "64x64",
            "steps": 3,
            "n": 2,
            "guidance_scale": 5,
        }
        made = self.make("image", asked | {"seed": 7})
        expected = self.direct(
            "image",
            prompt="a boat",
            negative_prompt="rain",
            width=64,
            height=64,
            num_inference_steps=3,
            num_images_per_prompt=2,
            guidance_scale=5.0,
        ).images
        self.assertEqual(len(made), 2)
        for path, picture in zip(made, expected, strict=True):
            self.assertEqual(pixels(path).tobytes(), numpy.asarray(picture).tobytes())
        self.assertEqual(self.progress, [(1, 4), (2, 4), (3, 4)])
        first = pixels(made[0])
        other = self.make("image", asked | {"seed": 8})
        self.assertNotEqual(pixels(other[0]).tobytes(), first.tobytes())

    def test_some_steps_are_shown_and_change_nothing(self) -> None:
        for name, size in (("image", (64, 64)), ("video", (32, 48))):
            asked = {"prompt": "a boat", "size": "{}x{}".format(*size), "steps": 15, "seed": 7}
            plain = self.make(name, asked)[0].read_bytes()
            shown: list[str] = []
            made = self.pipeline(name).make(asked, self.out, lambda *_: None, shown.append)
            self.assertEqual(made[0].read_bytes(), plain)
            # After every third step, and not after the last.
            self.assertEqual(len(shown), 4, name)
            self.assertEqual(len(set(shown)), 4)
            for url in shown:
                kind, _, data = url.partition(";base64,")
                with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
                    self.assertEqual((kind, picture.format, picture.size), ("data:image/jpeg", "JPEG", size))

    def test_a_video_equals_that_of_a_direct_call(self) -> None:
        request = {"prompt": "a boat", "width": 32, "height": 48, "duration": 0.5, "steps": 2, "seed": 7}
        made = self.make("video", request)
        expected = self.direct(
            "video", prompt="a boat", width=32, height=48, num_frames=9, num_inference_steps=2
        ).frames[0]
        self.assertEqual(expected.shape, (9, 48, 32, 3))
        again = self.folder / "expected.mp4"
        files.write_video(expected, 16, again, "atelier-diffusers (WanPipeline)")
        self.assertEqual(made[0].read_bytes(), again.read_bytes())

    def test_sound_equals_that_of_a_direct_call(self) -> None:
        made = self.make("audio", {"prompt": "a bell", "duration": 0.125, "steps": 3, "seed": 7})
        expected = self.direct("audio", prompt="a bell", audio_end_in_s=0.125, num_inference_steps=3).audios[0]
        again = self.folder / "expected.wav"
        files.write_audio(expected, 8000, again, "atelier-diffusers (StableAudioPipeline)")
        self.assertEqual(made[0].read_bytes(), again.read_bytes())

    def test_a_start_picture_and_a_mask_find_the_pipeline_that_takes_them(self) -> None:
        source = Image.new("RGB", (128, 96), "teal")
        white = Image.new("L", source.size, 255)
        asked = {"prompt": "a boat", "image_urls": [data_url(source)], "strength": 0.5, "steps": 4, "size": "64x64"}
        made = pixels(self.make("image", asked | {"seed": 7})[0])
        base = diffusers.DiffusionPipeline.from_pretrained(self.folder / "image", local_files_only=True)
        relative = diffusers.AutoPipelineForImage2Image.from_pipe(base)
        relative.set_progress_bar_config(disable=True)
        expected = relative(
            prompt="a boat",
            image=source.resize((64, 64)),
            strength=0.5,
            num_inference_steps=4,
            generator=torch.Generator().manual_seed(7),
        ).images[0]
        self.assertEqual(made.tobytes(), numpy.asarray(expected).tobytes())
        masked = self.make("image", asked | {"mask_url": data_url(white), "seed": 7, "output_format": "webp"})
        self.assertEqual((masked[0].suffix, pixels(masked[0]).shape), (".webp", (64, 64, 3)))
        with self.assertRaisesRegex(InvalidInput, "WanPipeline takes no picture"):
            self.make("video", {"prompt": "a boat", "image_urls": [data_url(source)]})

    def test_a_lora_changes_the_picture_by_its_scale_and_leaves_no_trace(self) -> None:
        def picture(**more: Any) -> bytes:
            request = {"prompt": "a boat", "size": "64x64", "steps": 2, "seed": 7}
            return pixels(self.make("image", request | more)[0]).tobytes()

        plain = picture()
        strong = picture(lora="strong")
        self.assertNotIn(plain, (strong, picture(lora="strong:0.5")))
        self.assertNotEqual(strong, picture(lora="strong:0.5"))
        self.assertEqual(plain, picture(lora="strong:0"))
        self.assertEqual(plain, picture())
        self.assertEqual(strong, picture(lora="strong"))
        with self.assertRaisesRegex(InvalidInput, "unknown LoRA 'weak'; known LoRAs: strong"):
            picture(lora="weak")
        with self.assertRaisesRegex(InvalidInput, "^`lora`"):
            self.make("video", {"prompt": "a boat", "lora": "strong"})
        self.assertEqual(plain, picture())

    def test_what_the_pipeline_s_own_check_refuses_is_an_invalid_input(self) -> None:
        for request, message in (
            ({"steps": 2}, "Provide either `prompt` or `prompt_embeds`"),
            ({"prompt": "a boat", "width": 63, "height": 64}, "have to be divisible by 8"),
        ):
            with self.subTest(request), self.assertRaisesRegex(InvalidInput, message):
                self.make("image", request)

    def test_an_interruption_leaves_the_pipeline_unchanged(self) -> None:
        class Interrupted(BaseException):
            pass

        def stop(done: int, steps: int) -> None:
            if done == 2:
                raise Interrupted

        asked = {"prompt": "a boat", "size": "64x64", "steps": 3, "seed": 7}
        before = pixels(self.make("image", asked)[0]).tobytes()
        with self.assertRaises(Interrupted):
            self.pipeline("image").make(asked, self.out, stop)
        self.assertEqual(pixels(self.make("image", asked)[0]).tobytes(), before)

    def test_settings_reach_the_pipeline(self) -> None:
        half = self.pipeline("image", DIFFUSERS_DTYPE="bfloat16, vae=float32", DIFFUSERS_VAE_TILING="yes")
        self.assertEqual((half.pipe.unet.dtype, half.pipe.vae.dtype), (torch.bfloat16, torch.float32))
        self.assertTrue(half.pipe.vae.use_tiling)
        other = self.pipeline("image", DIFFUSERS_PIPELINE="StableDiffusionImg2ImgPipeline")
        self.assertEqual(type(other.pipe).__name__, "StableDiffusionImg2ImgPipeline")

    def test_settings_that_cannot_work_are_reported_at_start(self) -> None:
        for name, value, message in (
            ("DIFFUSERS_DEVICE", "tpu", "must be cuda, cuda:1, mps or cpu \\(got tpu\\)"),
            ("DIFFUSERS_DEVICE", "cuda:64", "is cuda:64, but PyTorch"),
            ("DIFFUSERS_PIPELINE", "os", "must be a pipeline class of diffusers"),
        ):
            with self.subTest(value), self.assertRaisesRegex(WrongSetting, message):
                self.pipeline("image", **{name: value})
        if not torch.cuda.is_available():
            with self.assertRaisesRegex(WrongSetting, "DIFFUSERS_OFFLOAD requires a GPU"):
                self.pipeline("image", DIFFUSERS_OFFLOAD="model", DIFFUSERS_DEVICE="cpu")
