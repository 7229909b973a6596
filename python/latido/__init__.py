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
    from latido import _api, _start

    _start.install_in_run()
    for public in __all__:
        globals()[public] = getattr(_api, public)
    return globals()[name]


def __dir__() -> list:  # type: ignore[type-arg]
    return sorted({*globals(), *__all__})
