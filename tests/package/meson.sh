#!/usr/bin/env bash
# tests/package/meson.sh BUILD_DIR SOURCE_DIR SCRATCH: the Meson recipe of docs/build.md. Says aloud where Meson is not there, with exit status 77.
set -euo pipefail

build=$1 sources=$2 scratch=$3
command -v meson >/dev/null || { echo "SKIPPED: there is no meson (Debian: apt-get install meson)"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cp -r "$sources/tests/package/project" "$scratch/project"
rm "$scratch/project/CMakeLists.txt"
cp "$sources/tests/package/meson/meson.build" "$scratch/project"
cd "$scratch"
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name polymend.pc)")
export PKG_CONFIG_PATH CXX=clang++-19
run() { "$@" >log 2>&1 || { echo "package: $*"; cat log; exit 1; }; }
run meson setup made project
run meson compile -C made
grep -q "mend sum" made/kernel.polymend.cpp || { echo "package: the kernel is not transformed"; exit 1; }
run meson test -C made
grep -Eq "Ok: +2" log || { echo "package: not both tests ran"; cat log; exit 1; }
run meson compile -C made
grep -q "no work to do" log || { echo "package: made again although nothing changed"; cat log; exit 1; }
echo "// changed" >>project/include/element.h
run meson compile -C made
grep -q "kernel.polymend" log || { echo "package: not made again after a header changed"; cat log; exit 1; }
