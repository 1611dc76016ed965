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
  local folder="$scratch/$1 $2" options=() run
  [ -z "${3:-}" ] || options=(--config "$3")
  cp -r "$here/shapes" "$scratch/source $1 $2"
  quietly cmake -S "$scratch/source $1 $2" -B "$folder" -G "$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_PREFIX_PATH="$scratch/prefix" ${3:+-DPOLYMEND_MULTI=ON}
  quietly cmake --build "$folder" --parallel 2 "${options[@]}"
  run="$folder${3:+/$3}/shapes"
  "$run" || fail "$1: the program gives a wrong result"
  [ "$(sed 's/;/\n/g' "$folder/made-${3:-}" | while read -r file; do [ -f "$file" ] && echo there; done | wc -l)" = 6 ] || fail "$1: OUTPUTS, HEADER, REPORT"
  rebuilt "$folder" "${options[@]}" && fail "$1: made again although nothing changed"
  # A comment that no result has: made again, but not compiled again.
  sleep 1.1
  sed -i 's/n; ++i) y/n; ++i)  y/' "$scratch/source $1 $2/two/kernel.cpp"
  rebuilt "$folder" "${options[@]}" || fail "$1: not made again"
  # A flag that changes is a reason too.
  sed -i 's/FACTOR=3/FACTOR=4/' "$scratch/source $1 $2/CMakeLists.txt"
  sleep 1.1
  rebuilt "$folder" "${options[@]}" || fail "$1: not made again for a flag"
  "$run" && fail "$1: the flag is not seen"
  (cd "$folder" && ctest ${3:+-C "$3"} 2>&1) >"$log" || fail "$1: check"
  grep -q 'polymend.both.one/kernel .*Passed' "$log" || fail "$1: no check ran"
}
shapes Ninja clang++-19
shapes "Ninja Multi-Config" clang++-19 Release
command -v make >/dev/null && shapes "Unix Makefiles" g++

for backend in cuda hip opencl; do
  cmake -S "$here/off" -B "$scratch/off" -G Ninja -DBACKEND=$backend -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$log" 2>&1 && fail "$backend is not refused"
  grep -Eq "BACKEND $backend needs the language|there is no backend 'opencl'" "$log" || fail "$backend is refused without a reason"
  rm -rf "$scratch/off"
done

quietly cmake -S "$here/within" -B "$scratch/within" -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DPOLYMEND="$sources"
quietly ninja -C "$scratch/within" -t commands kernels
grep -q 'log_sum_exp.*--write-if-changed' "$log" || fail "a folder of the project has no rule"

PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name polymend.pc)") pkg-config --variable=polymend polymend >"$log"
"$(cat "$log")" --version >/dev/null || fail "pkg-config names no tool"
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name polymend.pc)") pkg-config --cflags polymend)
echo '#include <polymend_rt/cpp/sum.h>' | clang++-19 -std=c++20 -fsyntax-only ${flags} -x c++ - 2>"$log" || fail "pkg-config names no headers"
[ -s "$scratch/prefix/share/man/man1/polymend.1" ] || fail "no manual page"
