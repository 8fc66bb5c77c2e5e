"""Files in and out: data URLs become pictures and frames, what pipelines make becomes PNG, WebP, JPEG, MP4, WAV, FLAC
or MP3. What is written says in its metadata that a trained model made it."""

import base64
import binascii
import io
import math
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import av
import numpy
from PIL import Image, ImageOps, PngImagePlugin

from .errors import InvalidInput

MOST_BYTES = 512 << 20
MOST_PIXELS = 100_000_000
SOURCE_TYPE = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
# Full quality to the eye; the service makes smaller renditions where it wants them.
VIDEO_OPTIONS = {"crf": "16", "preset": "medium"}
AUDIO_CODECS = {"wav": "pcm_s16le", "flac": "flac", "mp3": "libmp3lame"}
BT709 = 1
TV_RANGE = 1


def data(name: str, value: Any) -> bytes:
    """The bytes of a data URL. Addresses are not followed: whoever asks sends the file."""
    if not isinstance(value, str) or not value.startswith("data:"):
        raise InvalidInput(name, "it takes a file as a data URL")
    head, comma, body = value.partition(",")
    if not comma or not head.endswith(";base64"):
        raise InvalidInput(name, "the data URL is not Base64")
    if len(body) > MOST_BYTES * 4 // 3 + 4:
        raise InvalidInput(name, f"the file is larger than {MOST_BYTES >> 20} MiB")
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error:
        raise InvalidInput(name, "the data URL is not Base64") from None


def image(name: str, value: Any) -> Image.Image:
    """A picture, upright, in RGB; what is transparent in it lies on white."""
    opened = _opened(name, value)
    if opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info:
        opened = opened.convert("RGBA")
        opened = Image.alpha_composite(Image.new("RGBA", opened.size, "white"), opened)
    return opened.convert("RGB")


def mask(name: str, value: Any) -> Image.Image:
    """A mask in grey: white is what is to be made anew. Where the file has transparency, that is the mask."""
    opened = _opened(name, value)
    if opened.mode in ("RGBA", "LA"):
        alpha = opened.getchannel("A")
        if alpha.getextrema()[0] < 255:
            return ImageOps.invert(alpha)
    return opened.convert("L")


def _opened(name: str, value: Any) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(data(name, value)))
        if opened.width * opened.height > MOST_PIXELS:
            raise InvalidInput(name, f"the picture has more than {MOST_PIXELS} pixels")
        opened.load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(name, "the picture cannot be read") from error
    return ImageOps.exif_transpose(opened)


def fitted(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The middle of a picture, enlarged or reduced to fill the size."""
    return picture if picture.size == size else ImageOps.fit(picture, size, Image.Resampling.LANCZOS)


def video(name: str, value: Any, fps: float, most: int) -> list[Image.Image]:
    """A video's frames at `fps` frames a second, `most` at most: at each moment the frame that is then on view."""
    frames: list[Image.Image] = []
    try:
        with av.open(io.BytesIO(data(name, value))) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            shown, ends = None, 0.0
            for decoded in container.decode(stream):
                if decoded.width * decoded.height > MOST_PIXELS:
                    raise InvalidInput(name, f"the video has more than {MOST_PIXELS} pixels a frame")
                begins = float(decoded.time or 0.0)
                while shown is not None and len(frames) < most and len(frames) / fps < begins - 1e-6:
                    frames.append(shown)
                if len(frames) >= most:
                    break
                shown, ends = decoded.to_image(), begins + 1 / float(stream.average_rate or fps)
            while shown is not None and len(frames) < most and (not frames or len(frames) / fps < ends - 1e-6):
                frames.append(shown)
    except (av.FFmpegError, IndexError) as error:
        raise InvalidInput(name, "the video cannot be read") from error
    if not frames:
        raise InvalidInput(name, "the video has no frames")
    return frames


def _xmp(maker: str) -> str:
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:xmp="http://ns.adobe.com/xap/1.0/" '
        'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" '
        f"xmp:CreatorTool={quoteattr(maker)} Iptc4xmpExt:DigitalSourceType={quoteattr(SOURCE_TYPE)}/>"
        '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    )


def write_image(picture: Image.Image, path: Path, maker: str) -> None:
    """By the path's ending: PNG and WebP keep every pixel as it is, JPEG nearly so. `maker` is the pipeline's name."""
    xmp = _xmp(maker)
    if path.suffix == ".png":
        info = PngImagePlugin.PngInfo()
        info.add_itxt("XML:com.adobe.xmp", xmp)
        picture.save(path, pnginfo=info)
    elif path.suffix == ".webp":
        picture.save(path, lossless=True, xmp=xmp.encode())
    else:
        picture.convert("RGB").save(path, quality=95, subsampling=0, xmp=xmp.encode())


def to_bytes(frames: Any) -> numpy.ndarray:
    """Frames as numbers from 0 to 1, or pictures, as bytes: frame, row, column, colour."""
    if isinstance(frames, list):
        return numpy.stack([numpy.asarray(frame.convert("RGB")) for frame in frames])
    frames = numpy.asarray(frames)
    if frames.dtype == numpy.uint8:
        return frames
    return (numpy.clip(frames, 0, 1) * 255).round().astype(numpy.uint8)


def write_video(frames: Any, fps: float, path: Path, maker: str, sound: tuple[Any, int] | None = None) -> None:
    """H.264 in MP4 that begins to play while it loads; `sound` is samples and how many make a second, as AAC."""
    pixels = to_bytes(frames)
    # H.264 as players read it has half the colour samples: sides are even.
    pixels = pixels[:, : pixels.shape[1] // 2 * 2, : pixels.shape[2] // 2 * 2]
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        container.metadata["comment"] = f"AI-generated by {maker}; {SOURCE_TYPE}"
        rate = Fraction(fps).limit_denominator(1001)
        stream = container.add_stream("libx264", rate=rate, options=VIDEO_OPTIONS)
        stream.width, stream.height, stream.pix_fmt = pixels.shape[2], pixels.shape[1], "yuv420p"
        context = stream.codec_context
        context.color_range, context.colorspace = TV_RANGE, BT709
        context.color_primaries, context.color_trc = BT709, BT709
        voice = None
        if sound is not None:
            samples = _samples(sound[0])
            voice = container.add_stream("aac", rate=sound[1], layout=_layout(samples))
            voice.bit_rate = 192_000
        for pixel in pixels:
            frame = av.VideoFrame.from_ndarray(numpy.ascontiguousarray(pixel), format="rgb24")
            frame = frame.reformat(
                format="yuv420p", dst_colorspace="ITU709", src_color_range="JPEG", dst_color_range="MPEG"
            )
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
        if sound is not None:
            _encode(container, voice, samples, sound[1], "fltp")


def write_audio(sound: Any, rate: int, path: Path, maker: str) -> None:
    """By the path's ending: WAV of 16 bits, FLAC or MP3."""
    samples = _samples(sound)
    with av.open(str(path), "w") as container:
        container.metadata["comment"] = f"AI-generated by {maker}; {SOURCE_TYPE}"
        stream = container.add_stream(AUDIO_CODECS[path.suffix[1:]], rate=rate, layout=_layout(samples))
        if path.suffix == ".mp3":
            stream.bit_rate = 256_000
            _encode(container, stream, samples, rate, "fltp")
        else:
            whole = (numpy.clip(samples, -1, 1) * 32767).round().astype(numpy.int16)
            _encode(container, stream, whole.T.reshape(1, -1), rate, "s16")


def _samples(sound: Any) -> numpy.ndarray:
    """Channel by channel."""
    samples = numpy.asarray(sound, dtype=numpy.float32)
    samples = samples[None] if samples.ndim == 1 else samples
    # More samples than channels, whichever way round they come.
    samples = samples.T if samples.shape[0] > samples.shape[1] else samples
    return numpy.nan_to_num(samples[:2])


def _layout(samples: numpy.ndarray) -> str:
    return "mono" if samples.shape[0] == 1 else "stereo"


def _encode(container: Any, stream: Any, samples: numpy.ndarray, rate: int, form: str) -> None:
    """In pieces, each with its place in time; encoders cut them to what they take."""
    layout = stream.layout.name
    piece = rate * (1 if form == "fltp" or layout == "mono" else 2)
    resampler = av.AudioResampler(format=stream.format, layout=layout, rate=rate, frame_size=_frame_size(stream))
    for index in range(math.ceil(samples.shape[1] / piece)):
        part = numpy.ascontiguousarray(samples[:, index * piece : (index + 1) * piece])
        frame = av.AudioFrame.from_ndarray(part, format=form, layout=layout)
        frame.sample_rate, frame.pts, frame.time_base = rate, index * rate, Fraction(1, rate)
        for ready in resampler.resample(frame):
            container.mux(stream.encode(ready))
    for ready in resampler.resample(None):
        container.mux(stream.encode(ready))
    container.mux(stream.encode())


def _frame_size(stream: Any) -> int:
    """How many samples the encoder takes at a time; 0 for any number."""
    return stream.codec_context.frame_size or 0
