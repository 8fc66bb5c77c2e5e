"""Makes images, videos and audio with an atelier service.

`Client` and `AsyncClient` have the same methods. `models` has a typed name for every model of the catalog.
"""

from . import models
from .aio import AsyncClient
from .client import Client
from .errors import ApiError, AtelierError, GenerationFailed, ServiceUnreachable, WebhookRefused
from .results import Asset, Failure, Generation, ModelSummary, Upload
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "ApiError",
    "Asset",
    "AsyncClient",
    "AtelierError",
    "Client",
    "Failure",
    "Generation",
    "GenerationFailed",
    "ModelSummary",
    "ServiceUnreachable",
    "Upload",
    "WebhookEvent",
    "WebhookRefused",
    "models",
    "verify_webhook",
]
