"""The provider for a model on this machine, with tiny ones made here: loading, batches, templates, limits, seeds."""

import json

import pytest

pytest.importorskip("torch", reason="torch is not installed (musify-ai[local-llm])")
pytest.importorskip("transformers", reason="transformers is not installed (musify-ai[local-llm])")

from musify_ai.rewrite.opening import SpecInvalid, provider_of
from musify_ai.rewrite.providers.protocol import Answer, Message, NoAnswer, Request, Sampling
from musify_ai.rewrite.providers.transformers import Local, ModelMissing, Transformers
from tests.rewrite.tiny import gguf_of, model_of, saved, tokenizer_of

TEXTS = ["rewrite this function in plain C++", "__device__ int f(int a, int b) { return a + b; }"] * 4


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    tokenizer = tokenizer_of(TEXTS)
    return saved(tmp_path_factory.mktemp("tiny"), tokenizer, model_of(tokenizer, longest=200))


def asked(text, **sampling):
    return Request((Message("system", "rules"), Message("user", text)), Sampling(**{"max_tokens": 12, **sampling}))


def test_a_batch_gives_each_request_what_it_gets_alone(model):
    provider = Transformers(Local(str(model), "cpu"))
    requests = [asked("a"), asked("a much longer request than the other one is"), asked("int f(int a)")]
    together = provider.complete(requests)
    assert all(isinstance(each, Answer) for each in together)
    assert [each.text for each in together] == [provider.complete([each])[0].text for each in requests]
    assert len({each.text for each in together}) > 1
    assert [each.usage.tokens_in for each in together] == sorted(
        (each.usage.tokens_in for each in together), key=[r.usage.tokens_in for r in together].index
    )
    assert together[1].usage.tokens_in > together[0].usage.tokens_in
    again = Transformers(Local(str(model), "cpu")).complete(requests)
    assert again == together


def test_the_limit_is_kept_and_said(model):
    (answer,) = Transformers(Local(str(model), "cpu")).complete([asked("a", max_tokens=5)])
    assert answer.finish == "length" and answer.usage.tokens_out == 5


def test_seeds_make_draws_and_draws_repeat(model):
    provider = Transformers(Local(str(model), "cpu"))
    drawn = [asked("a", temperature=1.0, seed=seed) for seed in (1, 2, 1, 3)]
    texts = [each.text for each in provider.complete(drawn)]
    assert texts[0] == texts[2] and len(set(texts)) > 1


def test_a_prompt_that_is_too_long_is_refused_and_a_long_one_gets_what_is_left(model):
    provider = Transformers(Local(str(model), "cpu"))
    (outcome,) = provider.complete([asked("word " * 300)])
    assert isinstance(outcome, NoAnswer) and outcome.kind == "refused" and "200" in outcome.detail
    (answer,) = provider.complete([asked("a", max_tokens=5000)])
    assert isinstance(answer, Answer) and answer.usage.tokens_in + answer.usage.tokens_out <= 200


def test_the_chat_template_is_the_models(model, tmp_path):
    tokenizer = tokenizer_of(TEXTS)
    tokenizer.chat_template = None
    bare = saved(tmp_path / "bare", tokenizer, model_of(tokenizer))
    with pytest.raises(ModelMissing, match="chat template"):
        Transformers(Local(str(bare), "cpu")).complete([asked("a")])


def test_pickled_weights_and_code_of_a_models_own_are_never_loaded(model, tmp_path):
    import shutil

    pickled = shutil.copytree(model, tmp_path / "pickled")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(ModelMissing, match="pickled"):
        Transformers(Local(str(pickled), "cpu")).complete([asked("a")])
    coded = shutil.copytree(model, tmp_path / "coded")
    ran = tmp_path / "ran"
    (coded / "modeling_own.py").write_text(f"open({str(ran)!r}, 'w')\n")
    config = json.loads((coded / "config.json").read_text())
    own = {"AutoModelForCausalLM": "modeling_own.Own", "AutoConfig": "modeling_own.OwnConfig"}
    (coded / "config.json").write_text(json.dumps({**config, "model_type": "own", "auto_map": own}))
    with pytest.raises(ModelMissing):
        Transformers(Local(str(coded), "cpu")).complete([asked("a")])
    assert not ran.exists()


def test_the_identity_names_the_model_and_its_numbers_and_no_place(model):
    provider = provider_of(f"transformers:{model}")
    assert isinstance(provider, Transformers)
    assert (
        provider.identity == f"transformers:{model.name}:{provider.dtype}"
        and str(model.parent) not in provider.identity
    )
    assert not provider.leaves_machine and provider.batch > 1
    with pytest.raises(SpecInvalid, match="no such model"):
        provider_of("transformers:/nowhere/at/all")


def test_a_gguf_file_answers_as_the_model_that_was_written_into_it(tmp_path):
    for needed in ("gguf", "accelerate"):
        pytest.importorskip(needed, reason=f"{needed} is not installed (musify-ai[local-llm])")
    tokenizer = tokenizer_of(TEXTS)
    written = gguf_of(tokenizer, tmp_path / "tiny.gguf")
    folder = saved(tmp_path / "tiny", tokenizer, written)
    provider = provider_of(f"transformers:{tmp_path}/tiny.gguf")
    assert provider.identity == f"transformers:tiny.gguf:{provider.dtype}"
    requests = [asked("a"), asked("int f(int a, int b)")]
    answers = Transformers(Local(str(tmp_path / "tiny.gguf"), "cpu")).complete(requests)
    same = Transformers(Local(str(folder), "cpu")).complete(requests)
    assert [each._replace(model="") for each in answers] == [each._replace(model="") for each in same]
    assert len({each.text for each in answers}) == 2 and all(each.usage.tokens_in > 2 for each in answers)
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF and no more")
    (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:5000])
    for place in (tmp_path / "tiny.gguf", folder):  # both damaged
        with pytest.raises(ModelMissing, match="tiny"):
            Transformers(Local(str(place), "cpu")).complete(requests)


def test_what_a_file_needs_besides_is_said_and_a_run_with_no_model_is_refused(tmp_path, monkeypatch):
    import transformers

    from musify_ai.project import migrate
    from musify_ai.project.refusals import Refused
    from musify_ai.records import Options
    from musify_ai.rewrite.opening import Asked
    from tests.rewrite.projects import SOURCE

    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(SOURCE)
    for problem in (
        ImportError("\nPlease `pip install gguf` to load it"),
        ValueError("accelerate: `pip install accelerate`"),
    ):

        def fail(*_, problem=problem, **__):
            raise problem

        monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", fail)
        with pytest.raises(Refused, match=r"a\.gguf: .*install musify-ai\[local-llm\]"):
            migrate(
                tmp_path / "src", tmp_path / "out", Options(verify=False),
                asked=Asked(f"transformers:{tmp_path}/a.gguf", tmp_path / "s.sqlite"),
            )  # fmt: skip
    assert not (tmp_path / "out").exists()
