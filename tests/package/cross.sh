#!/usr/bin/env bash
# tests/package/cross.sh BUILD_DIR SOURCE_DIR SCRATCH: presets that build for aarch64, by Clang with a triple and a sysroot and by GCC's cross
# compiler. Says aloud where that is not installed, with exit status 77.
set -euo pipefail

build=$1 sources=$2 scratch=$3
command -v aarch64-linux-gnu-g++ >/dev/null || { echo "SKIPPED: there is no aarch64-linux-gnu-g++ (Debian: apt-get install g++-aarch64-linux-gnu)"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cp -r "$sources/tests/package/cross" "$scratch/project"
cd "$scratch/project"
for preset in clang gcc; do
  POLYMEND_PREFIX=$scratch/prefix cmake --preset $preset >log 2>&1 || { echo "package: $preset: configure"; cat log; exit 1; }
  cmake --build --preset $preset >log 2>&1 || { echo "package: $preset: build"; cat log; exit 1; }
  flags=$preset/polymend/kernels/flags--CXX
  grep -qx -- '--target=aarch64-linux-gnu' $flags || { echo "package: $preset: no triple"; cat $flags; exit 1; }
  [ $preset != clang ] || grep -qx -- '--sysroot=/' $flags || { echo "package: $preset: no sysroot"; cat $flags; exit 1; }
  objdump=$(command -v aarch64-linux-gnu-objdump)
  $objdump -f $preset/libkernels.a | grep aarch64 >/dev/null || { echo "package: $preset: not for aarch64"; exit 1; }
  echo "$preset: $(tr '\n' ' ' <$flags)"
done
