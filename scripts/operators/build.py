"""Builds DIR/NAME.cu into DIR/NAME.so, several at a time, and judges what ptxas says of the matrix kernels.

Each library has one entry of C linkage, `int NAME_entry(cudaStream_t stream, arguments of the function...)`. A spill inside a
kernel for matrix units, or any line that tells of a potential performance loss, is a fault: the library stays and can be timed, but
the build (and the run after it) fails. DIR/build.json keeps the seconds that
nvcc took, registers and spills; a library is kept while its text stays the same.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ARCH = os.environ.get("ARCH", "sm_90a")
CODE = f"-gencode=arch=compute_{ARCH[3:]},code={ARCH}" if ARCH.endswith("a") else f"-arch={ARCH}"
MATRIX_KERNEL = re.compile(r"_matrix(_small)?_kernel")  # in the name of a kernel for matrix units
NVCC = ["nvcc", "-std=c++20", "-O3", CODE, "-Xptxas=-v", "-shared", "-Xcompiler=-fPIC", "-diag-suppress=177"]


def wrapper(printed):
    """A text that includes the printed one and gives its function an entry of C linkage."""
    found = re.search(r"cudaError_t (\w+)_on\(cudaStream_t stream, ([^{};]*?)\)\s*\{", printed.read_text())
    if not found:
        return None
    names = ", ".join(re.search(r"(\w+)\s*$", p).group(1) for p in found.group(2).split(","))
    return (f'#include "{printed.name}"\nextern "C" int {found.group(1)}_entry(cudaStream_t stream, {found.group(2)}) {{\n'
            f"  return static_cast<int>({found.group(1)}_on(stream, {names}));\n}}\n")


def digest(printed):
    return hashlib.sha256(" ".join(NVCC).encode() + printed.read_bytes()).hexdigest()


def resources(log):
    """Of each kernel in ptxas's words: registers, bytes of stack, of spill stores and loads."""
    kernels = {}
    for part in re.split(r"Compiling entry function '", log)[1:]:
        stack = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", part)
        registers = re.search(r"Used (\d+) registers", part)
        if stack and registers:
            kernels[part.split("'")[0]] = dict(registers=int(registers.group(1)), stack=int(stack.group(1)),
                                               spill_stores=int(stack.group(2)), spill_loads=int(stack.group(3)))
    return kernels


def faults(log):
    result = [line.strip() for line in log.splitlines() if "Potential Performance Loss" in line]
    for kernel, use in resources(log).items():
        if MATRIX_KERNEL.search(kernel) and use["spill_stores"] + use["spill_loads"] > 0:
            result.append(f"{re.sub(r'^_Z[0-9]*|_kernel.*', '', kernel)}_kernel spills {use['spill_stores']} + {use['spill_loads']} bytes")
    return result


def build(printed):
    """What is to be known of one library: seconds, kernels, faults."""
    library, log = printed.with_suffix(".so"), printed.with_suffix(".log")
    text = wrapper(printed)
    if text is None:
        return dict(faults=["it has no entry on device memory: polymend left the function alone"])
    begin = time.monotonic()
    entry = printed.with_suffix(".entry.cu")
    entry.write_text(text)
    try:
        done = subprocess.run([*NVCC, str(entry), "-o", str(library)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return dict(faults=["nvcc took more than 300 s"])
    seconds = round(time.monotonic() - begin, 1)
    log.write_text(done.stdout)
    found = faults(done.stdout)
    if done.returncode != 0:
        found.append("nvcc failed: " + next((l for l in done.stdout.splitlines() if "error" in l), "")[:200])
    if done.returncode != 0:
        library.unlink(missing_ok=True)
    return dict(seconds=seconds, kernels=resources(done.stdout), faults=found,
                matrix=bool(MATRIX_KERNEL.search(printed.read_text())))


def main():
    folder = pathlib.Path(sys.argv[1])
    known = folder / "build.json"
    results = json.loads(known.read_text()) if known.exists() else {}
    texts = [p for p in sorted(folder.glob("*.cu")) if not p.name.endswith(".entry.cu")]
    stale = [p for p in texts if results.get(p.stem, {}).get("text") != digest(p) or not p.with_suffix(".so").exists()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for printed, result in zip(stale, pool.map(build, stale)):
            results[printed.stem] = dict(result, text=digest(printed))
            print(f"{printed.stem:28} nvcc {result.get('seconds', 0):5.1f} s  " + ("; ".join(result["faults"]) or "ok"), flush=True)
    known.write_text(json.dumps({p.stem: results[p.stem] for p in texts}, indent=1))
    return 1 if any(results[p.stem]["faults"] for p in texts) else 0


if __name__ == "__main__":
    sys.exit(main())
