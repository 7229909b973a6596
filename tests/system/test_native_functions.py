"""C and C++ functions, built by the wrapper and by CMake, in the reports of `latido run`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import PROGRAMS, Latido, binary, clean_environment

SOURCE = PROGRAMS / "native_calls.cc"
CLANG = shutil.which("clang++") or shutil.which("clang++-14", path="/usr/bin:/usr/lib/llvm-14/bin")
COMPILERS = ["g++", *([CLANG] if CLANG else [])]


def wrapper(name: str = "latido-c++") -> Path:
    return binary().parent / name


def compile_with_wrapper(
    into: Path, *flags: str, compiler: str = "g++", source: Path = SOURCE
) -> Path:
    program = into / "native_calls"
    command = [str(wrapper()), "-std=c++17", *flags, str(source), "-o", str(program), "-pthread"]
    environment = clean_environment() | {"LATIDO_CXX": compiler}
    subprocess.run(command, env=environment, check=True, timeout=120)
    return program


def functions_of(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    (rank,) = report["ranks"]
    return {function["name"]: function for function in rank["functions"]}


@pytest.mark.parametrize("compiler", COMPILERS, ids=[Path(c).name for c in COMPILERS])
def test_every_call_is_in_the_report_by_name_file_and_line(
    latido: Latido, tmp_path: Path, compiler: str
) -> None:
    program = compile_with_wrapper(tmp_path, "-O1", compiler=compiler)
    done = latido("run", "--functions", "full", "--", program, "20")
    assert done.returncode == 3, done.stderr
    functions = functions_of(latido.report())
    forward = functions["shop::Model::forward(int) const"]
    sleep = functions["shop::Model::sleep_a_little() const"]
    assert forward["calls"] == sleep["calls"] == 22, "20 of the main thread, 2 of others"
    assert sleep["total_ns"] >= 22 * 2_000_000
    assert sleep["self_ns"] == sleep["total_ns"]
    assert forward["self_ns"] < forward["total_ns"]
    assert functions["shop::Model::tiny(int) const"]["calls"] == 22_000
    assert functions["shop::Model::fail(int) const"]["calls"] == 80, "each left by an exception"
    assert functions["main"]["calls"] == 1
    assert functions["main"]["total_ns"] >= 20 * 2_000_000
    assert Path(forward["file"]) == SOURCE
    lines = SOURCE.read_text().splitlines()
    assert "forward" in lines[forward["line"] - 1]
    shown = latido("report", "last").stdout
    assert "WHERE THE TIME GOES: FUNCTIONS" in shown
    assert "shop::Model::sleep" in shown
    html = latido("report", "last", "--format", "html").stdout
    assert "shop::Model::sleep_a_little() const" in html


def test_short_functions_are_elided(latido: Latido, tmp_path: Path) -> None:
    program = compile_with_wrapper(tmp_path, "-O2")
    done = latido("run", "--functions", "adaptive", "--", program, "300")
    assert done.returncode == 3, done.stderr
    functions = functions_of(latido.report())
    tiny = functions["shop::Model::tiny(int) const"]
    assert tiny["elided"]
    assert 256 <= tiny["calls"] < 302_000
    sleep = functions["shop::Model::sleep_a_little() const"]
    assert not sleep["elided"]
    assert sleep["calls"] == 302


def test_nothing_is_recorded_unless_asked_for(latido: Latido, tmp_path: Path) -> None:
    program = compile_with_wrapper(tmp_path)
    assert latido("run", "--functions", "off", "--", program).returncode == 3
    assert functions_of(latido.report()) == {}
    done = latido("run", "--functions", "full", "--exclude", "native_*", "--", program)
    assert done.returncode == 3
    assert functions_of(latido.report()) == {}
    plain = subprocess.run([str(program)], env=clean_environment(), check=False, timeout=60)
    assert plain.returncode == 3, "without latido run"


def test_names_stay_with_the_run_when_the_program_is_gone(latido: Latido, tmp_path: Path) -> None:
    program = compile_with_wrapper(tmp_path)
    assert latido("run", "--functions", "full", "--", program, "2").returncode == 3
    program.unlink()
    assert functions_of(latido.report())["main"]["calls"] == 1


def test_a_program_that_deletes_itself_is_known_by_address(latido: Latido, tmp_path: Path) -> None:
    program = compile_with_wrapper(tmp_path)
    done = latido("run", "--functions", "full", "--", program, "2", "delete")
    assert done.returncode == 3
    report = latido.report()
    assert any(name.startswith("native_calls+0x") for name in functions_of(report))
    assert any(note.startswith("functions_without_names") for note in report["quality"]["notes"])


def test_a_stripped_program_is_known_by_address(latido: Latido, tmp_path: Path) -> None:
    program = compile_with_wrapper(tmp_path)
    subprocess.run(["strip", str(program)], check=True)
    assert latido("run", "--functions", "full", "--", program, "2").returncode == 3
    names = functions_of(latido.report())
    assert names
    assert all(name.startswith("native_calls+0x") for name in names)


def test_the_wrapper_passes_on_what_the_compiler_says(tmp_path: Path) -> None:
    broken = tmp_path / "broken.cc"
    broken.write_text("int main() { return x; }\n")
    done = subprocess.run(
        [str(wrapper()), "-c", str(broken), "-o", str(tmp_path / "broken.o")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "was not declared" in done.stderr or "undeclared" in done.stderr
    version = subprocess.run(
        [str(wrapper()), "--version"], capture_output=True, text=True, timeout=60, check=True
    )
    plain = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == plain.stdout


def test_it_works_with_make(latido: Latido, tmp_path: Path) -> None:
    shutil.copy(SOURCE, tmp_path / "native_calls.cc")
    (tmp_path / "Makefile").write_text(
        "native_calls: native_calls.o\n\t$(CXX) -pthread $^ -o $@\n"
        "native_calls.o: native_calls.cc\n\t$(CXX) -O2 -c $< -o $@\n"
    )
    subprocess.run(
        ["make", "-s", f"CXX={wrapper()}"],
        cwd=tmp_path,
        env=clean_environment(),
        check=True,
        timeout=120,
    )
    done = latido("run", "--functions", "full", "--", tmp_path / "native_calls", "2")
    assert done.returncode == 3, done.stderr
    assert functions_of(latido.report())["main"]["calls"] == 1


@pytest.mark.parametrize("way", ["wrapper", "latido_instrument"])
def test_it_works_with_cmake(latido: Latido, tmp_path: Path, way: str) -> None:
    package = Path(os.environ.get("LATIDO_PYTHON_PATH", binary().parents[1] / "python")) / "latido"
    # As the wheel lays it out.
    installed = tmp_path / "latido"
    (installed / "cmake").mkdir(parents=True)
    root = Path(__file__).resolve().parents[2]
    shutil.copy(root / "cmake/latido-config.cmake", installed / "cmake")
    shutil.copy(package / "liblatido_capture.so", installed)
    shutil.copytree(root / "src/capture/include", installed / "include")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\n"
        "project(calls LANGUAGES CXX)\n"
        "find_package(Threads REQUIRED)\n"
        f"add_executable(native_calls {SOURCE})\n"
        "target_link_libraries(native_calls Threads::Threads)\n"
        + (
            "find_package(latido REQUIRED)\nlatido_instrument(native_calls)\n"
            if way == "latido_instrument"
            else ""
        )
    )
    flags = [f"-DCMAKE_CXX_COMPILER={wrapper()}"] if way == "wrapper" else []
    for command in (
        ["cmake", "-S", ".", "-B", "out", f"-Dlatido_DIR={installed}/cmake", *flags],
        ["cmake", "--build", "out"],
    ):
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=clean_environment(),
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    run = latido("run", "--functions", "full", "--", tmp_path / "out/native_calls", "2")
    assert run.returncode == 3, run.stderr
    functions = functions_of(latido.report())
    assert functions["main"]["calls"] == 1
    assert functions["main"]["file"] == str(SOURCE)
