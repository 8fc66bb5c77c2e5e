"""OpenAI's package for Python against a running service. OPENAI_BASE_URL and OPENAI_API_KEY say where it is."""

import base64
import json
import os
import pathlib
import re
import tempfile
import warnings

import httpx
import openai
from openai import OpenAI

# OpenAI has announced the end of its videos; the package says so with every call.
warnings.simplefilter("ignore", DeprecationWarning)

PNG = b"\x89PNG\r\n\x1a\n"
client = OpenAI()
picture = open(os.environ["CLIENT_PICTURE"], "rb").read()


def refused(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError("the request was not refused")


def names_models():
    models = {model.id: model for model in client.models.list()}
    assert {"image-gen-4", "tts-v3", "video-fast-2"} <= models.keys()
    assert client.models.retrieve("image-gen-4").object == "model"
    assert client.models.retrieve("dall-e-3").id == "dall-e-3"
    error = refused(openai.NotFoundError, lambda: client.models.retrieve("gpt-9"))
    assert error.code == "model_not_found", error.body


def makes_pictures():
    made = client.images.generate(model="image-gen-4", prompt="a fox", n=2, size="1536x1024")
    assert [base64.b64decode(image.b64_json)[:8] for image in made.data] == [PNG, PNG]
    assert made.created > 1_700_000_000 and made.output_format == "png"
    by_url = client.images.generate(model="image-gen-4", prompt="a fox", response_format="url", user="someone")
    assert by_url.data[0].b64_json is None and httpx.get(by_url.data[0].url).content[:8] == PNG
    # The model's own fields go along.
    client.images.generate(model="flux-1-schnell", prompt="a fox", size="1792x1024", extra_body={"steps": 2, "seed": 7})
    assert last_job("flux-1-schnell")["model"] == "flux-1-schnell"


def last_job(model):
    origin = os.environ["CLIENT_ORIGIN"]
    headers = {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    return httpx.get(f"{origin}/dev/v1/generations?limit=1&model={model}", headers=headers).json()["data"][0]


def refuses_what_it_cannot_follow():
    images = client.images
    error = refused(openai.BadRequestError, lambda: images.generate(model="sdxl-turbo", prompt="a", size="1024x1024"))
    assert error.param == "size" and "must be one of auto, 512x512 (got 1024x1024)" in error.message, error.body
    error = refused(openai.BadRequestError, lambda: images.generate(model="image-gen-4", prompt="a", quality="low"))
    assert error.param == "quality" and error.type == "invalid_request_error", error.body
    error = refused(openai.BadRequestError, lambda: images.generate(model="image-gen-4", prompt="a", n=99))
    assert error.param == "n" and "between 1 and 15" in error.message, error.body
    error = refused(openai.BadRequestError, lambda: images.generate(model="image-gen-4", prompt="a", stream=True))
    assert error.param == "stream", error.body
    error = refused(openai.BadRequestError, lambda: images.generate(model="tts-v3", prompt="a"))
    assert error.param == "model", error.body
    error = refused(openai.NotFoundError, lambda: images.generate(model="gpt-9", prompt="a"))
    assert error.code == "model_not_found", error.body
    stranger = OpenAI(api_key="atl_nothing")
    assert refused(openai.AuthenticationError, stranger.models.list).code == "invalid_api_key"
    poor = OpenAI(api_key=os.environ["CLIENT_POOR_KEY"], max_retries=0)
    error = refused(openai.RateLimitError, lambda: poor.images.generate(model="image-gen-4", prompt="a"))
    assert error.code == "insufficient_quota", error.body
    slow = OpenAI(api_key=os.environ["CLIENT_SLOW_KEY"], max_retries=0)
    slow.images.generate(model="image-gen-4", prompt="a")
    error = refused(openai.RateLimitError, lambda: slow.images.generate(model="image-gen-4", prompt="a"))
    assert error.code == "rate_limit_exceeded" and int(error.response.headers["retry-after"]) > 0, error.body


def edits_pictures():
    files = [("a.png", picture, "image/png"), ("b.png", picture, "image/png")]
    made = client.images.edit(model="image-gen-4", prompt="at night", image=files, n=2, size="1024x1024")
    assert len(made.data) == 2
    made = client.images.edit(
        model="gpt-image-1", prompt="a balloon", image=files[0], mask=("mask.png", picture, "image/png"), quality="low"
    )
    assert base64.b64decode(made.data[0].b64_json)[:8] == PNG
    error = refused(openai.BadRequestError, lambda: client.images.edit(
        model="image-gen-4", prompt="a", image=files[0], mask=("mask.png", picture, "image/png")))
    assert error.param == "mask", error.body
    error = refused(openai.BadRequestError, lambda: client.images.edit(
        model="image-gen-4", prompt="a", image=("a.png", b"not a picture", "image/png")))
    assert error.param == "image", error.body


def speaks():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "hello.mp3")
        with client.audio.speech.with_streaming_response.create(
            model="tts-v3", voice="alloy", input="Hello there."
        ) as response:
            assert response.headers["content-type"] == "audio/mpeg"
            response.stream_to_file(file)
        sound = file.read_bytes()
    assert sound[:3] == b"ID3" or sound[0] == 0xFF, sound[:8]
    error = refused(openai.BadRequestError, lambda: client.audio.speech.create(
        model="tts-v3", voice="nobody", input="Hello."))
    assert error.param == "voice", error.body
    error = refused(openai.BadRequestError, lambda: client.audio.speech.create(
        model="tts-v3", voice="alloy", input="Hello.", response_format="opus"))
    assert error.param == "response_format", error.body
    # The embedded engine makes MP3 alone, whatever other engines make of this model.
    error = refused(openai.BadRequestError, lambda: client.audio.speech.create(
        model="kokoro-82m", voice="alloy", input="Hello.", response_format="wav"))
    assert error.param == "response_format" and "must be one of mp3" in error.message, error.body
    error = refused(openai.BadRequestError, lambda: client.audio.speech.create(
        model="tts-v3", voice="alloy", input="Hello.", speed=2))
    assert error.param == "speed", error.body


def told(response):
    """The events of a stream, without the comments."""
    lines = [line for line in response.iter_lines() if line.startswith("data: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def speaks_in_events():
    ask = {"model": "tts-v3", "voice": "alloy", "input": "Hello there."}
    with client.audio.speech.with_streaming_response.create(**ask, stream_format="sse") as response:
        assert response.headers["content-type"] == "text/event-stream"
        job = response.headers["x-generation-id"]
        events = told(response)
    done = events.pop()
    assert done["type"] == "speech.audio.done" and done["usage"]["total_tokens"] == 0, done
    assert events and {event["type"] for event in events} == {"speech.audio.delta"}
    sound = b"".join(base64.b64decode(event["audio"]) for event in events)
    made = last_job("tts-v3")
    assert made["id"] == job and done["usage"]["credits"] == made["credits_charged"], made
    assert sound == httpx.get(made["output"]["assets"][0]["url"]).content
    # The package reads the events as a stream of objects, and an error inside of one.
    body = ask | {"stream_format": "sse"}
    stream = client.post("/audio/speech", body=body, cast_to=object, stream=True, stream_cls=openai.Stream[object])
    assert [event["type"] for event in stream][-1] == "speech.audio.done"
    body["input"] = "csam"
    stream = client.post("/audio/speech", body=body, cast_to=object, stream=True, stream_cls=openai.Stream[object])
    error = refused(openai.APIError, lambda: list(stream))
    assert error.code == "content_policy_violation", error.body
    # A request that is refused before there is a job gets an ordinary error.
    error = refused(openai.BadRequestError, lambda: client.audio.speech.create(
        model="tts-v3", voice="alloy", input="Hello.", stream_format="wav"))
    assert error.param == "stream_format" and "must be one of audio, sse" in error.message, error.body


def makes_videos():
    video = client.videos.create_and_poll(model="video-fast-2", prompt="a fox runs", seconds="4", size="1280x720")
    assert (video.status, video.progress, video.seconds, video.size) == ("completed", 100, "4", "1280x720"), video
    assert client.videos.download_content(video.id).read()[4:8] == b"ftyp"
    from_frame = client.videos.create(
        model="sora-2", prompt="it runs", input_reference=("a.png", picture, "image/png"), seconds="8"
    )
    assert client.videos.poll(from_frame.id).status == "completed"
    page = client.videos.list(limit=1)
    assert [video.id for video in page.data] == [from_frame.id]
    assert [video.id for video in client.videos.list()][:2] == [from_frame.id, video.id]
    assert [video.id for video in client.videos.list(order="asc", limit=1)][:2] == [video.id, from_frame.id]
    deleted = client.videos.delete(from_frame.id)
    assert (deleted.id, deleted.object, deleted.deleted) == (from_frame.id, "video.deleted", True), deleted
    assert [video.id for video in client.videos.list(limit=1).data] == [video.id]
    assert refused(openai.APIStatusError, lambda: client.videos.retrieve(from_frame.id)).status_code == 410
    error = refused(openai.BadRequestError, lambda: client.videos.create(
        model="video-fast-2", prompt="a fox runs", seconds="99"))
    assert error.param == "seconds" and "`seconds`" in error.message, error.body
    error = refused(openai.NotFoundError, lambda: client.videos.retrieve("video_1"))
    assert error.type == "invalid_request_error", error.body


def finds_a_job_again():
    ask = {"model": "image-gen-4", "prompt": "a fox"}
    headers = {"Idempotency-Key": "again"}
    ids = [
        client.images.with_raw_response.generate(**ask, extra_headers=headers).headers["x-generation-id"]
        for _ in range(2)
    ]
    assert ids[0] == ids[1]
    # A form is recognised by what is in it, not by its boundary.
    headers = {"Idempotency-Key": "edited"}
    image = ("a.png", picture, "image/png")
    ids = [
        client.images.with_raw_response.edit(**ask, image=image, extra_headers=headers).headers["x-generation-id"]
        for _ in range(2)
    ]
    assert ids[0] == ids[1]


def runs_what_the_documentation_says():
    text = pathlib.Path("../../docs/openai.md").read_text()
    snippets = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(snippets) >= 3
    with tempfile.TemporaryDirectory() as folder:
        here = os.getcwd()
        os.chdir(folder)
        pathlib.Path("harbour.png").write_bytes(picture)
        for snippet in snippets:
            exec(compile(snippet, "docs/openai.md", "exec"), {})
        os.chdir(here)


TESTS = [
    names_models, makes_pictures, refuses_what_it_cannot_follow, edits_pictures, speaks, speaks_in_events,
    makes_videos, finds_a_job_again, runs_what_the_documentation_says,
]
for test in TESTS:
    test()
    print(f"openai for Python: {test.__name__.replace('_', ' ')}")
