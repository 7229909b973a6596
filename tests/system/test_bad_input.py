"""What goes wrong around a program: a clear sentence, the right exit code, and nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PROGRAMS, Latido, binary


def start(latido: Latido, *command: str | Path, **options: object) -> subprocess.Popen[str]:
    """`latido run -- command` in the background."""
    return subprocess.Popen(
        [str(binary()), "run", "--", *map(str, command)],
        env=latido.environment | {"LATIDO_HOME": str(latido.home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A background job of a shell ignores SIGINT, and a program would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,  # type: ignore[call-overload]
    )


def wait_for(path: Path, limit_s: float = 60) -> None:
    """Until the program under test has made `path`."""
    end = time.monotonic() + limit_s
    while not path.exists():
        assert time.monotonic() < end, f"{path} never appeared"
        time.sleep(0.02)


def test_a_missing_command_is_127(latido: Latido) -> None:
    done = latido.run("no-such-command")
    assert done.returncode == 127
    assert done.stderr.strip().endswith("command not found: no-such-command")


def test_a_file_that_is_not_executable_is_126(latido: Latido, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("echo no")
    done = latido.run(plain)
    assert done.returncode == 126
    assert f"not executable: {plain}" in done.stderr


def test_a_script_whose_interpreter_is_gone_is_126(latido: Latido, tmp_path: Path) -> None:
    """As after a virtual environment has moved: "not found" would mislead."""
    script = tmp_path / "tool"
    script.write_text("#!/no/such/python\n")
    script.chmod(0o755)
    done = latido.run("tool", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert done.returncode == 126
    assert "the interpreter that it names is not there" in done.stderr


def test_no_command_is_a_usage_error(latido: Latido) -> None:
    done = latido("run")
    assert done.returncode == 2
    assert "latido run -- python train.py" in done.stderr


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_the_exit_code_is_passed_on(latido: Latido, code: int) -> None:
    assert latido.run("sh", "-c", f"exit {code}").returncode == code


def test_a_signal_is_raised_again(latido: Latido) -> None:
    done = latido.run("sh", "-c", "kill -SEGV $$")
    assert done.returncode == -signal.SIGSEGV
    assert latido.report()["run"]["end"]["signal"] == signal.SIGSEGV


def test_stdout_and_stdin_are_the_programs_own(latido: Latido) -> None:
    done = latido.run("cat", input="through and through")
    assert done.stdout == "through and through"


def test_sigterm_is_forwarded_and_the_report_stands(latido: Latido, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    child = start(
        latido, "sh", "-c", f"trap 'exit 7' TERM; touch {ready}; while :; do sleep 0.1; done"
    )
    wait_for(ready)
    child.send_signal(signal.SIGTERM)
    _, stderr = child.communicate(timeout=30)
    assert child.returncode == 7
    assert "exit 7" in stderr


@pytest.mark.parametrize(("times", "ended_by"), [(1, "INT"), (2, "TERM"), (3, "KILL")])
def test_an_interrupt_escalates(latido: Latido, tmp_path: Path, times: int, ended_by: str) -> None:
    """Interrupts sent to latido alone: forwarded, then SIGTERM, then SIGKILL."""
    ready = tmp_path / "ready"
    ignored = {1: "", 2: "trap '' INT;", 3: "trap '' INT TERM;"}[times]
    child = start(latido, "sh", "-c", f"{ignored} touch {ready}; while :; do sleep 0.1; done")
    wait_for(ready)
    for _ in range(times):
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
    child.communicate(timeout=30)
    assert child.returncode == -getattr(signal, f"SIG{ended_by}")


def test_a_killed_program_leaves_its_open_zone(latido: Latido) -> None:
    script = (
        "import os, signal, latido\n"
        "with latido.zone('outer'):\n"
        "    with latido.zone('the fatal one'):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = latido.run(sys.executable, "-c", script)
    assert done.returncode == -signal.SIGKILL
    end = latido.report()["run"]["end"]
    assert end["signal"] == signal.SIGKILL
    assert end["open_zone"] == "the fatal one"


def test_a_killed_recorder_leaves_a_readable_run_and_a_living_program(
    latido: Latido, tmp_path: Path
) -> None:
    finished = tmp_path / "finished"
    script = (
        "import time, latido, pathlib\n"
        "for i in range(80):\n"
        "    with latido.zone('beat'):\n"
        "        time.sleep(0.05)\n"
        f"pathlib.Path({str(finished)!r}).touch()\n"
    )
    child = start(latido, sys.executable, "-c", script)
    time.sleep(3)
    child.kill()
    child.wait()
    wait_for(finished)
    report = latido.report()
    assert report["run"]["end"]["kind"] == "running"
    zones = json.dumps(report)
    assert "beat" in zones or report["quality"]["accepted"] > 20


def test_an_exception_is_named_with_its_line(latido: Latido, tmp_path: Path) -> None:
    script = tmp_path / "broken.py"
    script.write_text(
        "import torch\n"
        "model = torch.nn.Linear(2, 2)\n"
        "model(torch.zeros(1, 2)).sum().backward()\n"
        "raise ValueError('bad batch')\n"
    )
    done = latido.run(sys.executable, script)
    assert done.returncode == 1
    end = latido.report()["run"]["end"]
    assert (end["file"], end["line"]) == (str(script), 4)
    assert "ValueError: bad batch" in done.stderr.split("latido ·")[1]


def test_secrets_never_reach_the_recording(latido: Latido) -> None:
    canaries = ["canary-argv-1", "canary-argv-2", "canary-env", "ghp_canarycanarycanary12"]
    arguments = ["--api-key", canaries[0], f"--password={canaries[1]}", canaries[3]]
    done = latido.run(
        "sh", "-c", "sleep 1.5", "--", *arguments, env={"MY_SECRET_TOKEN": canaries[2]}
    )
    assert done.returncode == 0
    report = latido("report", "last", "--format", "json").stdout
    stored = b"".join(p.read_bytes() for p in latido.home.rglob("*") if p.is_file())
    for canary in canaries:
        assert canary not in report
        assert canary.encode() not in stored, canary


def test_an_unwritable_home_falls_back_and_says_so(latido: Latido, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    environment = {"LATIDO_HOME": str(blocked / "home"), "TMPDIR": str(tmp_path)}
    done = latido.run("true", env=environment)
    assert done.returncode == 0
    assert str(blocked) in done.stderr
    fallback = str(tmp_path / f"latido-{os.geteuid()}")
    assert f" in {fallback}: true-" in latido("runs", env=environment).stdout
    assert latido("report", "last", env=environment).returncode == 0
    doctor = latido("doctor", env=environment).stdout
    assert f"runs are kept in {fallback}" in doctor


def test_without_any_folder_to_write_to_it_is_latido_that_failed(
    latido: Latido, tmp_path: Path
) -> None:
    """Not 127: the command was not looked for."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = latido.run("true", env={"LATIDO_HOME": f"{blocked}/home", "TMPDIR": str(blocked)})
    assert done.returncode == 125
    assert "cannot record" in done.stderr


def test_a_relative_home_stays_where_it_was(latido: Latido, tmp_path: Path) -> None:
    script = (
        "import os, latido\n"
        "os.chdir('/')\n"
        "for _ in range(10):\n"
        "    with latido.zone('after'): pass\n"
    )
    environment = {"LATIDO_HOME": "here"}
    done = latido.run(sys.executable, "-c", script, cwd=tmp_path, env=environment)
    assert done.returncode == 0
    shown = latido("report", "last", "--format", "json", cwd=tmp_path, env=environment)
    assert json.loads(shown.stdout)["quality"]["accepted"] >= 20


def test_a_schedulers_signal_reaches_the_program(latido: Latido, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    child = start(
        latido, "sh", "-c", f"trap 'exit 8' USR1; touch {ready}; while :; do sleep 0.1; done"
    )
    wait_for(ready)
    child.send_signal(signal.SIGUSR1)
    child.communicate(timeout=30)
    assert child.returncode == 8


def test_a_long_home_leaves_no_folder_for_its_socket_behind(latido: Latido, tmp_path: Path) -> None:
    temporary = tmp_path / "t"
    temporary.mkdir()
    home = latido.home / ("long" * 25)
    done = latido.run("true", env={"LATIDO_HOME": str(home), "TMPDIR": str(temporary)})
    assert done.returncode == 0
    assert list(temporary.iterdir()) == []


def test_a_recording_that_is_deleted_meanwhile_is_said(latido: Latido) -> None:
    done = latido.run("rm", "-r", latido.home)
    assert done.returncode == 0
    assert "not everything could be stored" in done.stderr


def test_two_runs_at_once_are_two_runs(latido: Latido) -> None:
    both = [start(latido, "sleep", "1") for _ in range(2)]
    for child in both:
        child.communicate(timeout=60)
        assert child.returncode == 0
    runs = json.loads(latido("runs", "--format", "json").stdout)["runs"]
    assert len({run["id"] for run in runs}) == 2


def test_a_run_inside_a_run_joins_it(latido: Latido) -> None:
    done = latido.run(binary(), "run", "--", "sh", "-c", "exit 5")
    assert done.returncode == 5
    assert len(json.loads(latido("runs", "--format", "json").stdout)["runs"]) == 1


def test_a_run_inside_a_run_says_that_its_home_is_ignored(latido: Latido, tmp_path: Path) -> None:
    done = latido.run(binary(), "run", "--home", str(tmp_path / "other"), "--", "true")
    assert done.returncode == 0
    assert done.stderr.count("--home does not apply inside another run") == 1
    assert not (tmp_path / "other").exists()
    again = latido.run(binary(), "run", "--", "true")
    assert "--home" not in again.stderr


def test_runs_without_steps_are_compared_as_a_whole(latido: Latido) -> None:
    for seconds in (0.2, 0.1):
        script = f"import latido, time\nwith latido.zone('load'): time.sleep({seconds})"
        assert latido.run(sys.executable, "-c", script).returncode == 0
    shown = latido("diff", "last~1", "last").stdout
    assert "CANNOT TELL" in shown
    assert "one run each" in " ".join(shown.split())
    (zone,) = json.loads(latido("diff", "last~1", "last", "--format", "json").stdout)["whole"][
        "zones"
    ]
    assert zone["name"] == "load"
    assert zone["before_ns"] > zone["after_ns"] >= 100_000_000


def test_the_list_of_runs_says_verdict_and_step(latido: Latido) -> None:
    script = "import latido, time\nfor _ in range(60):\n  time.sleep(0.005); latido.step()"
    latido.run(sys.executable, "-c", script)
    header, line = latido("runs").stdout.splitlines()
    assert header.split() == ["name", "started", "wall", "end", "verdict", "step", "command"]
    (run,) = json.loads(latido("runs", "--format", "json").stdout)["runs"]
    report = latido.report()
    assert run["verdict"] == report["verdict"]
    assert run["verdict"] in line
    steady = [s["wall_ns"] for s in report["ranks"][0]["steps"] if "warmup" not in s["flags"]]
    assert abs(run["mean_step_ns"] - sum(steady) / len(steady)) <= 1
    assert " ms" in line


def test_a_program_may_change_directory_and_close_everything(
    latido: Latido, tmp_path: Path
) -> None:
    script = (
        "import os, latido\n"
        "with latido.zone('before'): pass\n"
        f"os.chdir({str(tmp_path)!r})\n"
        "os.closerange(3, 256)\n"
        "for _ in range(100):\n"
        "    with latido.zone('after'): pass\n"
    )
    assert latido.run(sys.executable, "-c", script).returncode == 0
    assert latido.report()["quality"]["accepted"] >= 202


def test_200_forks_are_200_processes(latido: Latido) -> None:
    script = (
        "import os, latido\n"
        "for i in range(200):\n"
        "    if os.fork() == 0:\n"
        "        with latido.zone('child'): pass\n"
        "        os._exit(0)\n"
        "for i in range(200): os.wait()\n"
    )
    done = latido.run(sys.executable, "-c", script)
    assert done.returncode == 0, done.stderr
    report = latido.report()
    assert report["quality"]["dropped"] == 0
    assert report["quality"]["accepted"] >= 400


def test_an_exec_of_itself_is_recorded_on(latido: Latido) -> None:
    script = (
        "import os, sys, latido\n"
        "with latido.zone('image'): pass\n"
        "n = int(os.environ.get('N', '0'))\n"
        "if n < 3:\n"
        "    os.environ['N'] = str(n + 1)\n"
        "    os.execv(sys.executable, [sys.executable, '-c', os.environ['SCRIPT']])\n"
    )
    done = latido.run(sys.executable, "-c", script, env={"SCRIPT": script})
    assert done.returncode == 0, done.stderr
    assert latido.report()["quality"]["accepted"] >= 8


@pytest.mark.parametrize("flag", ["-I", "-S", "-E", "-s"])
def test_interpreter_flags_do_no_harm(latido: Latido, flag: str) -> None:
    done = latido.run(sys.executable, flag, "-c", "print('hello')")
    assert (done.returncode, done.stdout) == (0, "hello\n")
    assert done.stderr.count("Error") == 0
    told = "python_without_hooks" in latido.report()["quality"]["notes"]
    assert told == (flag != "-s"), "what keeps the hooks out is said"


def test_the_users_sitecustomize_still_runs(latido: Latido, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('mine')\n")
    done = latido.run(sys.executable, "-c", "pass", env={"PYTHONPATH": str(tmp_path)})
    assert done.stdout == "mine\n"


def test_find_spec_before_the_import_keeps_the_hooks(latido: Latido) -> None:
    script = (
        "import importlib.util; importlib.util.find_spec('torch'); exec(open('plain.py').read())"
    )
    done = latido.run(sys.executable, "-c", script, cwd=PROGRAMS)
    assert done.returncode == 0, done.stderr
    assert len(latido.report()["ranks"][0]["steps"]) == 40


def test_a_program_that_never_steps_is_a_run(latido: Latido) -> None:
    done = latido.run(sys.executable, "-c", "import torch; torch.ones(3).sum()")
    assert done.returncode == 0
    report = latido.report()
    assert [rank["step_source"] for rank in report["ranks"]] == ["none"]
    assert report["ranks"][0]["steps"] == []


def test_a_run_without_an_end_has_no_length(latido: Latido) -> None:
    child = start(latido, "sleep", "30")
    assert child.stderr is not None
    child.stderr.readline()
    assert "-:--:--" in latido("runs").stdout
    assert json.loads(latido("runs", "--format", "json").stdout)["runs"][0]["wall_ns"] is None
    child.terminate()
    child.communicate(timeout=30)


def test_an_unknown_setting_is_an_error_with_its_line(latido: Latido, tmp_path: Path) -> None:
    (tmp_path / "latido.toml").write_text("[run]\ntelemetri_hz = 2\n")
    done = latido.run("true", cwd=tmp_path)
    assert done.returncode == 2
    assert "latido.toml:2: unknown setting 'run.telemetri_hz'" in done.stderr


@pytest.mark.parametrize("value", ["-1", "0", "nan", "fast"])
def test_a_senseless_rate_is_a_usage_error(latido: Latido, value: str) -> None:
    done = latido("run", "--telemetry-hz", value, "--", "true")
    assert done.returncode == 2
    assert "run.telemetry_hz: wants a number" in done.stderr


@pytest.mark.parametrize("file", ["/dev/zero", "/"])
def test_what_cannot_be_a_configuration_is_refused(latido: Latido, file: str) -> None:
    done = latido("run", "--config", file, "--", "true")
    assert done.returncode == 2
    assert file in done.stderr


def test_a_forgotten_subcommand_is_named(latido: Latido) -> None:
    done = latido("python", "train.py")
    assert done.returncode == 2
    assert "latido run -- python" in done.stderr


def test_print_config_says_where_each_value_comes_from(latido: Latido, tmp_path: Path) -> None:
    (tmp_path / "latido.toml").write_text("[run]\ntelemetry_hz = 2\n")
    done = latido(
        "run", "--print-config", "--no-report", cwd=tmp_path, env={"LATIDO_RUN_DRAIN_HZ": "20"}
    )
    assert done.returncode == 0
    assert "telemetry_hz = 2  # latido.toml:2" in done.stdout
    assert "drain_hz = 20  # LATIDO_RUN_DRAIN_HZ" in done.stdout
    assert "report_at_end = false  # --no-report" in done.stdout


def test_a_disk_that_fills_up_harms_the_recording_only(latido: Latido) -> None:
    """A file size limit stands in for the full disk: writes fail the same way."""
    script = (
        "import latido, time\n"
        "end = time.monotonic() + 3\n"
        "while time.monotonic() < end:\n"
        "    with latido.zone('z'): pass\n"
        "print('done')\n"
    )
    command = f'ulimit -f 200; exec {binary()} run -- {sys.executable} -c "$SCRIPT"'
    done = subprocess.run(
        ["bash", "-c", command],
        env=latido.environment | {"LATIDO_HOME": str(latido.home), "SCRIPT": script},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "done\n"
    assert done.returncode == 0, done.stderr
