"""The runner that cog serves."""

import os
import shutil
import tempfile
from pathlib import Path as Folder
from typing import Any

from cog import BaseRunner, Path, current_scope

from atelier_diffusers.settings import Settings


class Runner(BaseRunner):
    def setup(self) -> None:
        # With a schema, cog silently drops inputs that the schema does not list, and the schema that `cog build` writes
        # lists none of the pipeline's. cog reads it after this function.
        Folder(".cog/openapi_schema.json").unlink(missing_ok=True)
        settings = Settings.read(os.environ)
        # Imported here because it takes seconds, and wrong settings should be reported at once.
        from atelier_diffusers.pipeline import Pipeline

        self.pipeline = Pipeline(settings)
        self.folder = Folder(tempfile.mkdtemp(prefix="atelier-diffusers-"))
        print(self.pipeline.about(), flush=True)

    def run(self, **inputs: Any) -> list[Path]:
        # cog has sent the files of the last request.
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        made = self.pipeline.make(inputs, self.folder, _report_progress, _show)
        return [Path(path) for path in made]


def _report_progress(done: int, steps: int) -> None:
    """Prints progress to the log, because cog passes the log on while a request runs."""
    print(f"{done}/{steps}", flush=True)


def _show(picture: str) -> None:
    """Shows the unfinished result. cog sends its metrics with the log."""
    current_scope().record_metric("preview", picture)
