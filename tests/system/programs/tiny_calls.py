"""A function of some 50 ns that is called some ten million times."""


def tiny(x: int) -> int:
    return x + 1


def loop() -> int:
    total = 0
    for _ in range(20_000_000):
        total = tiny(total)
    return total


print(loop())
