"""A model on this machine through the `transformers` package: a folder, a GGUF file, or a name on the hub.

Requests are padded on the left into batches. Only code of the `transformers` package runs: never a model's own
(``trust_remote_code`` is off), and no pickled weights are read (safetensors or GGUF only). The chat template comes with
the model; `transformers` renders it sandboxed.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.rewrite.providers.protocol import Answer, NoAnswer, Outcome, Request, Sampling, Unusable, Usage

NEEDS = "install musify-ai[local-llm]"


class TransformersMissing(Unusable):
    """`torch` or `transformers` is not installed."""


class ModelMissing(Unusable):
    """There is no such model, or it cannot be used: it is not complete, has pickled weights or no chat template."""


class Local(NamedTuple):
    """A model to load: ``place`` is a folder, a ``.gguf`` file or a name on the hub. ``device`` and ``dtype`` are
    chosen where they are empty: the GPU and its half type where there is one, else the CPU and float32. ``batch`` is
    how many requests are completed at once."""

    place: str
    device: str = ""
    dtype: str = ""
    batch: int = 0


class Transformers:
    """A loaded model; the first request loads it. One batch at a time is completed, whichever thread asks."""

    leaves_machine = False

    def __init__(self, local: Local) -> None:
        self.local = local
        name = Path(local.place).name if _is_path(local.place) else local.place
        self.device, self.dtype = _chosen(local)
        self.identity = f"transformers:{name}:{self.dtype}"
        self.batch = local.batch or (8 if self.device != "cpu" else 4)
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def complete(self, requests: Sequence[Request]) -> list[Outcome]:
        """The outcomes of requests, batches of those that are drawn alike. `ModelMissing` where there is no model."""
        with self._lock:
            outcomes: dict[int, Outcome] = {}
            alike: dict[Sampling, list[int]] = {}
            for index, request in enumerate(requests):
                alike.setdefault(request.sampling, []).append(index)
            for sampling, indices in alike.items():
                # Seeds are of one draw: those of a batch would depend on who else is in it.
                size = self.batch if sampling.temperature == 0 else 1
                for first in range(0, len(indices), size):
                    some = indices[first : first + size]
                    found = self._batch([requests[index] for index in some], sampling)
                    outcomes.update(zip(some, found, strict=True))
            return [outcomes[index] for index in range(len(requests))]

    def _batch(self, requests: Sequence[Request], sampling: Sampling) -> list[Outcome]:
        import torch

        model, tokenizer = self._model()
        texts = [
            tokenizer.apply_chat_template([each._asdict() for each in request.messages], tokenize=False,
                                          add_generation_prompt=True)
            for request in requests
        ]  # fmt: skip
        given = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False).to(self.device)
        longest = getattr(model.config, "max_position_embeddings", None)
        width = int(given["input_ids"].shape[1])
        if longest is not None and width + sampling.max_tokens > longest:
            if width >= longest:
                return [NoAnswer("refused", f"the prompt has {width} tokens; the model takes {longest}")] * len(
                    requests
                )
            sampling = sampling._replace(max_tokens=longest - width)
        draw: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if sampling.temperature > 0:
            draw = {"do_sample": True, "temperature": sampling.temperature, "top_p": sampling.top_p, "top_k": 0}
        torch.manual_seed(sampling.seed)
        try:
            with torch.inference_mode():
                out = model.generate(
                    **given, max_new_tokens=sampling.max_tokens, pad_token_id=tokenizer.pad_token_id, **draw
                )
        except torch.OutOfMemoryError as problem:
            return [NoAnswer("server", f"out of memory: {problem}")] * len(requests)
        ends = _ends(model, tokenizer)
        answers: list[Outcome] = []
        for row, mask in zip(out, given["attention_mask"], strict=True):
            new = [int(token) for token in row[width:]]
            stop = next((index for index, token in enumerate(new) if token in ends), None)
            kept = new if stop is None else new[:stop]
            text = tokenizer.decode(kept, skip_special_tokens=True)
            usage = Usage(int(mask.sum()), len(kept) + (stop is not None))
            answers.append(Answer(text, "length" if stop is None else "stop", usage, self.identity))
        return answers

    def _model(self) -> tuple[Any, Any]:
        if self._loaded is None:
            self._loaded = _load(self.local.place, self.device, self.dtype)
        return self._loaded


def _load(place: str, device: str, dtype: str) -> tuple[Any, Any]:
    try:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
    except ImportError:
        raise TransformersMissing(f"--llm transformers: needs torch and transformers: {NEEDS}") from None
    where, more, weights = place, dict[str, Any](), dict[str, Any](use_safetensors=True)
    if place.endswith(".gguf"):
        path = Path(place)
        where, more = str(path.parent), {"gguf_file": path.name}
        weights = _unpacked()
    elif _is_path(place) and not list(Path(place).glob("*.safetensors")):
        raise ModelMissing(f"{place}: no .safetensors in it; pickled weights are not read")
    try:
        tokenizer = AutoTokenizer.from_pretrained(where, padding_side="left", trust_remote_code=False, **more)
        model = AutoModelForCausalLM.from_pretrained(
            where, dtype=getattr(torch, dtype), trust_remote_code=False, **more, **weights
        )
    except Exception as problem:  # whatever the readers of these formats say of a file that is damaged or none
        first = next(iter(str(problem).strip().splitlines()), type(problem).__name__)
        if isinstance(problem, ImportError) or "pip install" in first:  # a GGUF file wants gguf and accelerate
            raise TransformersMissing(f"{place}: {first} ({NEEDS})") from None
        raise ModelMissing(f"{place}: {first}") from None
    if not getattr(tokenizer, "chat_template", None):
        raise ModelMissing(f"{place}: the model has no chat template, so it is none to be asked")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model.to(device).eval(), tokenizer


def _unpacked() -> dict[str, Any]:
    """What has GGUF weights unpacked once; newer versions may else do it with every token."""
    try:
        from transformers import GgufConfig
    except ImportError:
        return {}
    return {"quantization_config": GgufConfig(dequantize=True)}


def _ends(model: Any, tokenizer: Any) -> set[int]:
    """The tokens that end an answer."""
    ends = model.generation_config.eos_token_id
    found = set(ends) if isinstance(ends, list) else {ends}
    return {token for token in (*found, tokenizer.eos_token_id) if token is not None}


def _chosen(local: Local) -> tuple[str, str]:
    """The device and the type of numbers: what was asked for, else what there is."""
    try:
        import torch
    except ImportError:
        raise TransformersMissing(f"--llm transformers: needs torch and transformers: {NEEDS}") from None
    device = local.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if local.dtype:
        return device, local.dtype
    if device.startswith("cuda"):
        return device, "bfloat16" if torch.cuda.is_bf16_supported() else "float16"
    return device, "float32"


def _is_path(place: str) -> bool:
    return place.endswith(".gguf") or Path(place).is_dir() or place.startswith(("/", ".", "~"))
