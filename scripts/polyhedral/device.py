"""The kernels on a GPU: what polymend makes of each for --target=cuda beside what `ppcg` makes, on device time.

generate(): where polymend is, and `ppcg` if there is one: DIR gets every text. run(): where the GPU, nvcc and g++ are: builds them,
compares all arrays with the source's on the host, and prints a table. A time is the least of some calls, from a device that waits
to one that has finished; arrays lie on the device before and after, so that no copy counts. Of PPCG's host text, which copies by
itself, it is from its last copy to the device to its first copy back.
"""
import concurrent.futures
import json
import math
import os
import re
import shutil
import subprocess

# What a kernel must do at least: operations of products, bytes of each sweep of a stencil.
WORK = {
    "gemm": ("flops", "2.0*n*m*p"), "symm": ("flops", "2.0*m*m*n"), "syrk": ("flops", "1.0*n*n*m"), "syr2k": ("flops", "2.0*n*n*m"),
    "trmm": ("flops", "1.0*m*m*n"), "two_products": ("flops", "4.0*n*n*n"), "three_products": ("flops", "6.0*n*n*n"),
    "doitgen": ("flops", "2.0*r*q*p*p"), "lu": ("flops", "2.0/3*n*n*n"), "cholesky": ("flops", "1.0/3*n*n*n"),
    "gramschmidt": ("flops", "2.0*m*n*n"), "covariance": ("flops", "1.0*n*m*m"), "correlation": ("flops", "1.0*n*m*m"),
    "jacobi_1d": ("bytes", "32.0*steps*n"), "jacobi_2d": ("bytes", "32.0*steps*n*n"), "seidel_2d": ("bytes", "16.0*steps*n*n"),
    "fdtd_2d": ("bytes", "56.0*steps*n*m"), "atax": ("bytes", "8.0*m*n"), "bicg": ("bytes", "8.0*m*n"), "mvt": ("bytes", "8.0*n*n"),
    "heat_3d": ("bytes", "32.0*n*n*n"), "gesummv": ("bytes", "16.0*n*n"), "gemver": ("bytes", "24.0*n*n"), "trisolv": ("bytes", "4.0*n*n"),
}
LARGE = {"jacobi_2d": {"steps": 4, "n": 16384}, "heat_3d": {"n": 512}}  # a second size of stencils that no cache holds

DRIVER = r"""
#include "%(name)s.cu"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
%(scalars)s
extern "C" void bench_source(%(types)s);
%(declare_peer)s
static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
static void must(cudaError_t e) {
  if (e != cudaSuccess) std::printf("{\"fault\": \"%%s\"}\n", cudaGetErrorString(e)), std::exit(1);
}
int main() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> real(0.5, 1.5);
%(arrays)s
  bench_source(%(wanted)s);
  double least = 1e30, off = 0, peer = 1e30, peerOff = 0;
  const auto farthest = [](const auto &got, const auto &wanted) {
    double most = 1e-30, gap = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      most = std::max(most, std::fabs(double(wanted[i])));
      const bool same = got[i] == wanted[i] || (got[i] != got[i] && wanted[i] != wanted[i]);
      gap = std::max(gap, same ? 0.0 : std::isfinite(double(got[i]) - double(wanted[i])) ? std::fabs(double(got[i]) - double(wanted[i])) : 1e300);
    }
    return gap / most;
  };
  for (int round = 0; round < %(rounds)d && %(has)d; ++round) {
%(upload)s
    must(cudaDeviceSynchronize());
    const double begin = now();
    must(%(name)s_on(nullptr, %(device)s));
    must(cudaDeviceSynchronize());
    least = std::min(least, now() - begin);
    if (round) continue;
%(download)s
%(compare)s
  }
  for (int round = 0; round < %(peer_rounds)d; ++round) {
%(restore)s
    double taken = 0;
%(call_peer)s
    peer = std::min(peer, taken);
    if (round) continue;
%(compare_peer)s
  }
  std::printf("{\"ms\": %%.5f, \"off\": %%.2e, \"peer_ms\": %%.5f, \"peer_off\": %%.2e}\n", least * 1e3, off, peer * 1e3, peerOff);
}
"""

PEER = r"""
#include <cuda_runtime.h>
#include <chrono>
static double benchBegin, benchEnd;
static double benchNow() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
static cudaError_t benchCopy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToHost && benchEnd == 0) cudaDeviceSynchronize(), benchEnd = benchNow();
  const cudaError_t error = cudaMemcpy(to, from, bytes, kind);
  if (kind == cudaMemcpyHostToDevice) cudaDeviceSynchronize(), benchBegin = benchNow();
  return error;
}
#include "%(name)s_ppcg_kernel.cu"
#define cudaMemcpy benchCopy
#include "%(name)s_ppcg_host.cu"
extern "C" double bench_peer(%(types)s) {
  benchBegin = benchEnd = 0;
  %(name)s_peer(%(names)s);
  return benchEnd - benchBegin;
}
"""


def names(parameters):
    return ", ".join(p for _, _, p in parameters)


def typed(parameters):
    return ", ".join(t + (" *" if s else " ") + p for t, s, p in parameters)


def generate(settings, root, kernels, parameters_of, in_tables):
    """Every text of the kernels, into settings.out."""
    out = settings.out
    out.mkdir(parents=True, exist_ok=True)
    about = {}
    for name in settings.only.split(",") if settings.only else kernels:
        text = (root / f"tests/classical/{name}.cpp").read_text()
        parameters = parameters_of(text, name)
        (out / f"{name}.source.cpp").write_text(text + f'\nextern "C" void bench_source({typed(parameters)}) {{ {name}({names(parameters)}); }}\n')
        made = subprocess.run([settings.tool, str(root / f"tests/classical/{name}.cpp"), "--target=cuda", f"--arch={settings.arch}", f"--fp={settings.fp}",
                               "-o", str(out / f"{name}.cu")], capture_output=True, text=True)
        printed = (out / f"{name}.cu").read_text() if made.returncode == 0 else ""
        has = f"{name}_on(cudaStream_t" in printed
        why = [line.split("remark: ")[1] for line in made.stderr.splitlines() if "remark: " in line][:1]
        marked = in_tables(text, name, parameters, kernels[name][1], False) if shutil.which("ppcg") else None
        peer = False
        if marked:
            (out / f"{name}_ppcg.c").write_text(marked)
            done = subprocess.run(["ppcg", "--target=cuda", f"{name}_ppcg.c", "-o", f"{name}_ppcg.cu"], cwd=out, capture_output=True, text=True, timeout=600)
            host = out / f"{name}_ppcg_host.cu"
            peer = done.returncode == 0 and host.exists()
            if peer:
                head = re.compile(r"void " + name + r"\s*\(([^)]*)\)")
                flat = re.sub(r"(\w+ )(\w+)(?:\[[^\]]*\])+", r"\1*\2", head.search(host.read_text()).group(1))
                host.write_text(head.sub(f"void {name}_peer({flat})", host.read_text(), 1))
                (out / f"{name}.peer.cu").write_text(PEER % {"name": name, "types": typed(parameters), "names": names(parameters)})
        about[name] = {"has": has, "why": why, "peer": peer, "parameters": parameters}
        print(f"{name:16} {'printed' if has else 'left: ' + (why[0] if why else made.stderr[:100])}{', PPCG too' if peer else ''}", flush=True)
    (out / "about.json").write_text(json.dumps(about, indent=1))
    return 0


def driver(settings, name, label, about, sizes, counts, factored):
    parameters = about["parameters"]
    arrays = [(t, p, counts.get(p, "n*n")) for t, s, p in parameters if s]
    square = {p for _, p, c in arrays if c == "n*n"}
    each = lambda make: "\n".join("  " + make(t, p) for t, p, _ in arrays)
    start = "\n".join(f"  std::vector<{t}> {p}_start(std::size_t(1) * {c.replace('*', ' * std::size_t(1) * ')}); for ({t} &x : {p}_start) x = "
                      + ("random() % 4;" if t == "int" else "real(random);")
                      + (f"\n  for (long i = 0; i < n; ++i) {p}_start[i * n + i] += n;" if name in factored and p in square else "")
                      + f"\n  std::vector<{t}> {p}_wanted = {p}_start, {p}_got = {p}_start;"
                      + f"\n  {t} *{p}_device; must(cudaMalloc(&{p}_device, {p}_start.size() * sizeof({t})));" for t, p, c in arrays)
    scalars = "\n".join(f"static const {t} {p} = {sizes.get(p, 1.25)};" for t, s, p in parameters if not s)
    given = lambda ending: ", ".join(p + ending if s else p for _, s, p in parameters)
    bytes_of = lambda t, p: f"{p}_start.size() * sizeof({t})"
    rounds = 3 if label != name else 5
    text = DRIVER % {
        "name": name, "scalars": scalars, "types": typed(parameters), "arrays": start, "wanted": given("_wanted.data()"), "device": given("_device"),
        "declare_peer": f'extern "C" double bench_peer({typed(parameters)});' if about["peer"] else "", "rounds": rounds, "has": int(about["has"]),
        "upload": each(lambda t, p: f"  must(cudaMemcpy({p}_device, {p}_start.data(), {bytes_of(t, p)}, cudaMemcpyHostToDevice));"),
        "download": each(lambda t, p: f"  must(cudaMemcpy({p}_got.data(), {p}_device, {bytes_of(t, p)}, cudaMemcpyDeviceToHost));"),
        "compare": each(lambda t, p: f"  off = std::max(off, farthest({p}_got, {p}_wanted));"),
        "restore": each(lambda t, p: f"  {p}_got = {p}_start;"), "peer_rounds": rounds if about["peer"] else 0,
        "call_peer": f"    taken = bench_peer({given('_got.data()')});" if about["peer"] else "",
        "compare_peer": each(lambda t, p: f"  peerOff = std::max(peerOff, farthest({p}_got, {p}_wanted));")}
    if not about["has"]:
        text = text.replace(f"must({name}_on(nullptr, {given('_device')}));", "").replace(f'#include "{name}.cu"', "#include <cuda_runtime.h>")
    (settings.out / f"{label}.bench.cu").write_text(text)


def build(settings, name, label, peer):
    out, nvcc = settings.out, ["nvcc", "-std=c++20", "-O3", f"-arch={settings.arch}", "-diag-suppress=177,550"]
    source = subprocess.run(["g++", "-std=c++20", "-O3", "-march=native", "-w", f"-D{name}=source_{name}", "-c", f"{name}.source.cpp", "-o", f"{label}.source.o"], cwd=out, capture_output=True, text=True)
    parts = [f"{label}.bench.cu", *([f"{name}.peer.cu"] if peer else []), f"{label}.source.o"]
    made = subprocess.run([*nvcc, *parts, "-o", f"{label}.bench"], cwd=out, capture_output=True, text=True)
    return (source.stderr + made.stderr)[-600:] if source.returncode or made.returncode else None


def run(settings, kernels, factored):
    """Builds and times what generate() left, and prints the table."""
    out = settings.out
    about = json.loads((out / "about.json").read_text())
    asked = []
    for name, known in about.items():
        sizes = {k: max(8, int(v * settings.scale)) for k, v in kernels[name][0].items()}
        asked.append((name, name, known, sizes))
        if name in LARGE and settings.scale == 1:
            asked.append((name, name + "_large", known, LARGE[name]))
    for name, label, known, sizes in asked:
        driver(settings, name, label, known, sizes, kernels[name][1], factored)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(pool.map(lambda a: build(settings, a[0], a[1], a[2]["peer"]), asked))
    ratios, lines = [], out / "kernels.jsonl"
    lines.write_text("")
    for (name, label, known, sizes), fault in zip(asked, faults):
        if fault:
            print(f"{label:18} not built: {fault}", flush=True)
            continue
        try:
            done = subprocess.run([f"./{label}.bench"], cwd=out, capture_output=True, text=True, timeout=120)
            cell = json.loads(done.stdout) if done.stdout.startswith("{") else {"fault": done.stderr[-200:] or done.returncode}
        except subprocess.TimeoutExpired:
            cell = {"fault": "more than two minutes"}
        cell.update(kernel=label, sizes=sizes, left=None if known["has"] else known["why"])
        with open(lines, "a", encoding="utf-8") as file:
            file.write(json.dumps(cell) + "\n")
        if "fault" in cell:
            print(f"{label:18} {cell['fault']}", flush=True)
            continue
        kind, work = WORK.get(name, (None, None))
        rate = ""
        if kind and known["has"]:
            rate = f"{eval(work, {}, dict(sizes)) / cell['ms'] / (1e9 if kind == 'flops' else 1e6):8.2f} {'TFLOP/s' if kind == 'flops' else 'GB/s'}"
        mine = f"{cell['ms']:10.3f} ms off {cell['off']:.0e}" if known["has"] else f"{'left':>13}          "
        other = f"  PPCG {cell['peer_ms']:10.3f} ms off {cell['peer_off']:.0e}" if known["peer"] else ""
        ratio = ""
        if known["has"] and known["peer"]:
            ratios.append((cell["peer_ms"] / cell["ms"], label))
            ratio = f"  {ratios[-1][0]:8.2f} ×"
        print(f"{label:18} {' '.join(f'{k}={v}' for k, v in sizes.items()):26} {mine}{other}{ratio} {rate}", flush=True)
    if ratios:
        mean = math.exp(sum(math.log(r) for r, _ in ratios) / len(ratios))
        print(f"PPCG / polymend: geometric mean {mean:.2f} of {len(ratios)}, least {min(ratios)[0]:.2f} ({min(ratios)[1]})")
    return 0
