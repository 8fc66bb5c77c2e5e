"""Requests turned into calls."""

import unittest
from typing import Any

from atelier_diffusers import inputs
from atelier_diffusers.errors import InvalidInput
from atelier_diffusers.lora import Lora
from atelier_diffusers.shape import Shape

from . import pipelines


class Picture:
    def __init__(self, size: tuple[int, int] = (640, 360)) -> None:
        self.size = size


MEDIA = inputs.Media(
    image=lambda name, value: Picture(),
    mask=lambda name, value: f"mask {value}",
    video=lambda name, value, fps, most: [f"{fps} {index}" for index in range(min(most, 100))],
    fitted=lambda picture, size: (picture, size),
)


def read(call: Any, request: dict[str, Any], name: str = "ToyPipeline", **facts: Any) -> inputs.Call:
    return inputs.read(request, Shape.of(name, call, **facts), MEDIA)


class Names(unittest.TestCase):
    def test_the_service_s_names_become_the_pipeline_s(self) -> None:
        call = read(
            pipelines.pictures,
            {"prompt": "a boat", "negative_prompt": "rain", "n": 2, "steps": 4, "guidance_scale": 3, "seed": 7},
        )
        self.assertEqual(
            call.arguments,
            {
                "prompt": "a boat",
                "negative_prompt": "rain",
                "num_images_per_prompt": 2,
                "num_inference_steps": 4,
                "guidance_scale": 3.0,
            },
        )
        self.assertEqual((call.seed, call.format), (7, "png"))

    def test_the_pipeline_s_own_names_work_too(self) -> None:
        call = read(pipelines.pictures, {"num_inference_steps": 4, "timesteps": [3, 2, 1]})
        self.assertEqual(call.arguments, {"num_inference_steps": 4, "timesteps": [3, 2, 1]})

    def test_guidance_means_that_of_models_that_are_not_distilled(self) -> None:
        self.assertEqual(read(pipelines.distilled, {"guidance_scale": 3}).arguments, {"true_cfg_scale": 3.0})
        both = read(pipelines.distilled, {"guidance_scale": 3, "true_cfg_scale": 2})
        self.assertEqual(both.arguments, {"guidance_scale": 3.0, "true_cfg_scale": 2.0})

    def test_unsupported_inputs_are_refused_with_a_list_of_the_supported_ones(self) -> None:
        with self.assertRaises(InvalidInput) as refused:
            read(pipelines.pictures, {"prompt": "a boat", "motion": 3})
        self.assertEqual(
            str(refused.exception),
            "`motion` is not supported by ToyPipeline; its parameters are guidance_scale, height, "
            "negative_prompt, num_images_per_prompt, num_inference_steps, prompt, timesteps, width",
        )

    def test_requests_cannot_set_tensors_and_hooks(self) -> None:
        for name in ("latents", "generator", "prompt_embeds", "output_type", "return_dict", "cross_attention_kwargs"):
            with self.assertRaisesRegex(InvalidInput, f"^`{name}` is not supported"):
                read(pipelines.pictures, {name: "x"})

    def test_a_switch_that_is_off_and_a_count_of_one_need_no_support(self) -> None:
        self.assertEqual(
            read(pipelines.video_with_rate, {"enhance_prompt": False, "n": 1, "x": None}).arguments,
            {"frame_rate": 24.0},
        )
        for name, value in (("enhance_prompt", True), ("n", 2)):
            with self.assertRaisesRegex(InvalidInput, f"^`{name}`"):
                read(pipelines.video_with_rate, {name: value})

    def test_a_value_of_the_wrong_type_is_refused_with_its_name_in_the_request(self) -> None:
        for request, message in (
            ({"steps": "many"}, "`steps` must be a whole number (got 'many')"),
            ({"steps": 2.5}, "`steps` must be a whole number (got 2.5)"),
            ({"steps": True}, "`steps` must be a whole number (got True)"),
            ({"guidance_scale": [1]}, "`guidance_scale` must be one value, not a list"),
            ({"prompt": {"a": 1}}, "`prompt` must be a text (got {'a': 1})"),
            ({"seed": -1}, "`seed` must be a whole number, 0 or more (got -1)"),
            ({"steps": 5000}, "`num_inference_steps` must be between 1 and 1000 (got 5000)"),
            ({"n": 99}, "`num_images_per_prompt` must be between 1 and 16 (got 99)"),
            ({"output_format": "gif"}, "`output_format` must be one of png, webp, jpeg (got 'gif')"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(pipelines.pictures, request)
            self.assertEqual(str(refused.exception), message)

    def test_numbers_may_come_as_text(self) -> None:
        self.assertEqual(read(pipelines.pictures, {"steps": "4"}).arguments, {"num_inference_steps": 4})


class Sizes(unittest.TestCase):
    def size(self, call: Any, request: dict[str, Any], **facts: Any) -> tuple[Any, Any]:
        arguments = read(call, request, **facts).arguments
        return arguments.get("width"), arguments.get("height")

    def test_every_notation_of_a_size_gives_pixels(self) -> None:
        for request, expected in (
            ({}, (None, None)),
            ({"width": 640, "height": 480}, (640, 480)),
            ({"size": "1280x720", "width": 1280, "height": 720}, (1280, 720)),
            ({"size": "1280x720"}, (1280, 720)),
            ({"size": "auto"}, (None, None)),
            ({"aspect_ratio": "1:1"}, (1024, 1024)),
            ({"aspect_ratio": "16:9"}, (1360, 768)),
            ({"aspect_ratio": "16:9", "resolution": "720p"}, (1280, 720)),
            ({"aspect_ratio": "9:16", "resolution": "480p"}, (480, 848)),
            ({"resolution": "2K"}, (2048, 2048)),
        ):
            with self.subTest(request):
                self.assertEqual(self.size(pipelines.pictures, request), expected)

    def test_a_ratio_keeps_the_pipeline_s_own_area(self) -> None:
        self.assertEqual(
            self.size(pipelines.pictures, {"aspect_ratio": "2:1"}, size=(512, 512), size_step=8), (728, 360)
        )

    def test_a_video_from_a_picture_has_the_picture_s_shape(self) -> None:
        self.assertEqual(self.size(pipelines.video_of_frames, {"image_urls": ["a"]}, size=(480, 832)), (848, 480))

    def test_a_picture_is_scaled_if_it_alone_decides_the_size(self) -> None:
        asked = read(pipelines.from_picture, {"image_urls": ["a"], "size": "512x512"})
        self.assertEqual(asked.arguments["image"][1], (512, 512))
        left = read(pipelines.from_picture, {"image_urls": ["a"]}, size=(512, 512), size_step=8)
        self.assertEqual(left.arguments["image"][1], (680, 384))

    def test_an_invalid_or_unsupported_size_is_refused(self) -> None:
        for call, request, message in (
            (pipelines.pictures, {"size": "large"}, "`size` must be like 1280x720, 16:9 or auto (got 'large')"),
            (pipelines.pictures, {"aspect_ratio": "0:9"}, "`aspect_ratio` must be like"),
            (pipelines.pictures, {"resolution": "big"}, "`resolution` must be like 720p or 2K (got 'big')"),
            (pipelines.pictures, {"width": 100_000, "height": 64}, "`width` must be between 16 and 4096 (got 100000)"),
            (pipelines.sound, {"size": "1280x720"}, "`size` is not supported: the size of ToyPipeline follows"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(call, request)
            self.assertTrue(str(refused.exception).startswith(message), refused.exception)


class Lengths(unittest.TestCase):
    def test_seconds_become_a_number_of_frames_that_the_decoder_supports(self) -> None:
        call = read(pipelines.video_of_words, {"duration": 5}, name="WanPipeline", frame_step=4)
        self.assertEqual((call.arguments["num_frames"], call.fps), (81, 16.0))
        call = read(pipelines.video_of_words, {"duration": 5}, fps=24.0, frame_step=4)
        self.assertEqual((call.arguments["num_frames"], call.fps), (121, 24.0))

    def test_a_requested_rate_reaches_the_pipeline_and_the_file(self) -> None:
        call = read(pipelines.video_with_rate, {"fps": 30, "duration": 2})
        self.assertEqual((call.arguments, call.fps), ({"frame_rate": 30.0, "num_frames": 60}, 30.0))

    def test_seconds_of_sound_are_passed_on_unchanged(self) -> None:
        self.assertEqual(read(pipelines.sound, {"duration": 2.5}).arguments, {"audio_end_in_s": 2.5})

    def test_an_invalid_or_unsupported_duration_is_refused(self) -> None:
        for call, request, message in (
            (
                pipelines.video_of_words,
                {"duration": "long"},
                "`duration` must be a number of seconds, at most 3600 (got 'long')",
            ),
            (pipelines.video_of_words, {"duration": 3600}, "`num_frames` must be between 1 and 1000 (got 57600)"),
            (pipelines.pictures, {"duration": 5}, "`duration` is not supported: ToyPipeline takes no duration"),
            (pipelines.video_of_words, {"fps": 0}, "`fps` must be between 1 and 240 (got 0)"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(call, request)
            self.assertTrue(str(refused.exception).startswith(message), refused.exception)


class Files(unittest.TestCase):
    def test_the_second_picture_is_the_last_frame_of_a_video(self) -> None:
        arguments = read(pipelines.video_of_frames, {"image_urls": ["a", "b"]}).arguments
        self.assertIsInstance(arguments["image"], Picture)
        self.assertIsInstance(arguments["last_image"], Picture)

    def test_pipelines_that_take_several_pictures_get_them_all(self) -> None:
        arguments = read(
            pipelines.from_picture, {"image_urls": ["a", "b"], "size": "auto"}, name="Flux2Pipeline"
        ).arguments
        self.assertEqual(len(arguments["image"]), 2)

    def test_more_files_than_the_pipeline_takes_are_refused(self) -> None:
        for call, request, message in (
            (
                pipelines.from_picture,
                {"image_urls": ["a", "b"]},
                "`image_urls` has 2 pictures, but ToyPipeline takes one picture",
            ),
            (pipelines.pictures, {"image_urls": ["a"]}, "`image_urls` is not supported: ToyPipeline takes no picture"),
            (pipelines.pictures, {"mask_url": "a"}, "`mask_url` is not supported: ToyPipeline takes no mask"),
            (pipelines.pictures, {"video_url": "a"}, "`video_url` is not supported: ToyPipeline takes no video"),
            (pipelines.video_of_frames, {"prompt": "a"}, "`image` is missing; ToyPipeline requires it"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(call, request)
            self.assertEqual(str(refused.exception), message)

    def test_a_video_is_cut_to_the_decoder_s_steps_and_a_still_mask_applies_to_every_frame(self) -> None:
        arguments = read(
            pipelines.video_of_video,
            {"video_url": "v", "mask_url": "m", "reference_image_urls": ["r"], "duration": 2},
            name="WanVACEPipeline",
            frame_step=4,
        ).arguments
        self.assertEqual((len(arguments["video"]), arguments["num_frames"], arguments["video"][1]), (33, 33, "16.0 1"))
        self.assertEqual(arguments["mask"], ["mask m"] * 33)
        self.assertEqual(len(arguments["reference_images"]), 1)

    def test_strength_is_ignored_without_a_picture(self) -> None:
        self.assertEqual(read(pipelines.pictures, {"strength": 0.5}).arguments, {})

    def test_the_files_of_a_request_choose_the_relative(self) -> None:
        for request, expected in (
            ({"prompt": "a"}, "text"),
            ({"image_urls": []}, "text"),
            ({"image_urls": ["a"]}, "image"),
            ({"image_urls": ["a"], "mask_url": "m"}, "inpaint"),
        ):
            self.assertEqual(inputs.variant(request), expected)


class Loras(unittest.TestCase):
    def test_loras_are_named_with_their_scales(self) -> None:
        for request, expected in (
            ({}, ()),
            ({"lora": "ink"}, (Lora("ink", 1.0),)),
            ({"lora": "ink", "lora_scale": 0.5}, (Lora("ink", 0.5),)),
            ({"lora": "ink:0.8, wash"}, (Lora("ink", 0.8), Lora("wash", 1.0))),
            ({"lora": ["ink:0.8", "wash"]}, (Lora("ink", 0.8), Lora("wash", 1.0))),
        ):
            with self.subTest(request):
                self.assertEqual(read(pipelines.pictures, request).loras, expected)

    def test_invalid_loras_are_refused(self) -> None:
        for request, message in (
            ({"lora_scale": 1}, "`lora_scale` requires `lora`"),
            ({"lora": "ink:strong"}, "`lora` takes scales between -10 and 10 (got 'strong')"),
            ({"lora": "ink,ink"}, "`lora` must name each LoRA once, and at most 8"),
            ({"lora": 5}, "`lora` must be a name or a list of names"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(pipelines.pictures, request)
            self.assertEqual(str(refused.exception), message)
