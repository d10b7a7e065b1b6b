"""A tiny model made on the spot: a real tokenizer, a real architecture, random or trained weights, safetensors."""

from pathlib import Path

TEMPLATE = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}<end>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
SPECIAL = ["<pad>", "<end>", "<system>", "<user>", "<assistant>", "<unk>"]


def tokenizer_of(texts):
    """A byte-level tokenizer that knows some texts, with a chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE(unk_token="<unk>"))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=600, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    raw.train_from_iterator(texts, trainer)
    made = PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<end>", pad_token="<pad>", unk_token="<unk>")
    made.chat_template = TEMPLATE
    return made


def model_of(tokenizer, *, layers=2, width=64, seed=0, longest=2048):
    """A decoder with random weights for a tokenizer."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=width, intermediate_size=2 * width, num_hidden_layers=layers,
            num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=longest,
            eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id, bos_token_id=None,
        )
    )  # fmt: skip


def saved(folder: Path, tokenizer, model) -> Path:
    """Both as a folder that can be loaded."""
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder, safe_serialization=True)
    return folder
