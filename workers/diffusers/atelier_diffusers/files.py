"""Input and output files: data URLs become pictures and frames; the output of pipelines becomes PNG, WebP, JPEG, MP4,
WAV, FLAC or MP3. The metadata of each output file says that a trained model made it."""

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
# Visually lossless. The service makes smaller renditions if it wants them.
VIDEO_OPTIONS = {"crf": "16", "preset": "medium"}
AUDIO_CODECS = {"wav": "pcm_s16le", "flac": "flac", "mp3": "libmp3lame"}
BT709 = 1
TV_RANGE = 1


def data(name: str, value: Any) -> bytes:
    """Returns the bytes of a data URL. Other URLs are refused: the request must contain the file."""
    if not isinstance(value, str) or not value.startswith("data:"):
        raise InvalidInput(name, "must be a file as a data URL")
    head, comma, body = value.partition(",")
    if not comma or not head.endswith(";base64"):
        raise InvalidInput(name, "must be a Base64 data URL")
    if len(body) > MOST_BYTES * 4 // 3 + 4:
        raise InvalidInput(name, f"must be at most {MOST_BYTES >> 20} MiB")
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error:
        raise InvalidInput(name, "must be a Base64 data URL") from None


def image(name: str, value: Any) -> Image.Image:
    """Returns a picture: upright, in RGB, with white behind transparent parts."""
    opened = _opened(name, value)
    if opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info:
        opened = opened.convert("RGBA")
        opened = Image.alpha_composite(Image.new("RGBA", opened.size, "white"), opened)
    return opened.convert("RGB")


def mask(name: str, value: Any) -> Image.Image:
    """Returns a mask in grey, where white marks the parts to redraw. Transparent parts of the file count as white."""
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
            raise InvalidInput(name, f"must have at most {MOST_PIXELS} pixels")
        opened.load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(name, "is not a readable picture") from error
    return ImageOps.exif_transpose(opened)


def fitted(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Returns the middle of a picture, scaled to fill the size."""
    return picture if picture.size == size else ImageOps.fit(picture, size, Image.Resampling.LANCZOS)


def video(name: str, value: Any, fps: float, most: int) -> list[Image.Image]:
    """Returns a video's frames, sampled at `fps` frames a second, at most `most` of them."""
    frames: list[Image.Image] = []
    try:
        with av.open(io.BytesIO(data(name, value))) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            shown, ends = None, 0.0
            for decoded in container.decode(stream):
                if decoded.width * decoded.height > MOST_PIXELS:
                    raise InvalidInput(name, f"must have at most {MOST_PIXELS} pixels a frame")
                begins = float(decoded.time or 0.0)
                while shown is not None and len(frames) < most and len(frames) / fps < begins - 1e-6:
                    frames.append(shown)
                if len(frames) >= most:
                    break
                shown, ends = decoded.to_image(), begins + 1 / float(stream.average_rate or fps)
            while shown is not None and len(frames) < most and (not frames or len(frames) / fps < ends - 1e-6):
                frames.append(shown)
    except (av.FFmpegError, IndexError) as error:
        raise InvalidInput(name, "is not a readable video") from error
    if not frames:
        raise InvalidInput(name, "has no frames")
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
    """Writes a picture in the format of the path's suffix; PNG and WebP are lossless. `maker` names the pipeline."""
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
    """Converts frames (numbers from 0 to 1, or pictures) to bytes: frame, row, column, colour."""
    if isinstance(frames, list):
        return numpy.stack([numpy.asarray(frame.convert("RGB")) for frame in frames])
    frames = numpy.asarray(frames)
    if frames.dtype == numpy.uint8:
        return frames
    return (numpy.clip(frames, 0, 1) * 255).round().astype(numpy.uint8)


def write_video(frames: Any, fps: float, path: Path, maker: str, sound: tuple[Any, int] | None = None) -> None:
    """Writes H.264 in MP4 that can play while it loads. `sound` is samples and their rate, written as AAC."""
    pixels = to_bytes(frames)
    # Players expect H.264 with half the colour samples, which needs even sides.
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
    """Writes sound in the format of the path's suffix: WAV with 16 bits, FLAC or MP3."""
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
    """Returns samples by channel: one or two rows."""
    samples = numpy.asarray(sound, dtype=numpy.float32)
    samples = samples[None] if samples.ndim == 1 else samples
    # There are more samples than channels, so the longer axis is time.
    samples = samples.T if samples.shape[0] > samples.shape[1] else samples
    return numpy.nan_to_num(samples[:2])


def _layout(samples: numpy.ndarray) -> str:
    return "mono" if samples.shape[0] == 1 else "stereo"


def _encode(container: Any, stream: Any, samples: numpy.ndarray, rate: int, form: str) -> None:
    """Encodes samples in pieces of a second, each with its timestamp. The resampler cuts them to the encoder's size."""
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
    """The number of samples that the encoder takes at a time; 0 for any number."""
    return stream.codec_context.frame_size or 0
