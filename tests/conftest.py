"""What all tests share: how hypothesis searches.

On a developer's machine every run looks at new examples; in CI the examples are always the same,
so that a red run means that the change is wrong. No deadline: a slow machine is not a failure.
"""

import os

from hypothesis import settings

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
