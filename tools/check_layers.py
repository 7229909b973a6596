"""Checks every #include under src/ against the include table, so that the layers stay layers.

    tools/check_layers.py                           exit 1 and file:line for each violation
    tools/check_layers.py --table ARCHITECTURE.md   also: the page's table says the same
    tools/check_layers.py --table ARCHITECTURE.md --write   writes the table into the page

A module is a folder of src/. What it may include stands in its CMakeLists.txt: the MAY_INCLUDE list
of its latido_module() call or, where a module is built in another way, the latido_<module> targets
it links. Nothing is inherited: a module lists each module whose headers it includes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Headers that a module may include without the rest of their module: the ring's layout is a
# contract between the recorded process and its reader, which must not link the recorder.
SINGLE_HEADERS = {
    "agent": {"capture/ring_format.h"},
    "session": {"capture/ring_format.h"},
}

# Third-party headers stay behind one seam each: prefix of the include, folder that may use it.
CONFINED = {
    "sqlite3.h": "src/store/",
    "CLI/": "src/cli/",
    "toml++/": "src/cli/",
    "protozero/": "src/formats/",
    "libdeflate.h": "src/formats/",
    "nlohmann/": "src/analysis/",
    "elfutils/": "src/symbols/",
}

# These modules get all time and data as arguments: the same input must give the same answer.
PURE_MODULES = {"model", "analysis", "diagnosis"}
IMPURE_HEADERS = {
    "base/clock.h", "chrono", "ctime", "cstdio", "filesystem", "fstream", "iostream",
    "thread", "time.h", "unistd.h", "sys/stat.h", "sys/socket.h", "fcntl.h",
}  # fmt: skip

# Test code of any module (*_test.cc, testing/) may use these as well.
FOR_TESTS = ("base/", "latido/latido.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<own>[^"]+)"|<(?P<system>[^>]+)>)')
MODULE_CALL = re.compile(r"latido_module\s*\(([^)]*)\)")
TABLE_BEGIN = "<!-- include table: tools/check_layers.py --table ARCHITECTURE.md --write -->"
TABLE_END = "<!-- end of the include table -->"


@dataclass(frozen=True, slots=True)
class Violation:
    """One include that the table does not allow."""

    path: Path
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.sentence}"


def allowed_modules(cmake_text: str, module: str) -> frozenset[str]:
    """The modules that `module` may include, from the text of its CMakeLists.txt."""
    text = re.sub(r"#.*", "", cmake_text)
    call = MODULE_CALL.search(text)
    if call is None:
        return frozenset(re.findall(r"\blatido_([a-z]+)\b", text)) - {module}
    allowed: list[str] = []
    keyword = ""
    for word in call.group(1).split():
        if word in ("NAME", "MAY_INCLUDE", "LINK"):
            keyword = word
        elif keyword == "MAY_INCLUDE":
            allowed.append(word)
    return frozenset(allowed)


def read_table(root: Path) -> dict[str, frozenset[str]]:
    """Module name to the modules it may include, for every module under root/src."""
    return {
        path.parent.name: allowed_modules(path.read_text(encoding="utf-8"), path.parent.name)
        for path in sorted((root / "src").glob("*/CMakeLists.txt"))
    }


def find_cycle(table: dict[str, frozenset[str]]) -> list[str]:
    """Modules that include each other in a circle, the first one repeated; empty: no circle."""

    def walk(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        for lower in sorted(table.get(module, frozenset())):
            if cycle := walk(lower, [*path, module]):
                return cycle
        return []

    for module in table:
        if cycle := walk(module, []):
            return cycle
    return []


def is_test(path: Path) -> bool:
    """Whether `path` is compiled into test programs only."""
    return path.stem.endswith("_test") or "testing" in path.parts


def own_include_fault(module: str, path: Path, header: str, allowed: frozenset[str]) -> str | None:
    """Why the file `path` of `module` may not include the project header `header`."""
    first, slash, _ = header.partition("/")
    if not slash:
        return f'"{header}": write the path from src/, for instance "{module}/{header}"'
    owner = "capture" if first == "latido" else first
    if owner == module or owner in allowed or header in SINGLE_HEADERS.get(module, set()):
        return None
    if is_test(path) and header.startswith(FOR_TESTS):
        return None
    names = ", ".join(sorted(allowed)) or "nothing"
    return f'{module} may not include {owner} ("{header}"); it may: {names}'


def confined_fault(path: Path, header: str) -> str | None:
    """Why the file `path` (relative to the root) may not include the library header `header`."""
    for prefix, folder in CONFINED.items():
        if header.startswith(prefix) and not path.as_posix().startswith(folder):
            return f"<{header}> is for {folder} only"
    return None


def purity_fault(module: str, path: Path, header: str) -> str | None:
    """Why a pure module may not include `header`; tests may, they read their golden files."""
    if module not in PURE_MODULES or header not in IMPURE_HEADERS:
        return None
    if is_test(path):
        return None
    return f"{module} is pure: no clock, no files, no threads ({header})"


def check_file(root: Path, path: Path, module: str, allowed: frozenset[str]) -> Iterator[Violation]:
    """Yields the violations of one source file."""
    relative = path.relative_to(root)
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if match is None:
            continue
        header = match["own"] or match["system"]
        faults = [confined_fault(relative, header), purity_fault(module, relative, header)]
        if match["own"] is not None:
            faults.append(own_include_fault(module, relative, header, allowed))
        yield from (Violation(relative, number, fault) for fault in faults if fault)


def check_tree(root: Path) -> list[Violation]:
    """All violations of the tree at `root`, in file order."""
    table = read_table(root)
    violations: list[Violation] = []
    if cycle := find_cycle(table):
        path = Path("src") / cycle[0] / "CMakeLists.txt"
        violations.append(Violation(path, 1, "modules in a circle: " + " → ".join(cycle)))
    for module, allowed in table.items():
        for unknown in sorted(allowed - table.keys()):
            path = Path("src") / module / "CMakeLists.txt"
            violations.append(Violation(path, 1, f"there is no module src/{unknown}"))
        for path in sorted((root / "src" / module).rglob("*")):
            if path.suffix in (".h", ".cc", ".c"):
                violations.extend(check_file(root, path, module, allowed))
    return violations


def table_text(table: dict[str, frozenset[str]]) -> str:
    """The include table as Markdown, lowest module first."""
    rows = ["| module | may include |", "|---|---|"]

    def height(module: str) -> int:
        return 1 + max((height(lower) for lower in table.get(module, frozenset())), default=0)

    for module in sorted(table, key=lambda name: (height(name), name)):
        names = sorted(table[module], key=lambda name: (height(name), name))
        names += [f"`{header}`" for header in sorted(SINGLE_HEADERS.get(module, set()))]
        rows.append(f"| {module} | {' '.join(names) or 'nothing'} |")
    return "\n".join(rows)


def with_table(page: str, table: str) -> str:
    """`page` with what stands between the two markers replaced by `table`.

    Raises:
        ValueError: the page lacks a marker.
    """
    head, begin, rest = page.partition(TABLE_BEGIN)
    _, end, tail = rest.partition(TABLE_END)
    if not begin or not end:
        raise ValueError(f"the page needs the lines {TABLE_BEGIN} and {TABLE_END}")
    return f"{head}{begin}\n{table}\n{end}{tail}"


def check_page(root: Path, page_name: str, *, write: bool) -> list[Violation]:
    """Compares the table in a page with the CMake files, or writes it there."""
    page = root / page_name
    old = page.read_text(encoding="utf-8")
    try:
        new = with_table(old, table_text(read_table(root)))
    except ValueError as error:
        return [Violation(Path(page_name), 1, str(error))]
    if new == old:
        return []
    if write:
        page.write_text(new, encoding="utf-8")
        return []
    line = old[: old.index(TABLE_BEGIN)].count("\n") + 1
    return [Violation(Path(page_name), line, "the include table is old: run it with --write")]


def main(arguments: list[str] | None = None) -> int:
    """Returns 0 when every include is allowed, else 1."""
    parser = argparse.ArgumentParser(description="Check #includes against the include table.")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--table", metavar="PAGE", help="page that shows the table")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    options = parser.parse_args(arguments)

    violations = check_tree(options.root)
    if options.table and not any("circle" in v.sentence for v in violations):
        violations += check_page(options.root, options.table, write=options.write)
    for violation in violations:
        print(violation)
    if not violations:
        print(f"layers: {len(read_table(options.root))} modules, every include allowed")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
