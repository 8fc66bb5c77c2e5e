"""The answers of the service. `raw` has every member, with those that a newer service adds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Asset:
    """An output file."""

    url: str
    type: Literal["image", "video", "audio"]


@dataclass(frozen=True)
class Failure:
    """The reason why a job failed."""

    code: str
    message: str


@dataclass(frozen=True)
class Generation:
    """A job."""

    id: str
    model: str
    status: Literal["processing", "completed", "failed"]
    #: From 0 to 1, while processing.
    progress: float | None
    credits_charged: int | None
    assets: tuple[Asset, ...]
    #: The JSON file with the times of words, if speech was asked for them.
    timestamps_url: str | None
    error: Failure | None
    raw: dict[str, Any] = field(repr=False, compare=False)

    @property
    def is_ended(self) -> bool:
        return self.status != "processing"

    @property
    def urls(self) -> list[str]:
        """The addresses of the output files."""
        return [asset.url for asset in self.assets]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Generation:
        output = data.get("output") or {}
        error = data.get("error")
        timestamps = output.get("timestamps")
        return cls(
            id=data["id"],
            model=data["model"],
            status=data["status"],
            progress=data.get("progress"),
            credits_charged=data.get("credits_charged"),
            assets=tuple(Asset(url=asset["url"], type=asset["type"]) for asset in output.get("assets", [])),
            timestamps_url=timestamps["url"] if timestamps else None,
            error=Failure(error["code"], error.get("message", "")) if error else None,
            raw=data,
        )


@dataclass(frozen=True)
class Upload:
    """A stored file. Its `url` names it in inputs."""

    url: str
    mime_type: str
    size: int


@dataclass(frozen=True)
class ModelSummary:
    """A model in brief."""

    slug: str
    name: str
    type: Literal["image", "video", "audio", "tool"]
    category: str
    description: str
    #: Whether results are drafts, made without a trained model.
    draft: bool

    @classmethod
    def of(cls, data: dict[str, Any]) -> ModelSummary:
        return cls(
            slug=data["slug"],
            name=data["name"],
            type=data["type"],
            category=data["category"],
            description=data["description"],
            draft=bool(data.get("draft")),
        )
