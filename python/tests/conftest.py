"""Settings of all tests."""

import os

from hypothesis import settings

# They have an environment of their own, with PySpark, and do not read this file: python/CMakeLists.txt.
collect_ignore = ["spark"]

# The same examples in every run, except in campaigns: HYPOTHESIS_PROFILE=random.
settings.register_profile("fixed", derandomize=True, database=None, deadline=None)
settings.register_profile("random", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
