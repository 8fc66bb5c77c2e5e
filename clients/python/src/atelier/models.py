"""The models of the catalog as functions, which check the types of their inputs. Written by clients/generate from the catalog. Do not edit."""

# ruff: noqa: E501
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Input:
    """A request to a model: its name and its fields."""

    model: str
    fields: dict[str, Any]


def _input(model: str, fields: dict[str, Any]) -> Input:
    return Input(model, {name: value for name, value in fields.items() if value is not None})


def ace_step_1_5(
    *,
    audio_url: str | None = None,
    bpm: int | None = None,
    duration: float | None = None,
    guidance_scale: float | None = None,
    key_scale: str | None = None,
    language_code: str | None = None,
    lyrics: str | None = None,
    output_format: Literal["mp3", "wav", "flac"] | None = None,
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
    strength: float | None = None,
    tags: str | None = None,
    time_signature: Literal[2, 3, 4, 6] | None = None,
) -> Input:
    """Songs of ten seconds to ten minutes with lyrics in many languages, or a cover of a track.

    audio_url: A track to cover.
    bpm: Beats per minute. From 30 to 300.
    duration: Duration in seconds. From 10 to 600. Default: 60.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 7.
    key_scale: Such as C major or F# minor.
    language_code: The language of the lyrics, as an ISO 639-1 code; detected if absent.
    lyrics: The words to sing, with tags such as [verse] and [chorus]; [Instrumental] for no vocals.
    output_format: The file format. Default: "mp3".
    prompt: The style: genre, instruments, mood, voice.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 20. Default: 8.
    strength: How closely a cover follows its source. From 0 to 1. Default: 1.
    tags: More style words, separated by commas.
    time_signature: Beats in a bar.
    """
    return _input("ace-step-1-5", locals())


def animatediff_sd15(
    *,
    guidance_scale: float | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
    strength: float | None = None,
    video_url: str | None = None,
) -> Input:
    """Short loops in the style of any Stable Diffusion 1.5 model, or a video in that style.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 7.5.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    strength: How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.8.
    video_url: A video to restyle.
    """
    return _input("animatediff-sd15", locals())


def background_removal(
    *,
    background: Literal["transparent", "white", "black", "color"] | None = None,
    color: str | None = None,
    feather: float | None = None,
    image_urls: list[str],
    prompt: str | None = None,
) -> Input:
    """Cuts out the subject of a picture, on a transparent, white, black or coloured background.

    background: The new background. Default: "transparent".
    color: The background colour, in hex such as #ff8800, if background is color. Default: "#ffffff".
    feather: The softness of the edge, in pixels. From 0 to 20. Default: 1.
    image_urls: The picture to edit. At most 1.
    prompt: Accepted for consistency; this tool ignores it.
    """
    return _input("background-removal", locals())


def camera_angle(
    *,
    azimuth: float | None = None,
    elevation: float | None = None,
    image_urls: list[str],
    prompt: str | None = None,
    roll: float | None = None,
    zoom: float | None = None,
) -> Input:
    """Shows a picture as if the camera had moved around it.

    azimuth: Degrees to the side: negative is left. From -60 to 60. Default: 0.
    elevation: Degrees up: negative is down. From -30 to 30. Default: 0.
    image_urls: The picture to edit. At most 1.
    prompt: A description of the angle.
    roll: Degrees turned clockwise. From -45 to 45. Default: 0.
    zoom: A value above 1 is closer. From 0.5 to 2. Default: 1.
    """
    return _input("camera-angle", locals())


def chatterbox_multilingual(
    *,
    audio_url: str | None = None,
    cfg_weight: float | None = None,
    exaggeration: float | None = None,
    language_code: Literal["ar", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "it", "ja", "ko", "ms", "nl", "no", "pl", "pt", "ru", "sv", "sw", "tr", "zh"] | None = None,
    temperature: float | None = None,
    text: str,
) -> Input:
    """Speech in 23 languages, with a voice of your own if you send one, as calm or as lively as you like.

    audio_url: A recording of the voice to use; without one, the built-in voice.
    cfg_weight: A lower value speaks more slowly and freely. From 0 to 1. Default: 0.5.
    exaggeration: A higher value is more expressive. From 0 to 2. Default: 0.5.
    language_code: The language of the speech. Default: "en".
    temperature: A higher value is livelier and less even. From 0 to 2. Default: 0.8.
    text: The text to speak.
    """
    return _input("chatterbox-multilingual", locals())


def chatterbox_voice_conversion(
    *,
    audio_url: str,
    reference_audio_url: str | None = None,
) -> Input:
    """The same words at the same pace, in another voice.

    audio_url: The recording to convert.
    reference_audio_url: A recording of the voice to use; without one, the built-in voice.
    """
    return _input("chatterbox-voice-conversion", locals())


def chroma1_hd(
    *,
    guidance_scale: float | None = None,
    n: int | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
) -> Input:
    """An open relative of FLUX.1 [schnell] that supports negative prompts and guidance.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 3.
    n: The number of outputs. From 1 to 4. Default: 1.
    negative_prompt: What to avoid.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 40.
    """
    return _input("chroma1-hd", locals())


def cogvideox_1_5_5b(
    *,
    duration: Literal[5, 10] | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1360x768"] | None = None,
    steps: int | None = None,
) -> Input:
    """Five or ten seconds at 1360 by 768 pixels, from English words or a first picture.

    duration: Duration in seconds. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 6.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows, in English.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1360x768".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("cogvideox-1-5-5b", locals())


def cosmos_predict2_5_2b(
    *,
    duration: int | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1280x704"] | None = None,
    steps: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Predicts scenes of robots, roads and other physical places, from words, a picture or a clip.

    duration: Duration in seconds. From 1 to 6. Default: 6.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 7.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1280x704".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 36.
    video_url: A clip to continue.
    """
    return _input("cosmos-predict2-5-2b", locals())


def cosyvoice3_0_5b(
    *,
    audio_url: str,
    instructions: str | None = None,
    language_code: Literal["zh", "en", "ja", "ko", "de", "es", "fr", "it", "ru"] | None = None,
    reference_text: str | None = None,
    speed: float | None = None,
    text: str,
) -> Input:
    """Nine languages and many dialects of Chinese in a given voice, with instructions on how to speak.

    audio_url: A recording of the voice to use.
    instructions: How to speak, in words.
    language_code: The language of the speech, for your records: the model detects it from the text.
    reference_text: The words of the voice sample.
    speed: 1 is the usual speed, 2 is twice as fast. From 0.5 to 2. Default: 1.
    text: The text to speak; [breath] becomes a breath, and Japanese must be written in katakana.
    """
    return _input("cosyvoice3-0-5b", locals())


def demucs_v4(
    *,
    audio_url: str,
    mp3_bitrate: int | None = None,
    output_format: Literal["wav", "mp3"] | None = None,
    overlap: float | None = None,
    separator: Literal["htdemucs", "htdemucs_ft", "htdemucs_6s", "hdemucs_mmi", "mdx_extra"] | None = None,
    shifts: int | None = None,
    stems: list[Literal["vocals", "drums", "bass", "other", "guitar", "piano"]] | None = None,
    two_stems: Literal["vocals", "drums", "bass"] | None = None,
) -> Input:
    """Separates a song into vocals, drums, bass and the rest.

    audio_url: The song to separate.
    mp3_bitrate: Kilobits per second, for MP3. From 64 to 320. Default: 320.
    output_format: The file format. Default: "wav".
    overlap: The overlap of one window with the next. From 0 to 0.99. Default: 0.25.
    separator: The network to use: htdemucs_ft is slower and finer, htdemucs_6s also separates guitar and piano.
    Default: "htdemucs".
    shifts: The number of shifted passes to average: more is slower and cleaner. From 0 to 10.
    stems: The stems to return; all if absent. At most 6.
    two_stems: This stem, and the rest as one.
    """
    return _input("demucs-v4", locals())


def dia_1_6b(
    *,
    audio_url: str | None = None,
    guidance_scale: float | None = None,
    max_tokens: int | None = None,
    temperature: float | None = None,
    text: str,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Input:
    """Two speakers in conversation, with the laughter and coughs of the script.

    audio_url: A recording of the voice to use, best 5 to 10 s long; put its transcript before the text.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 3.
    max_tokens: The maximum length: about 86 tokens per second. From 86 to 3072. Default: 3072.
    temperature: A higher value is livelier and less even. From 0 to 2. Default: 1.8.
    text: A script for two: lines start with [S1] and [S2] in turn, and (laughs) or (coughs) become sounds.
    top_k: The number of most likely tokens to sample from. From 1 to 1000. Default: 45.
    top_p: The share of the probability to sample from. From 0 to 1. Default: 0.9.
    """
    return _input("dia-1-6b", locals())


def elevenlabs_dubbing(
    *,
    audio_url: str,
    drop_background_audio: bool | None = None,
    end_time: int | None = None,
    language_code: str | None = None,
    num_speakers: int | None = None,
    start_time: int | None = None,
    target_language: str,
    use_profanity_filter: bool | None = None,
) -> Input:
    """Dubs a recording into another language, with a similar voice for every speaker.

    audio_url: The recording to dub, audio or video, at most 300 s long; the result is audio.
    drop_background_audio: On: keep only the voices. Default: false.
    end_time: The end, in seconds.
    language_code: The language of the recording, as an ISO 639 code; detected if absent.
    num_speakers: The number of speakers; 0 detects it. From 0 to 32. Default: 0.
    start_time: The start, in seconds.
    target_language: The language to dub into, as an ISO 639 code such as de or deu.
    use_profanity_filter: On: censor swear words.
    """
    return _input("elevenlabs-dubbing", locals())


def enhancer(
    *,
    color: bool | None = None,
    denoise: bool | None = None,
    image_urls: list[str],
    prompt: str | None = None,
    sharpen: bool | None = None,
    strength: float | None = None,
) -> Input:
    """Makes a picture clearer: less noise, sharper edges, better balanced colours.

    color: Balances light and colours. Default: true.
    denoise: Removes noise. Default: true.
    image_urls: The picture to edit. At most 1.
    prompt: Accepted for consistency; this tool ignores it.
    sharpen: Sharpens edges. Default: true.
    strength: How much of the change to apply. From 0 to 1. Default: 0.5.
    """
    return _input("enhancer", locals())


def ernie_image_turbo(
    *,
    enhance_prompt: bool | None = None,
    guidance_scale: float | None = None,
    n: int | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1024x1024"] | None = None,
    steps: int | None = None,
) -> Input:
    """Posters, comic panels and other structured layouts in eight steps.

    enhance_prompt: On: expand the prompt with more detail first. Default: true.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 1.
    n: The number of outputs. From 1 to 4. Default: 1.
    negative_prompt: What to avoid.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1024x1024".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 8.
    """
    return _input("ernie-image-turbo", locals())


def f5_tts(
    *,
    audio_url: str,
    guidance_scale: float | None = None,
    reference_text: str | None = None,
    remove_silence: bool | None = None,
    seed: int | None = None,
    speed: float | None = None,
    steps: int | None = None,
    text: str,
) -> Input:
    """English and Chinese in the voice of a short recording.

    audio_url: A recording of the voice to use, at most 12 s long.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 2.
    reference_text: The words of the voice sample; detected if absent.
    remove_silence: On: remove long pauses. Default: false.
    seed: The same seed with the same fields gives the same result.
    speed: 1 is the usual speed, 2 is twice as fast. From 0.3 to 2. Default: 1.
    steps: More steps take longer and sound cleaner. From 1 to 100. Default: 32.
    text: The text to speak.
    """
    return _input("f5-tts", locals())


def flux_1_dev(
    *,
    aspect_ratio: Literal["1:1", "16:9", "21:9", "2:3", "3:2", "4:5", "5:4", "9:16", "9:21"] | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
    strength: float | None = None,
) -> Input:
    """Pictures that follow long descriptions closely, or start from a picture of your own.

    aspect_ratio: Width to height. Default: "1:1".
    guidance_scale: How closely to follow the prompt. From 0 to 10. Default: 3.5.
    image_urls: The picture to start from. At most 1.
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 50. Default: 28.
    strength: How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.8.
    """
    return _input("flux-1-dev", locals())


def flux_1_fill_dev(
    *,
    guidance_scale: float | None = None,
    image_urls: list[str],
    mask_url: str,
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
) -> Input:
    """Repaints the masked part of a picture from words, or extends it beyond its edges.

    guidance_scale: How closely to follow the prompt. From 0 to 100. Default: 30.
    image_urls: The picture to edit. At most 1.
    mask_url: A picture of the same shape: white is replaced, black is kept.
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What to put in the masked part.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("flux-1-fill-dev", locals())


def flux_1_kontext_dev(
    *,
    guidance_scale: float | None = None,
    image_urls: list[str],
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["672x1568", "688x1504", "720x1456", "752x1392", "800x1328", "832x1248", "880x1184", "944x1104", "1024x1024", "1104x944", "1184x880", "1248x832", "1328x800", "1392x752", "1456x720", "1504x688", "1568x672"] | None = None,
    steps: int | None = None,
) -> Input:
    """Edits a picture by instruction and leaves the rest of it unchanged, edit after edit.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 3.5.
    image_urls: The picture to edit. At most 1.
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What to change.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; by default the size nearest to the shape of the input picture.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 28.
    """
    return _input("flux-1-kontext-dev", locals())


def flux_1_schnell(
    *,
    aspect_ratio: Literal["1:1", "16:9", "21:9", "2:3", "3:2", "4:5", "5:4", "9:16", "9:21"] | None = None,
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
) -> Input:
    """Fast pictures from words in one to four steps, with weights that anyone may use.

    aspect_ratio: Width to height. Default: "1:1".
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 4. Default: 4.
    """
    return _input("flux-1-schnell", locals())


def flux_2_dev(
    *,
    enhance_prompt: bool | None = None,
    guidance_scale: float | None = None,
    n: int | None = None,
    prompt: str,
    reference_image_urls: list[str] | None = None,
    seed: int | None = None,
    size: Literal["1024x1024"] | None = None,
    steps: int | None = None,
) -> Input:
    """A large model that draws from words and up to ten reference pictures.

    enhance_prompt: On: expand the prompt with more detail first. Default: false.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows, or how to change the input pictures.
    reference_image_urls: Up to 10 pictures of the subjects to show. At most 10.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1024x1024".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("flux-2-dev", locals())


def flux_2_klein_4b(
    *,
    n: int | None = None,
    prompt: str,
    reference_image_urls: list[str] | None = None,
    seed: int | None = None,
    size: Literal["1024x1024", "1152x896", "896x1152", "1248x832", "832x1248", "1360x768", "768x1360", "1568x672", "672x1568"] | None = None,
    steps: int | None = None,
) -> Input:
    """A small model for drawing and editing in four steps on a single consumer GPU.

    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows, or how to change the input pictures.
    reference_image_urls: Up to 2 pictures of the subjects to show. At most 2.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. By default those of the first reference image, or a square.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 4.
    """
    return _input("flux-2-klein-4b", locals())


def framepack_i2v(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str],
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
    teacache: bool | None = None,
) -> Input:
    """Long clips from a picture, up to two minutes, in as little as 6 GB of GPU memory.

    duration: Duration in seconds. From 1 to 120. Default: 5.
    guidance_scale: How closely to follow the prompt. From 1 to 32. Default: 10.
    image_urls: The first frame, and optionally the last. At most 2.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 25.
    teacache: On: faster, with some loss of fine detail, for example in hands. Default: true.
    """
    return _input("framepack-i2v", locals())


def glm_image(
    *,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1024x1024", "1152x1024", "1024x1056", "2048x2048"] | None = None,
    steps: int | None = None,
) -> Input:
    """Posters, diagrams and other pictures with much text, from words or pictures.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 1.5.
    image_urls: Up to 4 pictures to edit or to use as references. At most 4.
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows, or how to change the input pictures.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1024x1024".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("glm-image", locals())


def gpt_image_2_5_flare(
    *,
    image_urls: list[str] | None = None,
    mask_url: str | None = None,
    n: int | None = None,
    output_format: Literal["png", "jpeg", "webp"] | None = None,
    prompt: str,
    quality: Literal["auto", "low", "medium", "high"] | None = None,
    size: Literal["auto", "1024x1024", "1536x1024", "1024x1536", "2048x2048", "2048x1152", "1152x2048", "3840x2160", "2160x3840"] | None = None,
) -> Input:
    """OpenAI's fast picture model: drawing, editing with up to sixteen pictures, and masks.

    image_urls: Up to 16 pictures to edit or to use as references. At most 16.
    mask_url: A picture of the same shape: white is replaced, black is kept. It applies to the first image.
    n: The number of outputs. From 1 to 8. Default: 1.
    output_format: The file format. Default: "png".
    prompt: What the picture shows, or how to change the input pictures.
    quality: A higher quality takes longer; auto: the model decides. Default: "auto".
    size: Width and height in pixels; auto: the model decides. Default: "auto".
    """
    return _input("gpt-image-2-5-flare", locals())


def hidream_o1_image(
    *,
    guidance_scale: float | None = None,
    prompt: str,
    reference_image_urls: list[str] | None = None,
    seed: int | None = None,
    size: Literal["2048x2048"] | None = None,
    steps: int | None = None,
) -> Input:
    """Pictures of four megapixels from words, edits of one picture, and scenes with up to ten given subjects.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    prompt: What the picture shows, or how to change the input pictures.
    reference_image_urls: One picture is edited; two to ten provide subjects. At most 10.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "2048x2048".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("hidream-o1-image", locals())


def hunyuan_image_2_1(
    *,
    guidance_scale: float | None = None,
    n: int | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["2048x2048", "2560x1536", "1536x2560"] | None = None,
    steps: int | None = None,
) -> Input:
    """Draws at about four megapixels natively, square, wide or tall, with text in two languages.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 3.5.
    n: The number of outputs. From 1 to 4. Default: 1.
    negative_prompt: What to avoid.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "2048x2048".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("hunyuan-image-2-1", locals())


def hunyuan_video_1_5_i2v(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str],
    negative_prompt: str | None = None,
    prompt: str,
    resolution: Literal["480p", "720p"] | None = None,
    seed: int | None = None,
    steps: int | None = None,
    super_resolution: bool | None = None,
) -> Input:
    """Clips of up to ten seconds from a first picture.

    duration: Duration in seconds. From 1 to 10. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 6.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    resolution: The shorter side, in pixels. Default: "720p".
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    super_resolution: On: a final pass increases the resolution. Default: true.
    """
    return _input("hunyuan-video-1-5-i2v", locals())


def hunyuan_video_1_5_t2v(
    *,
    aspect_ratio: Literal["16:9", "9:16", "1:1", "4:3", "3:4"] | None = None,
    duration: float | None = None,
    guidance_scale: float | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    resolution: Literal["480p", "720p"] | None = None,
    seed: int | None = None,
    steps: int | None = None,
    super_resolution: bool | None = None,
) -> Input:
    """Clips of up to ten seconds from words, from a model that fits into a consumer GPU.

    aspect_ratio: Width to height. Default: "16:9".
    duration: Duration in seconds. From 1 to 10. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 6.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    resolution: The shorter side, in pixels. Default: "720p".
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    super_resolution: On: a final pass increases the resolution. Default: true.
    """
    return _input("hunyuan-video-1-5-t2v", locals())


def image_gen_4(
    *,
    image_urls: list[str] | None = None,
    n: int | None = None,
    prompt: str,
    resolution: Literal["1K", "2K", "4K"] | None = None,
    size: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None = None,
) -> Input:
    """Pictures from a description, alone or with up to ten reference pictures, in eight shapes at up to 4K.

    image_urls: Up to 10 pictures to edit or to use as references. At most 10.
    n: The number of pictures. From 1 to 15. Default: 1.
    prompt: What the picture shows, or how to change the reference pictures.
    resolution: 1K, 2K and 4K are about 1, 4 and 16 megapixels in every shape. Default: "2K".
    size: The shape of the picture, width to height. Default: "1:1".
    """
    return _input("image-gen-4", locals())


def indextts_2_5(
    *,
    audio_url: str,
    emotion_audio_url: str | None = None,
    emotion_strength: float | None = None,
    emotion_text: str | None = None,
    emotions: list[Literal["happy", "angry", "sad", "afraid", "disgusted", "melancholic", "surprised", "calm"]] | None = None,
    language_code: Literal["zh", "en", "ja", "es", "ar"] | None = None,
    speed: float | None = None,
    text: str,
) -> Input:
    """A given voice in five languages, with separate control of mood and pace.

    audio_url: A recording of the voice to use.
    emotion_audio_url: A recording with the mood to use.
    emotion_strength: The strength of the mood. From 0 to 1. Default: 1.
    emotion_text: The mood in words.
    emotions: Moods to mix. At most 8.
    language_code: The language of the speech. Default: "en".
    speed: 1 is the usual speed, 2 is twice as fast. From 0.5 to 2. Default: 1.
    text: The text to speak.
    """
    return _input("indextts-2-5", locals())


def infinitetalk(
    *,
    audio_guidance_scale: float | None = None,
    audio_url: str,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    mode: Literal["clip", "streaming"] | None = None,
    prompt: str | None = None,
    resolution: Literal["480p", "720p"] | None = None,
    seed: int | None = None,
    steps: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Moves lips, head and body to a recording, in a video or from a portrait, at any length.

    audio_guidance_scale: How closely the lips follow the sound. From 0 to 20. Default: 4.
    audio_url: The speech; the video has its length.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    image_urls: A portrait to bring to life. At most 1.
    mode: clip: one short piece. streaming: long videos, piece by piece. Default: "streaming".
    prompt: What the video shows.
    resolution: The shorter side, in pixels. Default: "480p".
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 40.
    video_url: A video to dub.
    """
    return _input("infinitetalk", locals())


def inpaint(
    *,
    image_urls: list[str],
    mask_url: str,
    prompt: str | None = None,
    seed: int | None = None,
) -> Input:
    """Replaces the white part of a mask in a picture to match its surroundings.

    image_urls: The picture to edit. At most 1.
    mask_url: A picture of the same shape: white is replaced, black is kept.
    prompt: What to put there; by default the surroundings are continued.
    seed: The same seed with the same fields gives the same picture.
    """
    return _input("inpaint", locals())


def kandinsky_5_lite_t2v(
    *,
    duration: Literal[5, 10] | None = None,
    enhance_prompt: bool | None = None,
    guidance_scale: float | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["768x512", "512x768", "512x512"] | None = None,
    steps: int | None = None,
) -> Input:
    """Five or ten seconds from words in English or Russian, with a small model.

    duration: Duration in seconds. Default: 5.
    enhance_prompt: On: expand the prompt with more detail first. Default: true.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "768x512".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("kandinsky-5-lite-t2v", locals())


def kandinsky_5_pro_i2v(
    *,
    guidance_scale: float | None = None,
    image_urls: list[str],
    negative_prompt: str | None = None,
    prompt: str,
    resolution: Literal["512", "1024"] | None = None,
    seed: int | None = None,
    steps: int | None = None,
) -> Input:
    """Five seconds from a first picture, in the same shape, with a large model.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    resolution: 512 is standard, 1024 is high definition; the shape is that of the first frame. Default: "512".
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("kandinsky-5-pro-i2v", locals())


def kling_3_0(
    *,
    aspect_ratio: Literal["16:9", "9:16", "1:1"] | None = None,
    duration: int | None = None,
    generate_audio: bool | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    resolution: Literal["720p", "1080p"] | None = None,
    seed: int | None = None,
) -> Input:
    """Kuaishou's model for 3 to 15 seconds with or without sound, from words or between two frames.

    aspect_ratio: Width to height. Default: "16:9".
    duration: Duration in seconds. From 3 to 15. Default: 5.
    generate_audio: On: add a sound track.
    guidance_scale: How closely to follow the prompt, 0 to 1. From 0 to 1. Default: 0.5.
    image_urls: The first frame, and the last. At most 2.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    resolution: The shorter side, in pixels. Default: "1080p".
    seed: The same seed with the same fields gives the same result. From 0 to 2147483647.
    """
    return _input("kling-3-0", locals())


def kokoro_82m(
    *,
    language_code: Literal["en-us", "en-gb", "es", "fr-fr", "hi", "it", "ja", "pt-br", "zh"] | None = None,
    output_format: Literal["mp3", "wav", "opus", "flac", "aac", "pcm"] | None = None,
    speed: float | None = None,
    text: str,
    voice: Literal["af_heart", "af_alloy", "af_aoede", "af_bella", "af_jessica", "af_kore", "af_nicole", "af_nova", "af_river", "af_sarah", "af_sky", "am_adam", "am_echo", "am_eric", "am_fenrir", "am_liam", "am_michael", "am_onyx", "am_puck", "am_santa", "bf_alice", "bf_emma", "bf_isabella", "bf_lily", "bm_daniel", "bm_fable", "bm_george", "bm_lewis", "ef_dora", "em_alex", "em_santa", "ff_siwis", "hf_alpha", "hf_beta", "hm_omega", "hm_psi", "if_sara", "im_nicola", "jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo", "pf_dora", "pm_alex", "pm_santa", "zf_xiaobei", "zf_xiaoni", "zf_xiaoxiao", "zf_xiaoyi", "zm_yunjian", "zm_yunxi", "zm_yunxia", "zm_yunyang"] | None = None,
) -> Input:
    """Small and fast: 54 voices in nine languages and variants, even on a CPU.

    language_code: The language of the speech; by default the language of the voice.
    output_format: The file format. Default: "mp3".
    speed: 1 is the usual speed, 2 is twice as fast. From 0.25 to 4. Default: 1.
    text: The text to speak.
    voice: The voice. The first letter is the language: a American and b British English, e Spanish, f French, h
    Hindi, i Italian, j Japanese, p Portuguese, z Chinese; the second f for a woman, m for a man. Default: "af_heart".
    """
    return _input("kokoro-82m", locals())


def krea_2_turbo(
    *,
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1024x1024", "2048x2048"] | None = None,
    steps: int | None = None,
) -> Input:
    """Many art styles in eight steps, at one or four megapixels.

    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1024x1024".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 8.
    """
    return _input("krea-2-turbo", locals())


def latentsync_1_6(
    *,
    audio_url: str,
    guidance_scale: float | None = None,
    seed: int | None = None,
    steps: int | None = None,
    video_url: str,
) -> Input:
    """Matches the lips of a filmed speaker to another sound track.

    audio_url: The speech that the lips follow.
    guidance_scale: A higher value matches the lips more closely and may jitter. From 1 to 3. Default: 2.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 20 to 50. Default: 20.
    video_url: The video of a face.
    """
    return _input("latentsync-1-6", locals())


def liveportrait(
    *,
    animation_region: Literal["all", "exp", "pose", "lip", "eyes"] | None = None,
    audio_priority: Literal["driving", "source"] | None = None,
    crop_driving_video: bool | None = None,
    driving_multiplier: float | None = None,
    driving_option: Literal["expression-friendly", "pose-friendly"] | None = None,
    image_urls: list[str] | None = None,
    relative_motion: bool | None = None,
    source_video_url: str | None = None,
    stitching: bool | None = None,
    video_url: str,
) -> Input:
    """Transfers the expressions and head movements of a video to a portrait or another video.

    animation_region: What moves: everything, expression, pose, lips or eyes. Default: "all".
    audio_priority: The source of the sound. Default: "driving".
    crop_driving_video: On: crop the driving video to the face. Default: false.
    driving_multiplier: 1 moves as much as the driving video. From 0 to 3. Default: 1.
    driving_option: Whether to favour expressions or head movements. Default: "expression-friendly".
    image_urls: The portrait to bring to life. At most 1.
    relative_motion: On: movements are relative to the first frame of the driving video. Default: true.
    source_video_url: A video to animate, instead of a portrait.
    stitching: On: blend the moved head with the shoulders. Default: true.
    video_url: The video with the expressions and movements to copy.
    """
    return _input("liveportrait", locals())


def longcat_video(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    resolution: Literal["480p", "720p"] | None = None,
    seed: int | None = None,
    steps: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Clips from words or a picture and continuations of up to a minute, refined from 480p to 720p.

    duration: Duration in seconds. From 6 to 60. Default: 6.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    resolution: The shorter side, in pixels. Default: "480p".
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    video_url: A video to continue.
    """
    return _input("longcat-video", locals())


def ltx_2_19b(
    *,
    duration: float | None = None,
    generate_audio: bool | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["768x512", "1536x1024"] | None = None,
    steps: int | None = None,
) -> Input:
    """Picture and sound made together, from words or from a first picture.

    duration: Duration in seconds. From 1 to 10. Default: 5.
    generate_audio: On: add a sound track. Default: true.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 3.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "768x512".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 40.
    """
    return _input("ltx-2-19b", locals())


def ltx_2_3_audio_to_video(
    *,
    audio_url: str,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1536x1024"] | None = None,
    steps: int | None = None,
) -> Input:
    """A clip that moves to your recording and has it as its sound track.

    audio_url: The sound track, to which the video moves.
    duration: Duration in seconds. From 1 to 10. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 3.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1536x1024".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 30.
    """
    return _input("ltx-2-3-audio-to-video", locals())


def ltx_2_3_dubit(
    *,
    prompt: str,
    seed: int | None = None,
    size: Literal["1536x1024"] | None = None,
    strength: float | None = None,
    video_url: str,
) -> Input:
    """Lets a person in a video say something else, in the same voice and with matching lips.

    prompt: The scene, and the new words.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1536x1024".
    strength: How closely to follow the source video. From 0 to 1. Default: 1.
    video_url: The video of a speaker, with its sound; the result has the same length.
    """
    return _input("ltx-2-3-dubit", locals())


def ltx_2_5_22b(
    *,
    duration: float | None = None,
    enhance_prompt: bool | None = None,
    fps: int | None = None,
    generate_audio: bool | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["768x512", "1536x1024"] | None = None,
    steps: int | None = None,
) -> Input:
    """Video with sound, in one scene or several, from words or between a first and a last picture.

    duration: Duration in seconds. From 1 to 20. Default: 5.
    enhance_prompt: On: expand the prompt with more detail first. Default: false.
    fps: Frames per second. From 1 to 50. Default: 24.
    generate_audio: On: add a sound track. Default: true.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 3.
    image_urls: The first frame, and the last. At most 2.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "768x512".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 30.
    """
    return _input("ltx-2-5-22b", locals())


def ltx_video_13b_0_9_8(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1216x704", "704x1216", "704x512"] | None = None,
    video_url: str | None = None,
) -> Input:
    """Fast clips from words or pictures, or the continuation of a video.

    duration: Duration in seconds. From 1 to 60. Default: 4.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 1.
    image_urls: The first frame, and the last. At most 2.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1216x704".
    video_url: A video to continue.
    """
    return _input("ltx-video-13b-0-9-8", locals())


def magi_1_4_5b(
    *,
    duration: float | None = None,
    image_urls: list[str] | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["720x720"] | None = None,
    steps: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Video generated a second at a time, from words, from a picture or as the continuation of a clip.

    duration: Duration in seconds. From 1 to 10. Default: 4.
    image_urls: The first frame. At most 1.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "720x720".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 64.
    video_url: A clip to continue.
    """
    return _input("magi-1-4-5b", locals())


def minimax_h3(
    *,
    aspect_ratio: Literal["21:9", "16:9", "4:3", "1:1", "3:4", "9:16"] | None = None,
    audio_url: str | None = None,
    duration: float | None = None,
    image_urls: list[str] | None = None,
    prompt: str,
    reference_image_urls: list[str] | None = None,
    seed: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Clips with stereo sound from words, first and last pictures, or reference pictures, videos and sounds.

    aspect_ratio: Width to height.
    audio_url: A reference sound, 2 to 15 s long.
    duration: Duration in seconds. From 5 to 15. Default: 5.
    image_urls: The first frame, and the last. At most 2.
    prompt: What the video shows.
    reference_image_urls: Up to 9 pictures of the subjects to show. At most 9.
    seed: The same seed with the same fields gives the same result.
    video_url: A reference video for the movement, 2 to 15 s long.
    """
    return _input("minimax-h3", locals())


def minimax_music_3(
    *,
    duration: float | None = None,
    lyrics: str,
    prompt: str,
    seed: int | None = None,
) -> Input:
    """Whole songs of up to five minutes, sung from your lyrics in the style you describe.

    duration: The maximum duration in seconds: the song may end sooner. From 1 to 300. Default: 60.
    lyrics: The words to sing, with a tag on a line of its own before each part: [intro], [verse], [pre-chorus],
    [chorus], [bridge], [instrumental], [solo] or [outro].
    prompt: Genre, tempo, key, voices and arrangement.
    seed: The same seed with the same fields gives the same result.
    """
    return _input("minimax-music-3", locals())


def mmaudio_large(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    negative_prompt: str | None = None,
    prompt: str | None = None,
    seed: int | None = None,
    steps: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Makes the sound for a silent video, or a sound from words.

    duration: Duration in seconds; the model works best with 8. From 1 to 30. Default: 8.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.5.
    negative_prompt: What to avoid.
    prompt: A description of the sound.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 25.
    video_url: The video to make sound for.
    """
    return _input("mmaudio-large", locals())


def mochi_1(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["848x480"] | None = None,
    steps: int | None = None,
) -> Input:
    """Lively motion from words, at 480p and 30 frames a second.

    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 6.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "848x480".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 64.
    """
    return _input("mochi-1", locals())


def musetalk_1_5(
    *,
    audio_url: str,
    extra_margin: int | None = None,
    fps: int | None = None,
    parsing_mode: Literal["jaw", "raw"] | None = None,
    video_url: str,
) -> Input:
    """Fast lip-sync that repaints the face of a speaker, in several languages.

    audio_url: The speech that the lips follow.
    extra_margin: How far below the jaw to repaint, in pixels. From 0 to 40. Default: 10.
    fps: Frames per second. From 1 to 60. Default: 25.
    parsing_mode: The part to blend in: the jaw, or everything repainted. Default: "jaw".
    video_url: The video of a face.
    """
    return _input("musetalk-1-5", locals())


def music_gen(
    *,
    audio_weight: float | None = None,
    custom_mode: bool | None = None,
    make_instrumental: bool | None = None,
    model_version: Literal["v5_5", "v5", "v4_5plus", "v4_5all", "v4_5", "v4"] | None = None,
    negative_tags: str | None = None,
    persona_id: str | None = None,
    prompt: str,
    style: str | None = None,
    style_weight: float | None = None,
    title: str | None = None,
    vocal_gender: Literal["auto", "male", "female"] | None = None,
    weirdness_constraint: float | None = None,
) -> Input:
    """Songs and instrumentals from an idea, or from your own lyrics with a style and a title.

    audio_weight: The weight of the sound against the words. From 0 to 1.
    custom_mode: On: the prompt is the lyrics, and style and title are required. Off: lyrics are written
    automatically. Default: false.
    make_instrumental: On: no vocals. Default: false.
    model_version: Model version. Default: "v5_5".
    negative_tags: Styles to avoid.
    persona_id: A persona to apply; in custom mode only.
    prompt: The idea of the song; in custom mode, the exact lyrics.
    style: Style or genre.
    style_weight: How closely to follow the style. From 0 to 1.
    title: Title of the track.
    vocal_gender: Makes such a voice more likely, without a guarantee. Default: "auto".
    weirdness_constraint: How unusual the result may be. From 0 to 1.
    """
    return _input("music-gen", locals())


def music_replace_section(
    *,
    audio_url: str,
    end_seconds: float,
    prompt: str,
    start_seconds: float,
    style: str | None = None,
) -> Input:
    """Replaces a section of a track with new music and leaves the rest unchanged.

    audio_url: The track with the section to replace.
    end_seconds: The end of the section, in seconds.
    prompt: The content of the new section: lyrics, or a musical description.
    start_seconds: The start of the section, in seconds.
    style: Style tags for the new section.
    """
    return _input("music-replace-section", locals())


def musicgen_melody(
    *,
    audio_url: str | None = None,
    duration: float | None = None,
    guidance_scale: float | None = None,
    prompt: str,
    seed: int | None = None,
    temperature: float | None = None,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Input:
    """Instrumental music from words, optionally on the melody of a recording.

    audio_url: A recording with the melody to follow.
    duration: Duration in seconds. From 1 to 120. Default: 30.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 3.
    prompt: A description of the music.
    seed: The same seed with the same fields gives the same result.
    temperature: A higher value is livelier and less even. From 0 to 2. Default: 1.
    top_k: The number of most likely tokens to sample from. From 0 to 2048. Default: 250.
    top_p: The share of the probability to sample from; 0 uses top k instead. From 0 to 1. Default: 0.
    """
    return _input("musicgen-melody", locals())


def nano_banana_2_1(
    *,
    aspect_ratio: Literal["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"] | None = None,
    prompt: str,
    reference_image_urls: list[str] | None = None,
    resolution: Literal["1K", "2K", "4K"] | None = None,
    seed: int | None = None,
) -> Input:
    """Google's picture model for drawing and editing with up to fourteen reference pictures.

    aspect_ratio: Width to height; by default the shape of the first input picture, or square.
    prompt: What the picture shows, or how to change the input pictures.
    reference_image_urls: Up to 14 pictures of the subjects to show. At most 14.
    resolution: 1K, 2K and 4K are about 1, 4 and 16 megapixels in every shape. Default: "1K".
    seed: The same seed makes a similar picture, without a guarantee.
    """
    return _input("nano-banana-2-1", locals())


def omnigen2(
    *,
    guidance_scale: float | None = None,
    image_guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    n: int | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1024x1024"] | None = None,
    steps: int | None = None,
) -> Input:
    """Draws from words, edits by instruction, and combines people and things from up to three pictures.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    image_guidance_scale: How closely to follow the input pictures: up to 2 for edits, 2.5 to 3 to combine pictures.
    From 1 to 5. Default: 2.
    image_urls: Up to 3 pictures to edit or to combine. At most 3.
    n: The number of outputs. From 1 to 4. Default: 1.
    negative_prompt: What to avoid.
    prompt: What the picture shows, or how to change the input pictures.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; by default the shape of the first input picture.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("omnigen2", locals())


def orpheus_3b(
    *,
    repetition_penalty: float | None = None,
    temperature: float | None = None,
    text: str,
    top_p: float | None = None,
    voice: Literal["tara", "leah", "jess", "leo", "dan", "mia", "zac", "zoe"] | None = None,
) -> Input:
    """English speech in eight voices that can laugh, sigh and gasp.

    repetition_penalty: A higher value repeats less. From 1.1 to 2. Default: 1.3.
    temperature: A higher value is livelier and less even. From 0 to 2. Default: 0.6.
    text: The text to speak; tags such as <laugh>, <sigh> or <gasp> become sounds.
    top_p: The share of the probability to sample from. From 0 to 1. Default: 0.8.
    voice: The voice. Default: "tara".
    """
    return _input("orpheus-3b", locals())


def piper(
    *,
    language_code: Literal["ar_JO", "ca_ES", "cs_CZ", "cy_GB", "da_DK", "de_DE", "el_GR", "en_GB", "en_US", "es_AR", "es_ES", "es_MX", "fa_IR", "fi_FI", "fr_FR", "hu_HU", "is_IS", "id_ID", "it_IT", "ka_GE", "kk_KZ", "lb_LU", "lv_LV", "ml_IN", "hi_IN", "ne_NP", "nl_BE", "nl_NL", "no_NO", "pl_PL", "pt_BR", "pt_PT", "ro_RO", "ru_RU", "sk_SK", "sl_SI", "sr_RS", "sv_SE", "sw_CD", "te_IN", "tr_TR", "uk_UA", "vi_VN", "zh_CN"] | None = None,
    noise_scale: float | None = None,
    noise_w_scale: float | None = None,
    speaker_id: int | None = None,
    speed: float | None = None,
    text: str,
    voice: str | None = None,
) -> Input:
    """Voices for more than forty languages, on any CPU and without a network.

    language_code: The language of the speech. Default: "en_US".
    noise_scale: A higher value varies the sound of the voice more. From 0 to 2.
    noise_w_scale: A higher value varies the length of sounds more. From 0 to 2.
    speaker_id: The speaker, for voices with several. From 0 to 9999.
    speed: 1 is the usual speed, 2 is twice as fast. From 0.25 to 4. Default: 1.
    text: The text to speak.
    voice: A voice from the collection rhasspy/piper-voices, named locale-speaker-quality. Default: "en_US-lessac-
    medium".
    """
    return _input("piper", locals())


def qwen_image_2512(
    *,
    guidance_scale: float | None = None,
    n: int | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1328x1328", "1664x928", "928x1664", "1472x1104", "1104x1472", "1584x1056", "1056x1584"] | None = None,
    steps: int | None = None,
) -> Input:
    """Lifelike people and reliable text in English and Chinese, in seven shapes.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.
    n: The number of outputs. From 1 to 4. Default: 1.
    negative_prompt: What to avoid.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1328x1328".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("qwen-image-2512", locals())


def qwen_image_edit_2511(
    *,
    guidance_scale: float | None = None,
    image_urls: list[str],
    n: int | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
) -> Input:
    """Edits one to three pictures by instruction, with people and text kept or changed.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.
    image_urls: 1 to 3 pictures to edit or to combine. At most 3.
    n: The number of outputs. From 1 to 4. Default: 1.
    negative_prompt: What to avoid.
    prompt: What to change.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 40.
    """
    return _input("qwen-image-edit-2511", locals())


def qwen_image_layered(
    *,
    guidance_scale: float | None = None,
    image_urls: list[str],
    layers: int | None = None,
    negative_prompt: str | None = None,
    prompt: str | None = None,
    resolution: Literal["640", "1024"] | None = None,
    seed: int | None = None,
    steps: int | None = None,
) -> Input:
    """Separates a picture into transparent layers that can be moved and coloured one by one.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.
    image_urls: The picture to edit. At most 1.
    layers: The number of layers. From 1 to 16. Default: 4.
    negative_prompt: What to avoid.
    prompt: An optional caption of the whole picture.
    resolution: The working size: about this many pixels a side. Default: "640".
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("qwen-image-layered", locals())


def qwen3_tts_1_7b(
    *,
    audio_url: str | None = None,
    instructions: str | None = None,
    language_code: Literal["Auto", "Chinese", "English", "Japanese", "Korean", "German", "French", "Russian", "Portuguese", "Spanish", "Italian"] | None = None,
    reference_text: str | None = None,
    text: str,
    voice: Literal["Vivian", "Serena", "Uncle_Fu", "Dylan", "Eric", "Ryan", "Aiden", "Ono_Anna", "Sohee"] | None = None,
) -> Input:
    """Ten languages in ready-made voices, in voices you describe, or in a voice cloned from three seconds of sound.

    audio_url: A recording of the voice to use; about 3 s are enough.
    instructions: How to speak, or a description of the voice.
    language_code: The language of the speech; Auto detects it from the text. Default: "Auto".
    reference_text: The words of the voice sample.
    text: The text to speak.
    voice: The voice. Default: "Ryan".
    """
    return _input("qwen3-tts-1-7b", locals())


def relight(
    *,
    ambient: float | None = None,
    color: str | None = None,
    direction: Literal["left", "right", "top", "bottom", "front", "back"] | None = None,
    image_urls: list[str],
    intensity: float | None = None,
    prompt: str | None = None,
) -> Input:
    """Lights a picture from a direction of your choice.

    ambient: How much of the existing light is kept. From 0 to 1. Default: 0.5.
    color: The colour of the light, in hex such as #ffd9a0. Default: "#ffffff".
    direction: The direction of the light. Default: "left".
    image_urls: The picture to edit. At most 1.
    intensity: The strength of the light. From 0 to 2. Default: 1.
    prompt: A description of the light, such as warm evening sun.
    """
    return _input("relight", locals())


def sana_sprint_1_6b(
    *,
    guidance_scale: float | None = None,
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1024x1024"] | None = None,
    steps: int | None = None,
) -> Input:
    """Square pictures in one to four steps, for previews on modest GPUs.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.5.
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1024x1024".
    steps: More steps take longer and show more detail. From 1 to 4. Default: 2.
    """
    return _input("sana-sprint-1-6b", locals())


def sd_3_5_large(
    *,
    guidance_scale: float | None = None,
    n: int | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1024x1024"] | None = None,
    steps: int | None = None,
) -> Input:
    """One-megapixel pictures that follow the prompt closely, including text.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.5.
    n: The number of outputs. From 1 to 4. Default: 1.
    negative_prompt: What to avoid.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1024x1024".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 40.
    """
    return _input("sd-3-5-large", locals())


def sdxl_1_0(
    *,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    n: int | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["704x1408", "704x1344", "768x1344", "768x1280", "832x1216", "832x1152", "896x1152", "896x1088", "960x1088", "960x1024", "1024x1024", "1024x960", "1088x960", "1088x896", "1152x896", "1152x832", "1216x832", "1280x768", "1344x768", "1344x704", "1408x704", "1472x704", "1536x640", "1600x640", "1664x576", "1728x576"] | None = None,
    steps: int | None = None,
    strength: float | None = None,
) -> Input:
    """The widely fine-tuned open model for pictures of about one megapixel in 26 sizes.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    image_urls: The picture to start from. At most 1.
    n: The number of outputs. From 1 to 4. Default: 1.
    negative_prompt: What to avoid.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1024x1024".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    strength: How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.3.
    """
    return _input("sdxl-1-0", locals())


def sdxl_turbo(
    *,
    image_urls: list[str] | None = None,
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["512x512"] | None = None,
    steps: int | None = None,
    strength: float | None = None,
) -> Input:
    """Previews of 512 pixels in one to four steps.

    image_urls: The picture to start from. At most 1.
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "512x512".
    steps: More steps take longer and show more detail. From 1 to 4. Default: 1.
    strength: How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.5.
    """
    return _input("sdxl-turbo", locals())


def seedvr2_video_upscale(
    *,
    fps: int | None = None,
    model_size: Literal["3B", "7B"] | None = None,
    seed: int | None = None,
    size: Literal["1280x720", "1920x1080"] | None = None,
    video_url: str,
) -> Input:
    """Sharpens, restores and enlarges a video in one step.

    fps: Frames per second; by default those of the source. From 1 to 120.
    model_size: 7B is slower and finds more detail. Default: "3B".
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1280x720".
    video_url: The video to enlarge.
    """
    return _input("seedvr2-video-upscale", locals())


def skyreels_v2_df_14b(
    *,
    ar_step: int | None = None,
    duration: Literal[4, 10, 15, 30, 60] | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    overlap_history: int | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["960x544"] | None = None,
    steps: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Scenes of up to a minute at 540p, extended piece by piece.

    ar_step: 0 makes all frames together; 5 makes later frames follow earlier ones. From 0 to 10. Default: 0.
    duration: Duration in seconds. Default: 4.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 6.
    image_urls: The first frame, and the last. At most 2.
    negative_prompt: What to avoid.
    overlap_history: The number of frames that two pieces share; for videos longer than 4 seconds. From 1 to 97.
    Default: 17.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "960x544".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    video_url: A video to extend.
    """
    return _input("skyreels-v2-df-14b", locals())


def stable_audio_3_sfx(
    *,
    audio_url: str | None = None,
    duration: float | None = None,
    guidance_scale: float | None = None,
    inpaint_end: float | None = None,
    inpaint_start: float | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    steps: int | None = None,
    strength: float | None = None,
) -> Input:
    """Sound effects and ambience of up to two minutes, from a model small enough for a CPU.

    audio_url: A sound to change, as a whole or in part.
    duration: Duration in seconds. From 1 to 120. Default: 10.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 1.
    inpaint_end: The end of the part to replace, in seconds. From 0 to 120.
    inpaint_start: The start of the part to replace, in seconds. From 0 to 120.
    negative_prompt: What to avoid.
    prompt: A description of the sound.
    seed: The same seed with the same fields gives the same result.
    steps: More steps take longer and show more detail. From 1 to 100. Default: 8.
    strength: How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 1.
    """
    return _input("stable-audio-3-sfx", locals())


def svd_xt(
    *,
    fps: int | None = None,
    image_urls: list[str],
    max_guidance_scale: float | None = None,
    min_guidance_scale: float | None = None,
    motion_bucket_id: int | None = None,
    noise_aug_strength: float | None = None,
    num_frames: Literal[14, 25] | None = None,
    seed: int | None = None,
    size: Literal["1024x576"] | None = None,
    steps: int | None = None,
) -> Input:
    """Animates a picture for 14 or 25 frames, without a prompt.

    fps: Frames per second. From 5 to 30. Default: 7.
    image_urls: The first frame. At most 1.
    max_guidance_scale: How closely the last frame follows the picture. From 0 to 20. Default: 3.
    min_guidance_scale: How closely the first frame follows the picture. From 0 to 20. Default: 1.
    motion_bucket_id: A higher value moves more. From 1 to 255. Default: 127.
    noise_aug_strength: Noise added to the picture first: more noise allows more change. From 0 to 1. Default: 0.02.
    num_frames: The number of frames. Default: 25.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "1024x576".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 25.
    """
    return _input("svd-xt", locals())


def tts_v3(
    *,
    apply_text_normalization: Literal["auto", "on", "off"] | None = None,
    language_code: str | None = None,
    stability: float | None = None,
    text: str,
    timestamps: bool | None = None,
    voice: Literal["Amara", "Björn", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Haruki", "Ingrid", "Joaquim", "Kavya", "Liam", "Mei", "Nneka", "Omar", "Paloma", "Quentin", "Rosalind", "Santiago", "Tala", "Wren"] | None = None,
) -> Input:
    """Reads a text aloud in one of 21 voices and 94 languages, optionally with word times.

    apply_text_normalization: Whether numbers, dates and abbreviations are spelled out before reading. Default:
    "auto".
    language_code: An ISO 639-1 code that sets the language, such as en, de or zh; by default it is detected from the
    text, and is English in doubt.
    stability: Low: livelier, with more variation. High: steadier. From 0 to 1. Default: 0.5.
    text: The text to read aloud.
    timestamps: On: the times of each word, in a separate JSON file. Default: false.
    voice: The voice that reads the text. Default: "Wren".
    """
    return _input("tts-v3", locals())


def upscale(
    *,
    factor: Literal[2, 4] | None = None,
    image_urls: list[str],
    mode: Literal["auto", "photo", "art"] | None = None,
    prompt: str | None = None,
) -> Input:
    """Enlarges a picture two or four times and keeps its edges sharp.

    factor: The factor for width and height. Default: 2.
    image_urls: The picture to edit. At most 1.
    mode: The kind of picture; auto detects it. Default: "auto".
    prompt: Accepted for consistency; this tool ignores it.
    """
    return _input("upscale", locals())


def veo_3_1(
    *,
    aspect_ratio: Literal["16:9", "9:16"] | None = None,
    duration: Literal[4, 6, 8] | None = None,
    generate_audio: bool | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    reference_image_urls: list[str] | None = None,
    resolution: Literal["720p", "1080p", "4k"] | None = None,
    seed: int | None = None,
) -> Input:
    """Google's model for clips with sound, from words, between two frames, or with up to three reference pictures.

    aspect_ratio: Width to height. Default: "16:9".
    duration: Duration in seconds. Default: 8.
    generate_audio: On: add a sound track.
    image_urls: The first frame, and the last. At most 2.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    reference_image_urls: Up to 3 pictures of the subjects to show; only with 16:9 and 8 s. At most 3.
    resolution: The shorter side in pixels; 4k is 2160. Default: "720p".
    seed: The same seed with the same fields gives the same result. From 0 to 4294967295.
    """
    return _input("veo-3-1", locals())


def video_edit_1_0(
    *,
    aspect_ratio: Literal["16:9", "9:16", "1:1", "4:3", "3:4"] | None = None,
    audio_setting: Literal["auto", "origin"] | None = None,
    duration: float | None = None,
    enable_safety_checker: bool | None = None,
    image_urls: list[str] | None = None,
    prompt: str | None = None,
    reference_image_urls: list[str] | None = None,
    resolution: Literal["720p", "1080p"] | None = None,
    seed: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Edits a video by instruction, with reference pictures; without a video, makes one from text or pictures.

    aspect_ratio: Width to height. Default: "16:9".
    audio_setting: auto: the model decides. origin: keep the original sound. Default: "auto".
    duration: Duration in seconds; for an edit, the source video decides. From 3 to 15. Default: 5.
    enable_safety_checker: Turns the safety filter on or off.
    image_urls: A picture that supports the edit; without a video, the first frame. At most 1.
    prompt: What to change; without a video, what to show. Cite reference pictures as @Image1, @Image2 and so on.
    reference_image_urls: 1 to 9 pictures of characters and objects. At most 9.
    resolution: The shorter side, in pixels. Default: "1080p".
    seed: The same seed with the same fields gives the same video.
    video_url: The video to edit, 3 to 60 s long.
    """
    return _input("video-edit-1-0", locals())


def video_fast_2(
    *,
    aspect_ratio: Literal["1:1", "21:9", "4:3", "3:4", "16:9", "9:16"] | None = None,
    duration: int | None = None,
    generate_audio: bool | None = None,
    image_urls: list[str] | None = None,
    prompt: str,
    reference_audio_urls: list[str] | None = None,
    reference_image_urls: list[str] | None = None,
    reference_video_urls: list[str] | None = None,
    resolution: Literal["480p", "720p"] | None = None,
    seed: int | None = None,
) -> Input:
    """Videos of 4 to 15 seconds from a description, from a first and last frame, or from reference pictures, videos
    and sounds.

    aspect_ratio: Width to height. Default: "16:9".
    duration: Duration in seconds. From 4 to 15. Default: 5.
    generate_audio: On: add a sound track. Default: false.
    image_urls: The first frame, and the last. At most 2.
    prompt: What the video shows.
    reference_audio_urls: Up to 3 reference sounds: MP3 or WAV. At most 3.
    reference_image_urls: Up to 9 pictures of the subjects to show: JPG, PNG or WebP. At most 9.
    reference_video_urls: Up to 3 reference videos for the movement: MP4 or MOV. At most 3.
    resolution: The shorter side, in pixels. Default: "720p".
    seed: The same seed with the same fields gives the same video.
    """
    return _input("video-fast-2", locals())


def video_gen_1_0(
    *,
    aspect_ratio: Literal["16:9", "9:16", "1:1", "4:3", "3:4"] | None = None,
    audio_setting: Literal["auto", "origin"] | None = None,
    duration: int | None = None,
    enable_safety_checker: bool | None = None,
    image_urls: list[str] | None = None,
    prompt: str | None = None,
    reference_image_urls: list[str] | None = None,
    resolution: Literal["720p", "1080p"] | None = None,
    seed: int | None = None,
    video_url: str | None = None,
) -> Input:
    """Videos of 3 to 15 seconds in four ways: from text, from a first frame, from reference pictures, or by editing a
    video.

    aspect_ratio: Width to height; it applies to text and reference modes only. Default: "16:9".
    audio_setting: For an edit, auto lets the model decide and origin keeps the original sound. Default: "auto".
    duration: Duration in seconds; for an edit, the source video decides. From 3 to 15. Default: 5.
    enable_safety_checker: Turns the safety filter on or off.
    image_urls: The first frame, for image-to-video. At most 1.
    prompt: What the video shows. Cite reference pictures as character1, character2 and so on.
    reference_image_urls: 1 to 9 pictures, for reference-to-video. At most 9.
    resolution: The shorter side, in pixels. Default: "1080p".
    seed: The same seed with the same fields gives the same video. From 0 to 2147483647.
    video_url: A video to edit.
    """
    return _input("video-gen-1-0", locals())


def video_mini_2(
    *,
    aspect_ratio: Literal["1:1", "21:9", "4:3", "3:4", "16:9", "9:16"] | None = None,
    duration: int | None = None,
    generate_audio: bool | None = None,
    image_urls: list[str] | None = None,
    prompt: str,
    reference_audio_urls: list[str] | None = None,
    reference_image_urls: list[str] | None = None,
    reference_video_urls: list[str] | None = None,
    resolution: Literal["480p", "720p"] | None = None,
    seed: int | None = None,
) -> Input:
    """The small sibling of Video Fast 2: the same ways to make a video, at half the price.

    aspect_ratio: Width to height. Default: "16:9".
    duration: Duration in seconds. From 4 to 15. Default: 5.
    generate_audio: On: add a sound track. Default: false.
    image_urls: The first frame, and the last. At most 2.
    prompt: What the video shows.
    reference_audio_urls: Up to 3 reference sounds: MP3 or WAV. At most 3.
    reference_image_urls: Up to 9 pictures of the subjects to show. At most 9.
    reference_video_urls: Up to 3 reference videos for the movement: MP4 or MOV. At most 3.
    resolution: The shorter side, in pixels. Default: "720p".
    seed: The same seed with the same fields gives the same video.
    """
    return _input("video-mini-2", locals())


def void_video_inpaint(
    *,
    mask_url: str | None = None,
    negative_prompt: str | None = None,
    object_prompt: str | None = None,
    passes: Literal[1, 2] | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["672x384"] | None = None,
    video_url: str,
) -> Input:
    """Removes an object from a video, with its shadow, its reflections and what it set in motion.

    mask_url: White is removed, black is kept.
    negative_prompt: What to avoid.
    object_prompt: The object to remove, in a few words.
    passes: A second pass makes longer clips steadier. Default: 2.
    prompt: The scene without the object.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels; the only available size. Default: "672x384".
    video_url: The video with the object; up to 197 frames are processed.
    """
    return _input("void-video-inpaint", locals())


def wan_2_1_flf2v_14b(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str],
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1280x720", "720x1280", "832x480", "480x832"] | None = None,
    steps: int | None = None,
) -> Input:
    """The motion from one picture to another, at up to 720p.

    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    image_urls: The first frame and the last. At most 2.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1280x720".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("wan-2-1-flf2v-14b", locals())


def wan_2_1_t2v_1_3b(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["832x480", "480x832"] | None = None,
    steps: int | None = None,
) -> Input:
    """Clips of up to five seconds at 480p from words, on a consumer GPU.

    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "832x480".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("wan-2-1-t2v-1-3b", locals())


def wan_2_1_vace_14b(
    *,
    conditioning_scale: float | None = None,
    duration: float | None = None,
    guidance_scale: float | None = None,
    mask_url: str | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    reference_image_urls: list[str] | None = None,
    seed: int | None = None,
    size: Literal["1280x720", "720x1280", "832x480", "480x832"] | None = None,
    steps: int | None = None,
    video_url: str | None = None,
) -> Input:
    """One model for editing, masking, extending and restyling videos, or making them from reference pictures.

    conditioning_scale: How closely to follow the source video. From 0 to 2. Default: 1.
    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    mask_url: White is replaced, black is kept.
    negative_prompt: What to avoid.
    prompt: What the video shows, or what to change in the source video.
    reference_image_urls: Up to 4 pictures of the subjects to show. At most 4.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "832x480".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    video_url: A video to edit, or to take its movement from.
    """
    return _input("wan-2-1-vace-14b", locals())


def wan_2_2_animate_14b(
    *,
    guidance_scale: float | None = None,
    image_urls: list[str],
    mode: Literal["animate", "replace"] | None = None,
    prompt: str | None = None,
    relighting: bool | None = None,
    seed: int | None = None,
    size: Literal["1280x720", "720x1280"] | None = None,
    steps: int | None = None,
    video_url: str,
) -> Input:
    """Transfers a performance from a video to the character in a picture, or puts the character into the video.

    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 1.
    image_urls: The character. At most 1.
    mode: animate: the character moves as in the video. replace: the character replaces the one in the video. Default:
    "animate".
    prompt: What the video shows.
    relighting: On: light the character like the video; only with mode replace. Default: false.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1280x720".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 20.
    video_url: The video with the movements, or into which the character is put.
    """
    return _input("wan-2-2-animate-14b", locals())


def wan_2_2_fun_camera_a14b(
    *,
    camera_motion: Literal["Static", "Pan Up", "Pan Down", "Pan Left", "Pan Right", "Zoom In", "Zoom Out"] | None = None,
    camera_speed: float | None = None,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str],
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["832x480", "480x832", "640x640"] | None = None,
    steps: int | None = None,
) -> Input:
    """Moves the camera through a still picture as you choose.

    camera_motion: The camera movement. Default: "Static".
    camera_speed: 1 is the usual speed. From 0.1 to 4. Default: 1.
    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 6.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "832x480".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("wan-2-2-fun-camera-a14b", locals())


def wan_2_2_fun_control_a14b(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["832x480", "480x832", "640x640"] | None = None,
    steps: int | None = None,
    video_url: str,
) -> Input:
    """Makes a new video that follows the edges, depth, poses or lines of another.

    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 6.
    image_urls: The first frame, or a picture of the subject to show. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "832x480".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    video_url: A video of edges, depth, poses or lines to follow.
    """
    return _input("wan-2-2-fun-control-a14b", locals())


def wan_2_2_i2v_a14b(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    guidance_scale_2: float | None = None,
    image_urls: list[str],
    negative_prompt: str | None = None,
    prompt: str | None = None,
    seed: int | None = None,
    size: Literal["1280x720", "720x1280", "832x480", "480x832"] | None = None,
    steps: int | None = None,
) -> Input:
    """Brings a still picture to life, optionally toward a last one.

    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt while the picture takes shape. From 0 to 20. Default: 3.5.
    guidance_scale_2: How closely to follow the prompt while details are drawn. From 0 to 20. Default: 3.5.
    image_urls: The first frame, and optionally the last. At most 2.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1280x720".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 40.
    """
    return _input("wan-2-2-i2v-a14b", locals())


def wan_2_2_s2v_14b(
    *,
    audio_url: str,
    guidance_scale: float | None = None,
    image_urls: list[str],
    negative_prompt: str | None = None,
    pose_video_url: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1024x704", "704x1024", "1280x720", "720x1280", "832x480", "480x832", "1280x704", "704x1280"] | None = None,
    steps: int | None = None,
) -> Input:
    """Makes the person in a picture speak, sing or perform to a recording.

    audio_url: The speech or song; the video has its length.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 4.5.
    image_urls: The person who speaks, sings or performs. At most 1.
    negative_prompt: What to avoid.
    pose_video_url: A video with the movements to copy.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1024x704".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 40.
    """
    return _input("wan-2-2-s2v-14b", locals())


def wan_2_2_t2v_a14b(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    guidance_scale_2: float | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1280x720", "720x1280", "832x480", "480x832"] | None = None,
    steps: int | None = None,
) -> Input:
    """Text to video with good light, colour and framing, at 480p or 720p.

    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt while the picture takes shape. From 0 to 20. Default: 4.
    guidance_scale_2: How closely to follow the prompt while details are drawn. From 0 to 20. Default: 3.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1280x720".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 40.
    """
    return _input("wan-2-2-t2v-a14b", locals())


def wan_2_2_ti2v_5b(
    *,
    duration: float | None = None,
    guidance_scale: float | None = None,
    image_urls: list[str] | None = None,
    negative_prompt: str | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1280x704", "704x1280"] | None = None,
    steps: int | None = None,
) -> Input:
    """Videos at 720p and 24 frames a second from words or a first picture, with a model of modest size.

    duration: Duration in seconds. From 1 to 5. Default: 5.
    guidance_scale: How closely to follow the prompt. From 0 to 20. Default: 5.
    image_urls: The first frame. At most 1.
    negative_prompt: What to avoid.
    prompt: What the video shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1280x704".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 50.
    """
    return _input("wan-2-2-ti2v-5b", locals())


def xtts_v2(
    *,
    language_code: Literal["en", "es", "fr", "de", "it", "pt", "pl", "tr", "ru", "nl", "cs", "ar", "zh-cn", "hu", "ko", "ja", "hi"] | None = None,
    reference_audio_urls: list[str] | None = None,
    repetition_penalty: float | None = None,
    temperature: float | None = None,
    text: str,
    top_p: float | None = None,
    voice: str | None = None,
) -> Input:
    """Speaks 17 languages in a voice cloned from a few seconds of sound.

    language_code: The language of the speech. Default: "en".
    reference_audio_urls: Up to 5 recordings of the voice to use, each at least 3 s long. At most 5.
    repetition_penalty: A higher value repeats less. From 1 to 20. Default: 2.
    temperature: A higher value is livelier and less even. From 0 to 2. Default: 0.85.
    text: The text to speak.
    top_p: The share of the probability to sample from. From 0 to 1. Default: 0.85.
    voice: One of the speakers included in the model, if no sample is given. Default: "Ana Florence".
    """
    return _input("xtts-v2", locals())


def z_image_turbo(
    *,
    image_urls: list[str] | None = None,
    n: int | None = None,
    prompt: str,
    seed: int | None = None,
    size: Literal["1024x1024", "1152x896", "896x1152", "1152x864", "864x1152", "1248x832", "832x1248", "1280x720", "720x1280", "1344x576", "576x1344"] | None = None,
    steps: int | None = None,
    strength: float | None = None,
) -> Input:
    """Photographic pictures and text in two languages, from a model that fits into 16 GB of GPU memory.

    image_urls: The picture to start from. At most 1.
    n: The number of outputs. From 1 to 4. Default: 1.
    prompt: What the picture shows.
    seed: The same seed with the same fields gives the same result.
    size: Width and height in pixels. Default: "1024x1024".
    steps: More steps take longer and show more detail. From 1 to 100. Default: 9.
    strength: How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.6.
    """
    return _input("z-image-turbo", locals())
