"""Prints every operator for sm_90a, or the architecture ARCH: DIR/NAME.cu, and DIR/generate.json with the seconds that polymend took for each."""
import json
import os
import pathlib
import subprocess
import sys
import time

from build import MATRIX_KERNEL
from cases import operators


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    polymend = os.environ.get("POLYMEND", "build/release/polymend")
    arch = os.environ.get("ARCH", "sm_90a")
    seconds = {}
    for op in operators():
        text = pathlib.Path(f"inputs/{op.source}.cpp").read_text()
        for old, new in op.exchange:
            if old not in text:
                sys.exit(f"bench_operators: inputs/{op.source}.cpp has no '{old}'")
            text = text.replace(old, new)
        source = folder / f"{op.name}.cpp"
        source.write_text(text)
        for name, flags, _ in op.libraries():
            printed = folder / f"{name}.cu"
            printed.unlink(missing_ok=True)
            begin = time.monotonic()
            done = subprocess.run([polymend, str(source), "--target=cuda", f"--arch={arch}", *flags, "-o", str(printed)],
                                  stderr=subprocess.PIPE, text=True, timeout=120)
            seconds[name] = round(time.monotonic() - begin, 3)
            if done.returncode != 0 or not printed.exists():
                print(f"{name}: not printed (exit {done.returncode}): {done.stderr.strip()[:300]}")
                continue
            route = "matrix units" if MATRIX_KERNEL.search(printed.read_text()) else "general route"
            print(f"{name:28} {seconds[name]:6.2f} s  {route}")
    (folder / "generate.json").write_text(json.dumps(seconds, indent=1))


main()
