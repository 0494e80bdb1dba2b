"""Settings that every test shares."""

import gc

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


def pytest_collection_finish(session):
    """statsmodels collects garbage in every correction; what the suite has imported need not be walked."""
    gc.collect()
    gc.freeze()
