"""What schemathesis does not know by itself: bodies of lines."""
import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "surrogatepass")
