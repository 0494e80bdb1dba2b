"""Settings that every test shares."""

from hypothesis import HealthCheck, settings

# Same examples in every run: a red test is red for everybody. Fuzzing runs of its own use other profiles.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")
