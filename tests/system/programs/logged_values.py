"""Records values of its own, some of them not numbers, in a loop that marks its steps."""

import latido

for number in range(30):
    latido.log({"queue_length": 29 - number, "note": "text is no value"})
    latido.step()
latido.log({"odd": float("nan")})
latido.log({"odd": 2.5})
latido.log({"odd": float("-inf")})
