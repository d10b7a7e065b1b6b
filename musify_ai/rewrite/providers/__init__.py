"""Where answers come from: one module a provider, behind the one protocol of `musify_ai.rewrite.providers.protocol`."""
