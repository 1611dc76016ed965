#!/usr/bin/env bash
# tests/package/gpu.sh BUILD_DIR SOURCE_DIR SCRATCH: a project whose kernel is CUDA or HIP, built with CMake's own support for the language.
# Says aloud which of the two it could not try; exit status 77 where that was both.
set -euo pipefail

build=$1 sources=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
log=$scratch/log
fail() { echo "package: $1"; cat "$log"; exit 1; }
tried=0

try() { # LANGUAGE ENDING RUNTIME OPTION...
  local language=$1 ending=$2 runtime=$3 folder=$scratch/$1 code=0
  shift 3
  cp -r "$sources/tests/package/gpu" "$folder source"
  cmake -S "$folder source" -B "$folder" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" -DLANGUAGE="$language" -DRUNTIME="$runtime" "$@" >"$log" 2>&1 || fail "$language: configure"
  cmake --build "$folder" --parallel 2 >"$log" 2>&1 || fail "$language: build"
  [ "$(tr ';' '\n' <"$folder/made" | xargs ls 2>/dev/null | grep -c "\.$ending\$")" = 2 ] || fail "$language: OUTPUTS"
  grep -q "log_sums_on" "$folder/polymend/kernels/rows.polymend.h" || fail "$language: the header lacks the entry on device pointers"
  cmake --build "$folder" >"$log" 2>&1
  grep -Eq 'polymend [^ ]+ for' "$log" && fail "$language: made again although nothing changed"
  "$folder/program" >"$log" 2>&1 || code=$?
  [ $code = 0 ] || { [ $code = 2 ] && grep -q '^thrown: ' "$log"; } || fail "$language: the program ends with $code"
  echo "$language: built; the program $([ $code = 0 ] && echo "is right" || cat "$log")"
  tried=$((tried + 1))
}

only=${ONLY:-CUDA HIP} # languages
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
if [ -n "$nvcc" ] && [[ $only = *CUDA* ]]; then
  try CUDA cu "" -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=80 -DCMAKE_CXX_COMPILER=g++-12 -DCMAKE_CUDA_HOST_COMPILER=g++-12
elif [[ $only = *CUDA* ]]; then
  echo "SKIPPED: CUDA, there is no nvcc"
fi
bitcode=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
if [[ $only = *HIP* ]] && command -v clang++-19 >/dev/null && [ -d $bitcode ] && [ -f /usr/include/hip/hip_runtime.h ]; then
  try HIP hip amdhip64 -DCMAKE_HIP_COMPILER="$(command -v clang++-19)" -DCMAKE_HIP_COMPILER_ROCM_ROOT="$sources/tests/package/rocm" -DCMAKE_HIP_ARCHITECTURES=gfx90a \
    -DCMAKE_HIP_FLAGS="--rocm-device-lib-path=$bitcode" -DCMAKE_CXX_COMPILER=clang++-19
elif [[ $only = *HIP* ]]; then
  echo "SKIPPED: HIP, there is no clang++-19 with HIP's headers and device libraries (Debian: rocm-device-libs libamdhip64-dev)"
fi
[ $tried -gt 0 ] || exit 77
