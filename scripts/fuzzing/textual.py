"""The last steps of a reduction on the text itself, by cvise, where it is installed: of failures that polymend alone shows (a crash, an
invalid program, a result that does not compile). Wrong results stay with `reduce`, whose programs are well defined by their making."""
import os
import shlex
import shutil
import subprocess


def test(settings, options, outcome):
    """A shell script that is true where program.cpp still fails in this way, and is C++ without warnings of undefined behaviour."""
    call = " ".join(shlex.quote(w) for w in (settings.polymend, "program.cpp", "-o", "result.cpp", *options))
    lines = ["#!/bin/bash", f"{settings.clang} -std=c++20 -fsyntax-only -Wall -Wextra -Werror=uninitialized -Werror=return-type program.cpp >/dev/null 2>&1 || exit 1"]
    lines.append(f"ulimit -t {int(settings.limit) + 1}; {call} >said 2>&1; code=$?")
    if outcome.outcome == "invalid":
        lines.append('grep -qE "validation failed|internal error" said')
    elif outcome.outcome == "crash":
        lines.append("[ $code -gt 3 ]")
    else:
        lines.append(f"[ $code -eq 0 ] && ! {settings.clang} -std=c++20 -w -fopenmp -fsyntax-only result.cpp >/dev/null 2>&1")
    return "\n".join(lines) + "\n"


def smaller(settings, folder, text, options, outcome, seconds):
    """`text` after cvise; as it is where there is no cvise, or nothing that it could keep."""
    by_result = outcome.outcome == "crash" and not outcome.detail.startswith("exit")
    if outcome.outcome not in ("invalid", "crash", "uncompilable") or by_result or settings.device or not shutil.which("cvise"):
        return text
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program, script = folder / "program.cpp", folder / "test.sh"
    program.write_text(text)
    script.write_text(test(settings, options, outcome))
    script.chmod(0o755)
    try:
        subprocess.run(["cvise", "--n", "1", "--timeout", str(int(settings.limit) * 2), str(script), "program.cpp"], cwd=folder, timeout=seconds, check=False,
                       capture_output=True, env=dict(os.environ, TMPDIR=str(folder)), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        pass
    result = program.read_text()
    shutil.rmtree(folder, ignore_errors=True)
    return result
