"""Latido: mark zones, steps and values of your program for `latido run`.

    import latido

    with latido.zone("tokenize", files=3):
        ...
    latido.step()
    latido.log({"loss": 0.25})

Outside `latido run`, and where no extension module fits the interpreter, every call does nothing.
PyTorch trainings need none of this: their steps and phases are found without a change to the code.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from latido._api import log, mark, request, stage, start, step, stop, zone

__all__ = ["log", "mark", "request", "stage", "start", "step", "stop", "zone"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Loads the API on first use: most interpreters of a run (shells, helpers) never touch it."""
    if name not in __all__:
        raise AttributeError(f"module 'latido' has no attribute {name!r}")
    try:
        from latido import _api, _start

        _start.install_in_run()
        found = {public: getattr(_api, public) for public in __all__}
    except Exception:
        # Out of reach, as after os.chroot(): what marks a program must not end it.
        found = _nothing()
    globals().update(found)
    return globals()[name]


def _nothing() -> dict[str, object]:
    """The API that records nothing, from this file alone: no other can be read."""

    class zone:  # noqa: N801
        def __init__(self, *args: object, **named: object) -> None:
            pass

        def __enter__(self) -> object:
            return self

        def __exit__(self, *exception: object) -> None:
            pass

        def __call__(self, function: object) -> object:
            return function

    def nothing(*args: object, **named: object) -> None:
        pass

    blocks = dict.fromkeys(("zone", "request", "stage"), zone)
    return {**dict.fromkeys(__all__, nothing), **blocks}


def __dir__() -> list:  # type: ignore[type-arg]
    return sorted({*globals(), *__all__})
