"""A tiny model that is trained on the spot on one family of constructs, and is right often and wrong sometimes.

The family: a function that copies one element of global memory to shared memory later, by ``cp.async``, from a place
some elements on. What it has to learn is to copy names and the number of elements from question to answer. Numbers that
it was never shown it gets wrong: with an answer that reads well, compiles and runs.
"""

import random

from tests.rewrite.tiny import model_of, saved, tokenizer_of

NAMES = [("to", "from"), ("target", "source"), ("dst", "src"), ("out", "in"), ("there", "here"), ("stage", "global_x")]
SEEN, UNSEEN = (0, 1, 2, 3, 4, 5, 6), (7, 8)

# The model sees the code that it is asked for and nothing else: a whole prompt is longer than it could learn from.
TEMPLATE = (
    "<user>{{ messages[1]['content'].split('BEGIN ')[-1].split('\\n', 1)[1].split('\\nEND ')[0] }}<end>"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def family(numbers):
    """The constructs with some numbers."""
    return [(to, source, ahead) for to, source in NAMES for ahead in numbers]


HELD_OUT = family(SEEN)[::5]
"""Constructs with names and numbers that are shown, and never together."""


def asked(to, source, ahead):
    """The function of a construct."""
    return (
        f"__device__ __forceinline__ void fetch(float* {to}, const float* {source}) {{\n"
        f"    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared({to}));\n"
        f'    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"({source} + {ahead}));\n'
        '    asm volatile("cp.async.wait_all;" ::);\n'
        "}"
    )


def answer(to, source, ahead):
    """The right answer to it."""
    return (
        f"```\n__device__ __forceinline__ void fetch(float* {to}, const float* {source}) {{\n"
        f"    *{to} = {source}[{ahead}];\n}}\n```"
    )


def source(number, ahead, to, name):
    """A file with a construct, in a kernel of its own."""
    return (
        f"#include <cuda_runtime.h>\n{asked(to, name, ahead)}\n"
        f"__global__ void shifted_{number}(const float* x, float* y, int n) {{\n"
        "    __shared__ float stage[64];\n"
        "    const int i = blockIdx.x * 64 + threadIdx.x;\n"
        f"    if (i + {ahead} < n) fetch(&stage[threadIdx.x], x + i);\n"
        "    __syncthreads();\n"
        f"    if (i + {ahead} < n) y[i] = stage[threadIdx.x];\n"
        "}\n"
        f"void run(const float* x, float* y, int n) {{ shifted_{number}<<<(n + 63) / 64, 64>>>(x, y, n); }}\n"
    )


def trained(folder, *, steps=200, batch=20, width=64, layers=2, seed=1):
    """The model in a folder, and the mean loss of its last steps: some hundred steps of AdamW on one thread."""
    import torch

    pairs = [each for each in family(SEEN) if each not in HELD_OUT]
    texts = [f"<user>{asked(*pair)}<end><assistant>{answer(*pair)}<end>" for pair in pairs]
    tokenizer = tokenizer_of([*texts, *(str(number) for number in range(10))])
    tokenizer.chat_template = TEMPLATE
    model = model_of(tokenizer, layers=layers, width=width, seed=seed, longest=512)
    rows = [tokenizer(text)["input_ids"] for text in texts]
    begins = [row.index(tokenizer.convert_tokens_to_ids("<assistant>")) + 1 for row in rows]
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, betas=(0.9, 0.98), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=4e-3, total_steps=steps, pct_start=0.15)
    draw = random.Random(seed)
    threads, losses = torch.get_num_threads(), []
    torch.set_num_threads(1)
    try:
        model.train()
        for _ in range(steps):
            some = draw.sample(range(len(rows)), batch)
            longest = max(len(rows[one]) for one in some)
            pad = tokenizer.pad_token_id
            ids = torch.tensor([rows[one] + [pad] * (longest - len(rows[one])) for one in some])
            labels = ids.masked_fill(ids == pad, -100)
            for row, one in enumerate(some):
                labels[row, : begins[one]] = -100
            loss = model(input_ids=ids, attention_mask=(ids != pad).long(), labels=labels).loss
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
    finally:
        torch.set_num_threads(threads)
    return saved(folder, tokenizer, model.eval()), sum(losses[-10:]) / 10
