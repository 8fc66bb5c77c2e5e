"""Checks that a webhook comes from the service, by the signature of Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import WebhookRefused
from .results import Generation


@dataclass(frozen=True)
class WebhookEvent:
    """A verified delivery."""

    #: `generation.completed` or `generation.failed`.
    event: str
    created_at: str
    generation: Generation
    #: The same on each attempt: an event may arrive more than once.
    delivery_id: str


def verify_webhook(body: bytes, headers: Mapping[str, str], secret: str, tolerance: float = 300) -> WebhookEvent:
    """Returns the event of a delivery, or raises `WebhookRefused`.

    `body` is the body as it was received, `secret` the signing secret (`whsec_…`) of the account. Deliveries that were
    signed more than `tolerance` seconds ago are refused.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        delivery, sent, signatures = (lower[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        age = time.time() - int(sent)
    except (KeyError, ValueError, binascii.Error) as error:
        raise WebhookRefused(f"the headers or the secret cannot be read: {error}") from error
    if abs(age) > tolerance:
        raise WebhookRefused(f"the delivery was signed {age:.0f} s ago")
    expected = hmac.new(key, f"{delivery}.{sent}.".encode() + body, hashlib.sha256).digest()
    found = (part[3:] for part in signatures.split() if part.startswith("v1,"))
    if not any(hmac.compare_digest(base64.b64encode(expected).decode(), signature) for signature in found):
        raise WebhookRefused("the signature does not match")
    event: dict[str, Any] = json.loads(body)
    return WebhookEvent(event["event"], event["created_at"], Generation.of(event["data"]), delivery)
