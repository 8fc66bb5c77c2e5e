"""Makes complete pipelines with random weights and tokenizers, a few megabytes at most, without a network:
`python -m tests_torch.tiny DIR`."""

import sys
from pathlib import Path

import torch
from diffusers import (
    AutoencoderKL,
    AutoencoderKLWan,
    AutoencoderOobleck,
    CosineDPMSolverMultistepScheduler,
    DDIMScheduler,
    FlowMatchEulerDiscreteScheduler,
    StableAudioDiTModel,
    StableAudioPipeline,
    StableAudioProjectionModel,
    StableDiffusionPipeline,
    UNet2DConditionModel,
    WanPipeline,
    WanTransformer3DModel,
)
from peft import LoraConfig
from peft.utils import get_peft_model_state_dict
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import CLIPTextConfig, CLIPTextModel, PreTrainedTokenizerFast, T5Config, T5EncoderModel

LETTERS = [chr(code) for code in range(32, 127)]


def tokenizer(length: int) -> PreTrainedTokenizerFast:
    """A tokenizer with one token for each letter."""
    vocabulary = {token: index for index, token in enumerate(["<pad>", "</s>", "<unk>", *LETTERS])}
    letters = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    letters.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    letters.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=letters, model_max_length=length, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )


def t5(width: int = 32) -> T5EncoderModel:
    sizes = {"d_model": width, "d_kv": 8, "d_ff": 37, "num_layers": 2, "num_heads": 4}
    return T5EncoderModel(T5Config(vocab_size=128, pad_token_id=0, eos_token_id=1, **sizes)).eval()


def image(folder: Path) -> None:
    """Stable Diffusion, for pictures of 64 pixels."""
    torch.manual_seed(0)
    unet = UNet2DConditionModel(
        sample_size=32,
        block_out_channels=(32, 64),
        layers_per_block=1,
        in_channels=4,
        out_channels=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=32,
        attention_head_dim=8,
    )
    vae = AutoencoderKL(
        block_out_channels=(32, 64),
        down_block_types=("DownEncoderBlock2D", "DownEncoderBlock2D"),
        up_block_types=("UpDecoderBlock2D", "UpDecoderBlock2D"),
        latent_channels=4,
        sample_size=64,
    )
    text = CLIPTextModel(
        CLIPTextConfig(
            vocab_size=128,
            hidden_size=32,
            intermediate_size=37,
            num_attention_heads=4,
            num_hidden_layers=2,
            bos_token_id=0,
            eos_token_id=1,
            pad_token_id=0,
        )
    ).eval()
    pipe = StableDiffusionPipeline(
        vae=vae,
        text_encoder=text,
        tokenizer=tokenizer(77),
        unet=unet,
        scheduler=DDIMScheduler(clip_sample=False, set_alpha_to_one=False, steps_offset=1),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    pipe.save_pretrained(folder)


def lora(folder: Path, name: str) -> None:
    """A LoRA with a strong effect, for the pipeline of `image`."""
    folder.mkdir(parents=True, exist_ok=True)
    pipe = StableDiffusionPipeline.from_pretrained(folder.parent / "image", local_files_only=True)
    torch.manual_seed(1)
    pipe.unet.add_adapter(LoraConfig(r=4, target_modules=["to_q", "to_k", "to_v"], init_lora_weights=False))
    layers = get_peft_model_state_dict(pipe.unet)
    StableDiffusionPipeline.save_lora_weights(folder, unet_lora_layers=layers, weight_name=f"{name}.safetensors")


def video(folder: Path) -> None:
    """Wan 2.1, text to video."""
    torch.manual_seed(0)
    pipe = WanPipeline(
        tokenizer=tokenizer(512),
        text_encoder=t5(),
        transformer=WanTransformer3DModel(
            patch_size=(1, 2, 2),
            num_attention_heads=2,
            attention_head_dim=12,
            in_channels=16,
            out_channels=16,
            text_dim=32,
            freq_dim=64,
            ffn_dim=32,
            num_layers=2,
            rope_max_seq_len=64,
        ),
        vae=AutoencoderKLWan(
            base_dim=3,
            z_dim=16,
            dim_mult=[1, 1, 1, 1],
            num_res_blocks=1,
            temperal_downsample=[False, True, True],
        ),
        scheduler=FlowMatchEulerDiscreteScheduler(shift=7.0),
    )
    pipe.save_pretrained(folder)


def audio(folder: Path) -> None:
    """Stable Audio, for an eighth of a second at 8 kHz."""
    torch.manual_seed(0)
    pipe = StableAudioPipeline(
        vae=AutoencoderOobleck(
            encoder_hidden_size=6,
            downsampling_ratios=[1, 2],
            decoder_channels=3,
            decoder_input_channels=3,
            audio_channels=2,
            channel_multiples=[2, 4],
            sampling_rate=8000,
        ),
        text_encoder=t5(),
        projection_model=StableAudioProjectionModel(text_encoder_dim=32, conditioning_dim=4, min_value=0, max_value=32),
        tokenizer=tokenizer(64),
        transformer=StableAudioDiTModel(
            sample_size=512,
            in_channels=3,
            num_layers=2,
            attention_head_dim=4,
            num_key_value_attention_heads=2,
            out_channels=3,
            cross_attention_dim=4,
            time_proj_dim=8,
            global_states_input_dim=8,
            cross_attention_input_dim=4,
        ),
        scheduler=CosineDPMSolverMultistepScheduler(
            solver_order=2, prediction_type="v_prediction", sigma_data=1.0, sigma_schedule="exponential"
        ),
    )
    pipe.save_pretrained(folder)


def make(folder: Path) -> None:
    image(folder / "image")
    video(folder / "video")
    audio(folder / "audio")
    lora(folder / "loras", "strong")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
