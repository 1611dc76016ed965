#!/usr/bin/env bash
# tests/package/fetched.sh SOURCE_DIR SCRATCH: a project that fetches polymend, and builds the whole of it for its kernels. As long as a build takes.
set -euo pipefail

sources=$1 scratch=$2
mkdir -p "$scratch" # kept: what is built there is built once
cmake -S "$sources/tests/package/within" -B "$scratch/made" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-19 -DPOLYMEND="$sources" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; exit 1; }
cmake --build "$scratch/made" --target kernels >"$scratch/log" 2>&1 || { tail -30 "$scratch/log"; exit 1; }
nm "$scratch/made/libkernels.a" | grep 'T.*log_sum_exp' >/dev/null || { echo "package: the kernel is not in the library"; exit 1; }
