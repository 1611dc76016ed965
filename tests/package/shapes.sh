#!/usr/bin/env bash
# tests/package/shapes.sh BUILD_DIR SOURCE_DIR SCRATCH: targets of every kind, generators, presets, what is refused, and polymend as a folder
# of a project. Each project is configured, built and run.
set -euo pipefail

build=$1 sources=$2 scratch=$3
here=$sources/tests/package
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
log=$scratch/log
fail() { echo "package: $1"; cat "$log"; exit 1; }
quietly() { "$@" >"$log" 2>&1 || fail "$*"; }
# Has a build of the folder nothing to do, or what does it say?
rebuilt() { cmake --build "$@" >"$log" 2>&1 || fail "rebuild"; grep -Eq 'polymend [^ ]+ for' "$log"; }

shapes() { # GENERATOR COMPILER [CONFIGURATION]
  local folder="$scratch/$1 $2" options=() run made
  [ -z "${3:-}" ] || options=(--config "$3")
  cp -r "$here/shapes" "$scratch/source $1 $2"
  quietly cmake -S "$scratch/source $1 $2" -B "$folder" -G "$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_PREFIX_PATH="$scratch/prefix" ${3:+-DPOLYMEND_MULTI=ON}
  quietly cmake --build "$folder" --parallel 2 "${options[@]}"
  run="$folder${3:+/$3}/shapes"
  "$run" || fail "$1: the program gives a wrong result"
  [ "$(sed 's/;/\n/g' "$folder/made-${3:-}" | while read -r file; do [ -f "$file" ] && echo there; done | wc -l)" = 6 ] || fail "$1: OUTPUTS, HEADER, REPORT"
  rebuilt "$folder" "${options[@]}" && fail "$1: made again although nothing changed"
  # A source that is newer but the same: made again, but not compiled again, and then all is well.
  sleep 1.1
  touch "$scratch/source $1 $2/two/kernel.cpp"
  rebuilt "$folder" "${options[@]}" || fail "$1: not made again"
  grep -q 'Building CXX' "$log" && fail "$1: compiled again although nothing changed"
  rebuilt "$folder" "${options[@]}" && fail "$1: made again and again"
  # What is lost is made again, a real change is compiled, and a header that is gone is no reason any more.
  made=$folder/polymend/three/${3:+$3/}three
  rm "$made/kernel.polymend.cpp" "$made/kernel.cc.polymend.h"
  rebuilt "$folder" "${options[@]}" || fail "$1: what is lost is not made again"
  [ -f "$made/kernel.polymend.cpp" ] && [ -f "$made/kernel.cc.polymend.h" ] || fail "$1: what is lost is not there again"
  sleep 1.1
  sed -i -e '/used.h/d' -e 's/3 \* x/5 * x/' "$scratch/source $1 $2/three/kernel.cpp"
  rm "$scratch/source $1 $2/three/used.h"
  rebuilt "$folder" "${options[@]}" || fail "$1: not made again for a change"
  grep -q 'Building CXX.*kernel.polymend.cpp' "$log" || fail "$1: a change is not compiled"
  rebuilt "$folder" "${options[@]}" && fail "$1: made again for a header that is gone"
  # A flag that changes is a reason too.
  sed -i 's/FACTOR=3/FACTOR=4/' "$scratch/source $1 $2/CMakeLists.txt"
  sleep 1.1
  rebuilt "$folder" "${options[@]}" || fail "$1: not made again for a flag"
  "$run" && fail "$1: the flag is not seen"
  (cd "$folder" && ctest ${3:+-C "$3"} 2>&1) >"$log" || fail "$1: check"
  grep -q 'polymend.both.one/kernel .*Passed' "$log" && grep -q 'polymend.both.one/kernel.2 .*Passed' "$log" || fail "$1: no check ran"
}
shapes Ninja clang++-19
shapes "Ninja Multi-Config" g++ Release
command -v make >/dev/null && shapes "Unix Makefiles" g++

for backend in cuda hip opencl; do
  cmake -S "$here/off" -B "$scratch/off" -G Ninja -DBACKEND=$backend -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$log" 2>&1 && fail "$backend is not refused"
  grep -Eq "BACKEND $backend needs the language|there is no backend 'opencl'" "$log" || fail "$backend is refused without a reason"
  rm -rf "$scratch/off"
done

# Architectures are those of the tool, and another one is none.
"$scratch/prefix/bin/polymend" "$here/shapes/shared.cpp" --target=cuda --arch=sm_11 >"$log" 2>&1 && fail "sm_11 is known"
for arch in $(grep -o 'sm_[0-9]*[af]*,\|sm_[0-9]*[af]*$' "$log" | tr -d ','); do
  grep -q "\b$arch\b" "$sources/cmake/polymendTransform.cmake" || fail "$arch is not known to polymend_transform"
done
cmake -S "$here/off" -B "$scratch/off" -G Ninja -DBACKEND=cpp -DARCH=smm_80 -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$log" 2>&1 && fail "ARCH smm_80 is not refused"
grep -q "there is no ARCH 'smm_80'" "$log" || fail "ARCH smm_80 is refused without a reason"

# For another machine, only configured: the source is read as that machine's, and the tool is run as it is.
quietly cmake -S "$here/cross" -B "$scratch/cross" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=armv7 -DCMAKE_CXX_COMPILER=clang++-19 \
  -DCMAKE_CXX_COMPILER_TARGET=arm-linux-gnueabihf -DCMAKE_CXX_COMPILER_WORKS=1 -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_SYSROOT_COMPILE=/nowhere \
  -DCMAKE_CXX_COMPILER_EXTERNAL_TOOLCHAIN=/elsewhere -DCMAKE_CROSSCOMPILING_EMULATOR=/emulator -DCMAKE_PREFIX_PATH="$scratch/prefix"
for flag in --target=arm-linux-gnueabihf --sysroot=/nowhere --gcc-toolchain=/elsewhere; do
  grep -qx -- "$flag" "$scratch/cross/polymend/kernels/flags--CXX" || fail "another machine: no $flag"
done
quietly ninja -C "$scratch/cross" -t commands kernels
grep -q '/emulator' "$log" && fail "another machine: the tool is run by its emulator"

quietly cmake -S "$here/within" -B "$scratch/within" -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DPOLYMEND="$sources"
quietly ninja -C "$scratch/within" -t commands kernels
grep -q 'log_sum_exp.*--write-if-changed' "$log" || fail "a folder of the project has no rule"
quietly cmake --install "$scratch/within" --prefix "$scratch/within prefix"
[ -z "$(find "$scratch/within prefix" -type f 2>/dev/null)" ] || fail "a folder of the project is installed with it"

PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name polymend.pc)") pkg-config --variable=polymend polymend >"$log"
"$(cat "$log")" --version >/dev/null || fail "pkg-config names no tool"
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name polymend.pc)") pkg-config --cflags polymend)
echo '#include <polymend_rt/cpp/sum.h>' | clang++-19 -std=c++20 -fsyntax-only ${flags} -x c++ - 2>"$log" || fail "pkg-config names no headers"
[ -s "$scratch/prefix/share/man/man1/polymend.1" ] || fail "no manual page"
