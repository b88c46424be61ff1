"""Random UUIDs (version 4)."""

import uuid

COUNT = {{count}}

for _ in range(COUNT):
    print(uuid.uuid4())
