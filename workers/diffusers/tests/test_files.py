"""Input and output files."""

import base64
import io
import tempfile
import unittest
from pathlib import Path

import av
import numpy
from PIL import Image

from atelier_diffusers import files
from atelier_diffusers.errors import InvalidInput


def url(picture: Image.Image, form: str = "PNG", **options: object) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


class InputFiles(unittest.TestCase):
    def test_a_picture_is_upright_and_opaque(self) -> None:
        turned = Image.Exif()
        turned[0x0112] = 6
        picture = files.image("image", url(Image.new("RGB", (4, 2), "red"), exif=turned))
        self.assertEqual((picture.size, picture.mode), ((2, 4), "RGB"))
        clear = files.image("image", url(Image.new("RGBA", (2, 2), (255, 0, 0, 0))))
        self.assertEqual(clear.getpixel((0, 0)), (255, 255, 255))

    def test_transparent_parts_of_a_mask_are_redrawn(self) -> None:
        drawn = Image.new("RGBA", (2, 1), (0, 0, 0, 255))
        drawn.putpixel((1, 0), (0, 0, 0, 0))
        self.assertEqual(list(numpy.asarray(files.mask("mask", url(drawn)))[0]), [0, 255])
        grey = files.mask("mask", url(Image.new("L", (1, 1), 200)))
        self.assertEqual(grey.getpixel((0, 0)), 200)

    def test_files_that_are_not_pictures_are_refused(self) -> None:
        big = url(Image.new("1", (20_000, 6_000)))
        for value, message in (
            ("http://example.com/a.png", "must be a file as a data URL"),
            (5, "must be a file as a data URL"),
            ("data:image/png,abc", "must be a Base64 data URL"),
            ("data:image/png;base64,%%%", "must be a Base64 data URL"),
            ("data:image/png;base64,aGVsbG8=", "is not a readable picture"),
            (url(Image.new("RGB", (64, 64), "red"))[:150], "is not a readable picture|must be a Base64 data URL"),
            (big, "must have at most 100000000 pixels"),
        ):
            with self.subTest(str(value)[:40]), self.assertRaisesRegex(InvalidInput, f"^`image_urls` ({message})$"):
                files.image("image_urls", value)
        with self.assertRaisesRegex(InvalidInput, "^`video_url` is not a readable video$"):
            files.video("video_url", "data:video/mp4;base64,aGVsbG8=", 16, 9)


class OutputFiles(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_pictures_keep_their_pixels_and_name_a_trained_model(self) -> None:
        noise = Image.fromarray(numpy.random.default_rng(1).integers(0, 256, (9, 7, 3), dtype=numpy.uint8))
        for form in ("png", "webp", "jpeg"):
            path = self.folder / f"made.{form}"
            files.write_image(noise, path, "a maker <&>")
            with Image.open(path) as written:
                if form != "jpeg":
                    self.assertTrue(numpy.array_equal(numpy.asarray(written), numpy.asarray(noise)), form)
            self.assertIn(b"digitalsourcetype/trainedAlgorithmicMedia", path.read_bytes())
            self.assertIn(b"a maker &lt;&amp;&gt;", path.read_bytes())

    def test_a_video_keeps_its_frames_rate_colours_and_sound(self) -> None:
        frames = numpy.zeros((9, 34, 48, 3), dtype=numpy.float32)
        frames[:4] = (0.8, 0.2, 0.1)
        frames[4:] = (0.1, 0.3, 0.9)
        tone = numpy.sin(numpy.arange(9 * 1000) * 440 * 2 * numpy.pi / 16_000, dtype=numpy.float32) / 2
        path = self.folder / "made.mp4"
        files.write_video(frames, 16, path, "a maker", (tone[None].repeat(2, 0), 16_000))
        read = files.video("video", "data:video/mp4;base64," + base64.b64encode(path.read_bytes()).decode(), 16, 100)
        self.assertEqual((len(read), read[0].size), (9, (48, 34)))
        for index, colour in ((0, (204, 51, 26)), (8, (26, 76, 230))):
            difference = numpy.abs(numpy.asarray(read[index]).astype(int) - colour).max()
            self.assertLess(difference, 6, f"frame {index}")
        with av.open(str(path)) as container:
            self.assertEqual(container.streams.video[0].average_rate, 16)
            self.assertIn("trainedAlgorithmicMedia", container.metadata["comment"])
            heard = numpy.concatenate([part.to_ndarray() for part in container.decode(audio=0)], axis=1)
        self.assertEqual(heard.shape[0], 2)
        spectrum = numpy.abs(numpy.fft.rfft(heard[0]))
        self.assertAlmostEqual(spectrum.argmax() * 16_000 / heard.shape[1], 440, delta=5)

    def test_a_video_is_read_at_the_requested_rate(self) -> None:
        frames = (
            numpy.linspace(0, 1, 30, dtype=numpy.float32)[:, None, None, None].repeat(16, 1).repeat(16, 2).repeat(3, 3)
        )
        path = self.folder / "source.mp4"
        files.write_video(frames, 30, path, "a maker")
        value = "data:video/mp4;base64," + base64.b64encode(path.read_bytes()).decode()
        half = files.video("video", value, 15, 100)
        self.assertEqual(len(half), 15)
        for index, frame in enumerate(half):
            self.assertAlmostEqual(frame.getpixel((8, 8))[0], 255 * 2 * index / 29, delta=6)
        self.assertEqual(len(files.video("video", value, 15, 5)), 5)

    def test_sound_keeps_its_samples(self) -> None:
        samples = numpy.random.default_rng(1).uniform(-1, 1, (2, 12_345)).astype(numpy.float32)
        for form in ("wav", "flac", "mp3"):
            path = self.folder / f"made.{form}"
            files.write_audio(samples, 8000, path, "a maker")
            with av.open(str(path)) as container:
                self.assertIn("a maker", container.metadata.get("comment", ""), form)
                parts = (
                    [part.to_ndarray().reshape(-1, 2).T for part in container.decode(audio=0)] if form != "mp3" else []
                )
                rate = container.streams.audio[0].rate
            self.assertEqual(rate, 8000)
            if parts:
                read = numpy.concatenate(parts, axis=1) / 32767
                self.assertEqual(read.shape, samples.shape)
                self.assertLess(numpy.abs(read - samples).max(), 1 / 32767, form)
