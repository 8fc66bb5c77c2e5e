"""The server's settings, and the files of LoRAs."""

import tempfile
import unittest
from pathlib import Path

from atelier_diffusers.errors import InvalidInput, WrongSetting
from atelier_diffusers.lora import Lora, find
from atelier_diffusers.settings import Dtypes, Settings


class ServerSettings(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        (self.folder / "model_index.json").write_text("{}")

    def read(self, **given: str) -> Settings:
        return Settings.read({"DIFFUSERS_MODEL": str(self.folder), "HOME": "/", **given})

    def test_only_the_folder_is_required(self) -> None:
        self.assertEqual(self.read(), Settings(model=self.folder))

    def test_all_settings_are_read(self) -> None:
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

    def test_an_invalid_setting_is_named_with_the_allowed_values(self) -> None:
        for name, value, message in (
            ("DIFFUSERS_DTYPE", "half", "DIFFUSERS_DTYPE must be one of float32, float16, bfloat16 (got half)"),
            (
                "DIFFUSERS_DTYPE",
                "float16,float32",
                "DIFFUSERS_DTYPE has two values for the whole pipeline: float16 and float32",
            ),
            ("DIFFUSERS_OFFLOAD", "all", "DIFFUSERS_OFFLOAD must be one of none, model, sequential (got all)"),
            ("DIFFUSERS_FPS", "fast", "DIFFUSERS_FPS must be a number (got fast)"),
            ("DIFFUSERS_MAX_SIDE", "1", "DIFFUSERS_MAX_SIDE must be between 64 and 16384 (got 1)"),
            ("DIFFUSERS_VAE_TILING", "maybe", "DIFFUSERS_VAE_TILING must be yes or no (got maybe)"),
            ("DIFFUSERS_LORAS", "/nowhere/at/all", "DIFFUSERS_LORAS must be an existing folder (got /nowhere/at/all)"),
            ("DIFFUSERS_MODLE", "x", "DIFFUSERS_MODLE is not a setting of this server"),
            ("DIFFUSERS_MODEL", "", "DIFFUSERS_MODEL is missing"),
            ("DIFFUSERS_MODEL", "/", "DIFFUSERS_MODEL must be a folder with model_index.json (got /)"),
        ):
            with self.subTest(name=name, value=value), self.assertRaises(WrongSetting) as wrong:
                self.read(**{name: value})
            self.assertTrue(str(wrong.exception).startswith(message), wrong.exception)

    def test_a_lora_is_a_file_of_the_folder_and_nothing_else(self) -> None:
        (self.folder / "ink.safetensors").write_bytes(b"")
        (self.folder / "old.bin").write_bytes(b"")
        self.assertEqual(find(self.folder, Lora("ink")), self.folder / "ink.safetensors")
        for name in ("wash", "../ink", "old", "", ".", "ink.safetensors", "a/b"):
            with self.subTest(name), self.assertRaisesRegex(InvalidInput, "known LoRAs: ink$"):
                find(self.folder, Lora(name))
        with self.assertRaisesRegex(InvalidInput, "DIFFUSERS_LORAS is not set"):
            find(None, Lora("ink"))
