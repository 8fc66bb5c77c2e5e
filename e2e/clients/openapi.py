"""Calls the service through the client that openapi-python-client has made of /openapi.json."""

import os

from atelier_client import AuthenticatedClient
from atelier_client.api.account import get_balance
from atelier_client.api.catalog import get_model, list_models
from atelier_client.api.generations import create_generation, get_generation, list_generations
from atelier_client.api.uploads import upload_file
from atelier_client.models import (
    AnyModelRequest,
    ErrorBody,
    ParamsImageGen4,
    ParamsImageGen4Resolution as Resolution,
    RequestImageGen4,
    UploadRequest,
)
from atelier_client.types import File

client = AuthenticatedClient(base_url=os.environ["CLIENT_ORIGIN"] + "/dev/v1", token=os.environ["CLIENT_KEY"])

# The fields of a model, typed. Those with a default may be left out.
request = RequestImageGen4(model="image-gen-4", params=ParamsImageGen4(prompt="a fox", resolution=Resolution.VALUE_0))
accepted = create_generation.sync(client=client, body=request, idempotency_key="first").data
assert accepted.status == "processing" and accepted.model == "image-gen-4", accepted

job = get_generation.sync(accepted.id, client=client, wait=30).data
assert job.status == "completed" and job.output.assets[0].url.startswith("http"), job

page = list_generations.sync(client=client, model="image-gen-4", limit=1)
assert page.data[0].id == job.id and page.meta.limit == 1, page

# The general form covers every model.
general = AnyModelRequest.from_dict({"model": "music-gen", "prompt": "rain", "params": {"make_instrumental": True}})
assert create_generation.sync(client=client, body=general).data.model == "music-gen"

refused = create_generation.sync(client=client, body=AnyModelRequest(model="image-gen-4", prompt="a fox", n=99))
assert isinstance(refused, ErrorBody) and refused.error.details[0].parameter == "n", refused

assert any(model.slug == "upscale" for model in list_models.sync(client=client, type_="tool").data)
assert get_model.sync("music-gen", client=client).data.type_ == "audio"
picture = File(payload=open(os.environ["CLIENT_PICTURE"], "rb"), file_name="a.png", mime_type="image/png")
assert upload_file.sync(client=client, body=UploadRequest(file=picture)).data.mime_type == "image/png"
assert get_balance.sync(client=client).data.credits_ < 1_000_000
print("openapi-python-client: the generated client creates, reads and lists jobs, and uploads")
