"""The runner that cog serves."""

import os
import shutil
import tempfile
from pathlib import Path as Folder
from typing import Any

from cog import BaseRunner, Path

from atelier_diffusers.settings import Settings


class Runner(BaseRunner):
    def setup(self) -> None:
        # With a schema, cog drops unknown inputs without a word before they come here, and `cog build` writes one that
        # knows none of the pipeline's. It is read after this.
        Folder(".cog/openapi_schema.json").unlink(missing_ok=True)
        settings = Settings.read(os.environ)
        # Here, for it takes seconds, and a mistake in the settings should be told at once.
        from atelier_diffusers.pipeline import Pipeline

        self.pipeline = Pipeline(settings)
        self.folder = Folder(tempfile.mkdtemp(prefix="atelier-diffusers-"))
        print(self.pipeline.about(), flush=True)

    def run(self, **inputs: Any) -> list[Path]:
        # The last request's files have been sent.
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        made = self.pipeline.make(inputs, self.folder, _tell)
        return [Path(path) for path in made]


def _tell(done: int, steps: int) -> None:
    """Progress goes the way of the log: it is what cog passes on while a request runs."""
    print(f"{done}/{steps}", flush=True)
