"""Settings that every test shares."""

import gc
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, settings

# NumPy isn't imported yet. Two processes of the suite with two threads of BLAS each would wait for each other
# on two cores (one fit takes ten times as long), and so would the commands and servers that tests start.
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")

# Same examples in every run: a red test is red for everybody. `make deep` looks at others, and at many.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("deep", settings.get_profile("steady"), derandomize=False, max_examples=1000)
settings.load_profile("steady")


def pytest_collection_finish(session):
    """statsmodels collects garbage in every correction; what the suite has imported need not be walked."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def two_blas_threads():
    """Threads that BLAS has now; two where a test asks, as on a user's machine."""
    from threadpoolctl import ThreadpoolController

    libraries = ThreadpoolController().select(user_api="blas").lib_controllers

    def threads():
        return {library.get_num_threads() for library in libraries}

    def give(number):
        """In a thread that ends: threadpoolctl lets no other set the number while it lives."""
        for library in libraries:
            library.set_num_threads(number)

        assert threads() == {number}

    with ThreadPoolExecutor(1) as setter:
        setter.submit(give, 2).result()
    yield threads
    with ThreadPoolExecutor(1) as setter:
        setter.submit(give, 1).result()
