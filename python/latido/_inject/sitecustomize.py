"""Starts Latido in every interpreter below `latido run`, then gives way to the next sitecustomize.

`latido run` puts this folder first in PYTHONPATH; it holds nothing else, so that nothing of the
user's is shadowed. After this file `sys.path` is what it would be without Latido.

Runs in every Python program of a run, so it imports next to nothing.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_HOME = os.path.dirname(os.path.dirname(_HERE))
# The finder of files on a path; importing it by its name would import more than this file needs.
_PATH_FINDER = next(f for f in sys.meta_path if getattr(f, "__name__", "") == "PathFinder")


class LatidoFinder:
    """Finds the package latido, and only it, where the interpreter's own path has none.

    Latido often lives in another environment than the script; putting that environment on sys.path
    would let the script see its other packages too.
    """

    @staticmethod
    def find_spec(name: str, *_: object) -> object:
        """Answers for latido alone."""
        return _PATH_FINDER.find_spec(name, [_HOME]) if name == "latido" else None


def _start() -> None:
    disabled = os.environ.get("LATIDO_DISABLE", "0") not in ("", "0")
    if disabled or not os.environ.get("LATIDO_SOCKET"):
        return
    sys.meta_path.append(LatidoFinder)  # type: ignore[arg-type]
    import latido._start

    latido._start.install()


def _run_next() -> None:
    """Runs what would have been `sitecustomize` without Latido, errors and all."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _HERE]
    spec = _PATH_FINDER.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    from importlib.util import module_from_spec

    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


try:
    _start()
except Exception:
    pass
_run_next()
