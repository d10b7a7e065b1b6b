"""What holds for every test: none depends on how busy the machine is."""

from hypothesis import HealthCheck, settings

# Drawing examples is timed by hypothesis too, and on a busy machine that alone failed a test.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
