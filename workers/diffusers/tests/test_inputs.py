"""What becomes of a request, by the pipeline's call."""

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

    def test_the_pipeline_s_own_names_are_heard_too(self) -> None:
        call = read(pipelines.pictures, {"num_inference_steps": 4, "timesteps": [3, 2, 1]})
        self.assertEqual(call.arguments, {"num_inference_steps": 4, "timesteps": [3, 2, 1]})

    def test_guidance_is_that_of_models_that_are_not_distilled(self) -> None:
        self.assertEqual(read(pipelines.distilled, {"guidance_scale": 3}).arguments, {"true_cfg_scale": 3.0})
        both = read(pipelines.distilled, {"guidance_scale": 3, "true_cfg_scale": 2})
        self.assertEqual(both.arguments, {"guidance_scale": 3.0, "true_cfg_scale": 2.0})

    def test_what_the_pipeline_does_not_take_is_refused_and_the_refusal_says_what_it_takes(self) -> None:
        with self.assertRaises(InvalidInput) as refused:
            read(pipelines.pictures, {"prompt": "a boat", "motion": 3})
        self.assertEqual(
            str(refused.exception),
            "`motion`: is nothing that ToyPipeline takes; its own parameters are guidance_scale, height, "
            "negative_prompt, num_images_per_prompt, num_inference_steps, prompt, timesteps, width",
        )

    def test_tensors_and_hooks_are_not_for_requests(self) -> None:
        for name in ("latents", "generator", "prompt_embeds", "output_type", "return_dict", "cross_attention_kwargs"):
            with self.assertRaisesRegex(InvalidInput, f"^`{name}`: is nothing"):
                read(pipelines.pictures, {name: "x"})

    def test_a_switch_that_is_off_and_one_thing_ask_for_nothing(self) -> None:
        self.assertEqual(
            read(pipelines.video_with_rate, {"enhance_prompt": False, "n": 1, "x": None}).arguments,
            {"frame_rate": 24.0},
        )
        for name, value in (("enhance_prompt", True), ("n", 2)):
            with self.assertRaisesRegex(InvalidInput, f"^`{name}`"):
                read(pipelines.video_with_rate, {name: value})

    def test_a_value_of_the_wrong_kind_is_refused_by_its_name_in_the_request(self) -> None:
        for request, message in (
            ({"steps": "many"}, "`steps`: is 'many'; it takes a whole number"),
            ({"steps": 2.5}, "`steps`: is 2.5; it takes a whole number"),
            ({"steps": True}, "`steps`: is True; it takes a whole number"),
            ({"guidance_scale": [1]}, "`guidance_scale`: takes one value, not a list"),
            ({"prompt": {"a": 1}}, "`prompt`: is {'a': 1}; it takes a text"),
            ({"seed": -1}, "`seed`: is -1; it takes a whole number from 0"),
            ({"steps": 5000}, "`num_inference_steps`: is 5000; it may be 1 to 1000"),
            ({"n": 99}, "`num_images_per_prompt`: is 99; it may be 1 to 16"),
            ({"output_format": "gif"}, "`output_format`: is 'gif'; it may be png, webp, jpeg"),
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

    def test_every_way_to_say_a_size_gives_pixels(self) -> None:
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

    def test_a_video_from_a_picture_has_its_shape(self) -> None:
        self.assertEqual(self.size(pipelines.video_of_frames, {"image_urls": ["a"]}, size=(480, 832)), (848, 480))

    def test_a_picture_is_brought_to_the_size_where_it_alone_decides(self) -> None:
        asked = read(pipelines.from_picture, {"image_urls": ["a"], "size": "512x512"})
        self.assertEqual(asked.arguments["image"][1], (512, 512))
        left = read(pipelines.from_picture, {"image_urls": ["a"]}, size=(512, 512), size_step=8)
        self.assertEqual(left.arguments["image"][1], (680, 384))

    def test_a_size_that_is_none_or_cannot_be_followed_is_refused(self) -> None:
        for call, request, message in (
            (pipelines.pictures, {"size": "large"}, "`size`: is 'large'; it takes 1280x720, 16:9 or auto"),
            (pipelines.pictures, {"aspect_ratio": "0:9"}, "`aspect_ratio`: is '0:9'"),
            (pipelines.pictures, {"resolution": "big"}, "`resolution`: is 'big'; it takes 720p or 2K"),
            (pipelines.pictures, {"width": 100_000, "height": 64}, "`width`: is 100000; it may be 16 to 4096"),
            (pipelines.sound, {"size": "1280x720"}, "`size`: ToyPipeline takes no size"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(call, request)
            self.assertTrue(str(refused.exception).startswith(message), refused.exception)


class Lengths(unittest.TestCase):
    def test_seconds_become_frames_of_the_model_s_rate_that_its_decoder_can_make(self) -> None:
        call = read(pipelines.video_of_words, {"duration": 5}, name="WanPipeline", frame_step=4)
        self.assertEqual((call.arguments["num_frames"], call.fps), (81, 16.0))
        call = read(pipelines.video_of_words, {"duration": 5}, fps=24.0, frame_step=4)
        self.assertEqual((call.arguments["num_frames"], call.fps), (121, 24.0))

    def test_a_rate_that_is_asked_for_reaches_the_pipeline_and_the_file(self) -> None:
        call = read(pipelines.video_with_rate, {"fps": 30, "duration": 2})
        self.assertEqual((call.arguments, call.fps), ({"frame_rate": 30.0, "num_frames": 60}, 30.0))

    def test_seconds_of_sound_go_as_they_are(self) -> None:
        self.assertEqual(read(pipelines.sound, {"duration": 2.5}).arguments, {"audio_end_in_s": 2.5})

    def test_a_length_that_is_none_or_too_long_is_refused(self) -> None:
        for call, request, message in (
            (pipelines.video_of_words, {"duration": "long"}, "`duration`: is 'long'"),
            (pipelines.video_of_words, {"duration": 3600}, "`num_frames`: is 57600; it may be 1 to 1000"),
            (pipelines.pictures, {"duration": 5}, "`duration`: ToyPipeline takes no length"),
            (pipelines.video_of_words, {"fps": 0}, "`fps`: is 0; it may be 1 to 240"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(call, request)
            self.assertTrue(str(refused.exception).startswith(message), refused.exception)


class Files(unittest.TestCase):
    def test_the_second_picture_is_where_a_video_arrives(self) -> None:
        arguments = read(pipelines.video_of_frames, {"image_urls": ["a", "b"]}).arguments
        self.assertIsInstance(arguments["image"], Picture)
        self.assertIsInstance(arguments["last_image"], Picture)

    def test_pipelines_that_take_several_pictures_get_them_all(self) -> None:
        arguments = read(
            pipelines.from_picture, {"image_urls": ["a", "b"], "size": "auto"}, name="Flux2Pipeline"
        ).arguments
        self.assertEqual(len(arguments["image"]), 2)

    def test_more_pictures_than_there_is_room_for_are_refused(self) -> None:
        for call, request, message in (
            (
                pipelines.from_picture,
                {"image_urls": ["a", "b"]},
                "`image_urls`: there are 2; ToyPipeline takes one picture",
            ),
            (pipelines.pictures, {"image_urls": ["a"]}, "`image_urls`: ToyPipeline takes no picture"),
            (pipelines.pictures, {"mask_url": "a"}, "`mask_url`: ToyPipeline takes no mask"),
            (pipelines.pictures, {"video_url": "a"}, "`video_url`: ToyPipeline takes no video"),
            (pipelines.video_of_frames, {"prompt": "a"}, "`image`: is missing; ToyPipeline needs it"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(call, request)
            self.assertEqual(str(refused.exception), message)

    def test_a_video_is_cut_to_what_the_decoder_can_make_and_a_still_mask_is_of_every_frame(self) -> None:
        arguments = read(
            pipelines.video_of_video,
            {"video_url": "v", "mask_url": "m", "reference_image_urls": ["r"], "duration": 2},
            name="WanVACEPipeline",
            frame_step=4,
        ).arguments
        self.assertEqual((len(arguments["video"]), arguments["num_frames"], arguments["video"][1]), (33, 33, "16.0 1"))
        self.assertEqual(arguments["mask"], ["mask m"] * 33)
        self.assertEqual(len(arguments["reference_images"]), 1)

    def test_strength_says_nothing_where_there_is_no_picture(self) -> None:
        self.assertEqual(read(pipelines.pictures, {"strength": 0.5}).arguments, {})

    def test_what_a_request_begins_from_chooses_the_relative(self) -> None:
        for request, expected in (
            ({"prompt": "a"}, "text"),
            ({"image_urls": []}, "text"),
            ({"image_urls": ["a"]}, "image"),
            ({"image_urls": ["a"], "mask_url": "m"}, "inpaint"),
        ):
            self.assertEqual(inputs.variant(request), expected)


class Loras(unittest.TestCase):
    def test_they_are_named_with_their_scales(self) -> None:
        for request, expected in (
            ({}, ()),
            ({"lora": "ink"}, (Lora("ink", 1.0),)),
            ({"lora": "ink", "lora_scale": 0.5}, (Lora("ink", 0.5),)),
            ({"lora": "ink:0.8, wash"}, (Lora("ink", 0.8), Lora("wash", 1.0))),
            ({"lora": ["ink:0.8", "wash"]}, (Lora("ink", 0.8), Lora("wash", 1.0))),
        ):
            with self.subTest(request):
                self.assertEqual(read(pipelines.pictures, request).loras, expected)

    def test_a_slip_in_them_is_refused(self) -> None:
        for request, message in (
            ({"lora_scale": 1}, "`lora_scale`: there is no `lora` that it is of"),
            ({"lora": "ink:strong"}, "`lora`: has the scale 'strong'; it takes -10 to 10"),
            ({"lora": "ink,ink"}, "`lora`: each may be named once, and 8 at most"),
            ({"lora": 5}, "`lora`: it takes a name, or a list of names"),
        ):
            with self.subTest(request), self.assertRaises(InvalidInput) as refused:
                read(pipelines.pictures, request)
            self.assertEqual(str(refused.exception), message)
