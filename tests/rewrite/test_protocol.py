"""The hash of a request: what changes it, and what does not."""

from musify_ai.rewrite.providers.protocol import Message, Request, Sampling

ASKED = Request((Message("system", "rules"), Message("user", "rewrite this")), Sampling(max_tokens=10))


def test_the_key_names_model_messages_and_sampling():
    others = [
        ASKED.key("other-model"),
        ASKED._replace(sampling=Sampling(max_tokens=11)).key("model"),
        ASKED._replace(messages=ASKED.messages[:1]).key("model"),
        ASKED._replace(messages=(Message("system", "rulesrewrite this"),)).key("model"),
        ASKED._replace(messages=(Message("user", "rules"), ASKED.messages[1])).key("model"),
    ]
    assert len({ASKED.key("model"), *others}) == 6
    assert ASKED.key("model") == Request(tuple(ASKED.messages), Sampling(0.0, 1.0, 10, 0)).key("model")


def test_the_prompts_hash_knows_nothing_of_model_and_sampling():
    assert ASKED.prompt_sha256 == ASKED._replace(sampling=Sampling(0.7)).prompt_sha256
    assert ASKED.prompt_sha256 != ASKED._replace(messages=ASKED.messages[1:]).prompt_sha256
