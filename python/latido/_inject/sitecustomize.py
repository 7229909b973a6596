"""Starts Latido in every interpreter below `latido run`, then gives way to the next sitecustomize.

`latido run` puts this folder first in PYTHONPATH; it holds nothing else, so that nothing of the
user's is shadowed. After this file `sys.path` is what it would be without Latido.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


def _start() -> None:
    if not os.environ.get("LATIDO_SOCKET") or os.environ.get("LATIDO_DISABLE") == "1":
        return
    from importlib.machinery import PathFinder

    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

    class LatidoFinder:
        """Finds the package latido, and only it, where the interpreter's own path has none.

        Latido often lives in another environment than the script; putting that environment on
        sys.path would let the script see its other packages too.
        """

        @staticmethod
        def find_spec(name: str, *_: object) -> ModuleSpec | None:
            return PathFinder.find_spec(name, [home]) if name == "latido" else None

    sys.meta_path.append(LatidoFinder)
    import latido._start

    latido._start.install()


def _run_next() -> None:
    """Runs what would have been `sitecustomize` without Latido, errors and all."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


try:
    _start()
except Exception:
    pass
_run_next()
