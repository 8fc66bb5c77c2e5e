"""The server's settings, and the files of LoRAs."""

import tempfile
import unittest
from pathlib import Path

from atelier_diffusers.errors import InvalidInput, WrongSetting
from atelier_diffusers.lora import Lora, find
from atelier_diffusers.settings import Dtypes, Settings


class OfTheServer(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        (self.folder / "model_index.json").write_text("{}")

    def read(self, **given: str) -> Settings:
        return Settings.read({"DIFFUSERS_MODEL": str(self.folder), "HOME": "/", **given})

    def test_a_folder_is_all_that_must_be_said(self) -> None:
        self.assertEqual(self.read(), Settings(model=self.folder))

    def test_all_of_them_are_read(self) -> None:
        settings = self.read(
            DIFFUSERS_DTYPE="bfloat16, vae=float32",
            DIFFUSERS_DEVICE="cuda:1",
            DIFFUSERS_OFFLOAD="model",
            DIFFUSERS_VAE_TILING="yes",
            DIFFUSERS_LORAS=str(self.folder),
            DIFFUSERS_FPS="24",
            DIFFUSERS_PIPELINE="WanPipeline",
            DIFFUSERS_VARIANT="fp16",
            DIFFUSERS_MAX_SIDE="2048",
            DIFFUSERS_MAX_FRAMES="200",
        )
        self.assertEqual(
            settings,
            Settings(
                model=self.folder,
                pipeline="WanPipeline",
                variant="fp16",
                dtypes=Dtypes("bfloat16", {"vae": "float32"}),
                device="cuda:1",
                offload="model",
                vae_tiling=True,
                loras=self.folder,
                fps=24.0,
                max_side=2048,
                max_frames=200,
            ),
        )

    def test_a_mistake_names_the_variable_and_what_it_may_be(self) -> None:
        for name, value, message in (
            ("DIFFUSERS_DTYPE", "half", "DIFFUSERS_DTYPE: is half; it may be float32, float16, bfloat16"),
            ("DIFFUSERS_DTYPE", "float16,float32", "DIFFUSERS_DTYPE: names float16 and float32"),
            ("DIFFUSERS_OFFLOAD", "all", "DIFFUSERS_OFFLOAD: is all; it may be none, model, sequential"),
            ("DIFFUSERS_FPS", "fast", "DIFFUSERS_FPS: is fast, which is no number"),
            ("DIFFUSERS_MAX_SIDE", "1", "DIFFUSERS_MAX_SIDE: is 1; it may be 64 to 16384"),
            ("DIFFUSERS_VAE_TILING", "maybe", "DIFFUSERS_VAE_TILING: is maybe; it may be yes or no"),
            ("DIFFUSERS_LORAS", "/nowhere/at/all", "DIFFUSERS_LORAS: there is no folder /nowhere/at/all"),
            ("DIFFUSERS_MODLE", "x", "DIFFUSERS_MODLE: is no setting of this server"),
            ("DIFFUSERS_MODEL", "", "DIFFUSERS_MODEL: is missing"),
            ("DIFFUSERS_MODEL", "/", "DIFFUSERS_MODEL: there is no model_index.json in /"),
        ):
            with self.subTest(name=name, value=value), self.assertRaises(WrongSetting) as wrong:
                self.read(**{name: value})
            self.assertTrue(str(wrong.exception).startswith(message), wrong.exception)

    def test_a_lora_is_a_file_of_the_folder_and_nothing_else(self) -> None:
        (self.folder / "ink.safetensors").write_bytes(b"")
        (self.folder / "old.bin").write_bytes(b"")
        self.assertEqual(find(self.folder, Lora("ink")), self.folder / "ink.safetensors")
        for name in ("wash", "../ink", "old", "", ".", "ink.safetensors", "a/b"):
            with self.subTest(name), self.assertRaisesRegex(InvalidInput, "there are ink$"):
                find(self.folder, Lora(name))
        with self.assertRaisesRegex(InvalidInput, "this server has none"):
            find(None, Lora("ink"))
