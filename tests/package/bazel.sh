#!/usr/bin/env bash
# tests/package/bazel.sh BUILD_DIR SOURCE_DIR SCRATCH: the Bazel recipe of docs/build.md. Says aloud where Bazel is not there, with exit status 77.
# Debian's Bazel comes without the rules that it would fetch: they are taken from Debian too, those for C++, which are younger than it, with
# the word that it does not know spelled out.
set -euo pipefail

build=$1 sources=$2 scratch=$3
command -v bazel >/dev/null || { echo "SKIPPED: there is no bazel (Debian: apt-get install bazel-bootstrap bazel-rules-{cc,java,proto} bazel-skylib bazel-platforms)"; exit 77; }
if [[ $(bazel --version) =~ ([0-9]+)\. ]] && [ "${BASH_REMATCH[1]}" -ge 8 ]; then
  echo "SKIPPED: Bazel ${BASH_REMATCH[1]} reads no WORKSPACE, in which this recipe names polymend"
  exit 77
fi
rules=/usr/share/bazel
if [ -d $rules ] && ! ls -d $rules/rules/{cc,java,proto} $rules/tools/{skylib,platforms} >/dev/null; then
  echo "SKIPPED: Debian's Bazel lacks its rules (apt-get install bazel-rules-{cc,java,proto} bazel-skylib bazel-platforms)"
  exit 77
fi
[ ! -d "$scratch" ] || chmod -R u+w "$scratch"
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cp -r "$sources/tests/package/project" "$scratch/project"
rm "$scratch/project/CMakeLists.txt"
cp "$sources"/tests/package/bazel/* "$scratch/project"

offline=()
if [ -d $rules ]; then
  cp -rL $rules/rules/cc "$scratch/rules_cc"
  sed -i 's/, "use_cpp_toolchain"//; s/use_cpp_toolchain()/["@bazel_tools\/\/tools\/cpp:toolchain_type"]/' "$scratch"/rules_cc/cc/private/rules_impl/*.bzl
  offline=(--override_repository=rules_cc="$scratch/rules_cc" --override_repository=rules_java=$rules/rules/java
           --override_repository=rules_proto=$rules/rules/proto --override_repository=bazel_skylib=$rules/tools/skylib
           --override_repository=platforms=$rules/tools/platforms)
fi
cd "$scratch/project"
export CC=clang-19
made() { bazel --batch --output_user_root="$scratch/root" build --subcommands "${offline[@]}" "${1:-//...}" >"$scratch/log" 2>&1; }
fail() { echo "package: $1"; cat "$scratch/log"; exit 1; }

made || fail "bazel build"
bazel-bin/rows || fail "the program gives a wrong result"
grep -q "mend sum" bazel-bin/kernel.polymend.cpp || fail "the kernel is not transformed"
grep -q "original and result agree" bazel-bin/kernel.check || fail "nothing was checked"
made || fail "bazel build, again"
! grep -q "genrule //:kernel_made" "$scratch/log" || fail "made again although nothing changed"
echo "// changed" >>include/element.h
made || fail "bazel build behind a change"
grep -q "genrule //:kernel_made" "$scratch/log" || fail "not made again after a header changed"
sed -i 's/^HEADERS = .*/HEADERS = ["kernel.h"]/' BUILD.bazel
! made //:kernel_made || fail "a header that no rule names is seen"
grep -q "'element.h' file not found" "$scratch/log" || fail "a header that no rule names: another error"
