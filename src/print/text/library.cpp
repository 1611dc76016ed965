// The table of primitives, in an order in which each stands after what it needs.
#include "print/library.h"
#include "polymend/tile.h"
#include "texts.h"

#include <string_view>
#include <vector>

namespace polymend::print_room {

namespace {

struct Primitive {
  std::string_view name;
  std::vector<std::string_view> needs, headers;
  std::string_view text;
};

/// A macro with a number that its user may choose.
std::string macroText(const std::string &name, int value) {
  return "#if !defined(" + name + ")\n#define " + name + " " + std::to_string(value) + "\n#endif\n";
}

const std::vector<Primitive> &primitives() {
  static const std::string least = macroText("POLYMEND_LEAST_WORK", leastWork);
  static const std::vector<Primitive> all{
      {"unroll", {}, {}, texts::unroll},
      {"leastWork", {}, {}, least},
      {"floorDiv", {}, {"cstdint"}, texts::floorDiv},
      {"floorMod", {"floorDiv"}, {"cstdint"}, texts::floorMod},
      {"threads", {}, {"omp.h"}, texts::threads},
      {"Buffer", {}, {"cstdint", "new"}, texts::buffer},
      {"overlap", {}, {"cstdint"}, texts::overlap},
      {"Interval", {}, {"cstdint"}, texts::interval},
      {"meets", {"Interval"}, {"cstdint"}, texts::meets},
      {"valuesIn", {"Interval"}, {"cstdint"}, texts::valuesIn},
      {"multiplyAdd", {}, {"cmath"}, texts::multiplyAdd},
      {"reduce", {}, {"cstdint"}, texts::reduce},
      {"sum", {"reduce"}, {}, texts::sum},
      {"product", {"reduce"}, {}, texts::product},
      {"maximum", {"reduce"}, {"limits"}, texts::maximum},
      {"minimum", {"reduce"}, {"limits"}, texts::minimum},
      {"fmaximum", {"reduce"}, {"limits", "cmath"}, texts::fmaximum},
      {"fminimum", {"reduce"}, {"limits", "cmath"}, texts::fminimum},
      {"bits", {}, {"cstdint", "cstring"}, texts::bits},
      {"scale", {"bits"}, {"cstdint"}, texts::scale},
      {"exp", {"scale"}, {}, texts::exp},
      {"exp2", {"scale"}, {}, texts::exp2},
      {"log", {"bits"}, {"limits"}, texts::log},
      {"tanh", {"exp"}, {}, texts::tanh},
      {"sqrt", {}, {"cmath"}, texts::sqrt},
      {"vectors", {}, {"cstdint"}, texts::vectors},
      {"transpose", {"unroll", "vectors"}, {"cstdint", "utility"}, texts::transpose},
      {"multiply", {"transpose"}, {"cstdint"}, texts::multiply},
  };
  return all;
}

/// Those of kernels with roles, after the primitives of all devices.
std::vector<Primitive> rolePrimitives() {
  return {
      {"forHopper", {}, {}, texts::forHopper},
      {"sharedAddress", {}, {"cstdint"}, texts::sharedAddress},
      {"barrierInit", {"forHopper"}, {"cstdint"}, texts::barrierInit},
      {"barrierInitFence", {"forHopper"}, {"cstdint"}, texts::barrierInitFence},
      {"barrierExpect", {"forHopper"}, {"cstdint"}, texts::barrierExpect},
      {"barrierArrive", {"forHopper"}, {"cstdint"}, texts::barrierArrive},
      {"barrierWait", {"forHopper"}, {"cstdint"}, texts::barrierWait},
      {"waitAmong", {}, {}, texts::waitAmong},
      {"waitTeam", {"waitAmong"}, {}, texts::waitTeam},
      {"combineTeam", {"combineLanes", "waitTeam"}, {}, texts::combineTeam},
      {"fenceShared", {"forHopper"}, {}, texts::fenceShared},
      {"prefetchMap", {"forHopper"}, {"cuda.h"}, texts::prefetchMap},
      {"copyTile", {"forHopper"}, {"cstdint", "cuda.h"}, texts::copyTile},
      {"swizzledMatrix", {}, {"cstdint"}, texts::swizzledMatrix},
      {"matrixK", {"swizzledMatrix"}, {"cstdint"}, texts::matrixK},
      {"matrixN", {"swizzledMatrix"}, {"cstdint"}, texts::matrixN},
      {"wgmmaFence", {"forHopper"}, {}, texts::wgmmaFence},
      {"wgmmaCommit", {"forHopper"}, {}, texts::wgmmaCommit},
      {"wgmmaWait", {"forHopper"}, {}, texts::wgmmaWait},
      {"raiseRegisters", {"forHopper"}, {}, texts::raiseRegisters},
      {"lowerRegisters", {"forHopper"}, {}, texts::lowerRegisters},
      {"pinRegisters", {}, {"cstdint"}, texts::pinRegisters},
      {"packBrain", {}, {"cstdint", "cuda_bf16.h"}, texts::packBrain},
      {"packHalf", {}, {"cstdint", "cuda_fp16.h"}, texts::packHalf},
      {"divideFull", {}, {}, texts::divideFull},
      {"widenBrain", {}, {"cstdint"}, texts::widenBrain},
      {"widenHalf", {}, {"cstdint", "cuda_fp16.h"}, texts::widenHalf},
      {"loadBlock", {}, {"cstdint"}, texts::loadBlock},
      {"loadBlockAcross", {}, {"cstdint"}, texts::loadBlockAcross},
      {"exp2Fast", {}, {}, texts::exp2Fast},
      {"reciprocal", {}, {}, texts::reciprocal},
      {"divideFour", {"reciprocal"}, {}, texts::divideFour},
      {"tanhByExp2", {"exp2Fast", "reciprocal"}, {"cmath"}, texts::tanhByExp2},
      {"tanhApprox", {}, {}, texts::tanhApprox},
      {"swapOffDiagonal", {"neighbour"}, {"cstdint"}, texts::swapOffDiagonal},
      {"transposeQuad", {"swapOffDiagonal"}, {"cstdint"}, texts::transposeQuad},
      {"joinPairs", {"swapOffDiagonal"}, {"cstdint"}, texts::joinPairs},
      {"pairOfDoubles", {}, {"cstring"}, texts::pairOfDoubles},
      {"nextTicket", {}, {"cstdint"}, texts::nextTicket},
      {"anyMarked", {"combineBlock", "Most"}, {"cstdint"}, texts::anyMarked},
      {"returnTickets", {}, {"cstdint"}, texts::returnTickets},
      {"persistentBlocks", {}, {"cstdint"}, texts::persistentBlocks},
      {"runsHopperCode", {"forHopper"}, {}, texts::runsHopperCode},
      {"tensorMappable", {}, {"cstdint"}, texts::tensorMappable},
      {"tensorMapEncoder", {}, {"cuda.h"}, texts::tensorMapEncoder},
      {"makeTensorMap", {"tensorMapEncoder"}, {"cstdint", "cuda.h"}, texts::makeTensorMap},
      {"forWarpUnits", {}, {}, texts::forWarpUnits},
      {"atMost", {"forWarpUnits"}, {}, texts::atMost},
      {"mbarrierInit", {"forWarpUnits"}, {"cstdint"}, texts::mbarrierInit},
      {"mbarrierArrive", {"forWarpUnits"}, {"cstdint"}, texts::mbarrierArrive},
      {"mbarrierWait", {"forWarpUnits"}, {"cstdint"}, texts::mbarrierWait},
      {"copyChunk", {"forWarpUnits"}, {"cstdint"}, texts::copyChunk},
      {"mbarrierArriveCopied", {"forWarpUnits"}, {"cstdint"}, texts::mbarrierArriveCopied},
      {"copyMatrix", {"copyChunk", "mbarrierArriveCopied"}, {"cstdint"}, texts::copyMatrix},
      {"matrixStart", {}, {"cstdint"}, texts::matrixStart},
      {"matrixAt", {}, {"cstdint"}, texts::matrixAt},
      {"fromColumn", {}, {"cstdint"}, texts::fromColumn},
      {"loadMatrix", {"forWarpUnits"}, {"cstdint"}, texts::loadMatrix},
      {"loadRows", {"loadMatrix", "matrixAt"}, {"cstdint"}, texts::loadRows},
      {"mmaBrain", {"forWarpUnits"}, {"cstdint"}, texts::mmaBrain},
      {"multiplyBrain", {"loadMatrix", "matrixAt", "mmaBrain"}, {"cstdint"}, texts::multiplyBrain},
      {"mmaHalf", {"forWarpUnits"}, {"cstdint"}, texts::mmaHalf},
      {"multiplyHalf", {"loadMatrix", "matrixAt", "mmaHalf"}, {"cstdint"}, texts::multiplyHalf},
      {"shareStart", {}, {"cstdint"}, texts::shareStart},
      {"loadElements", {"forWarpUnits"}, {"cstdint"}, texts::loadElements},
      {"loadShare", {"loadElements"}, {"cstdint"}, texts::loadShare},
      {"loadShares", {"loadShare"}, {"cstdint"}, texts::loadShares},
      {"roundFactor", {"forWarpUnits"}, {"cstdint"}, texts::roundFactor},
      {"mmaFloat", {"forWarpUnits"}, {"cstdint"}, texts::mmaFloat},
      {"multiplyFloat", {"loadShare", "roundFactor", "mmaFloat"}, {"cstdint"}, texts::multiplyFloat},
      {"forTallDoubles", {}, {}, texts::forTallDoubles},
      {"mmaDouble", {"forWarpUnits", "forTallDoubles"}, {}, texts::mmaDouble},
      {"multiplyDouble", {"loadShare", "mmaDouble"}, {"cstdint"}, texts::multiplyDouble},
      {"runsMatrixCode", {"forWarpUnits"}, {}, texts::runsMatrixCode},
      {"chunksReach", {}, {"cstdint"}, texts::chunksReach},
  };
}

const std::vector<Primitive> &devicePrimitives(std::string_view runtime) {
  static const auto table = [](std::string_view neighbour, std::string_view waitGroup) {
    return std::vector<Primitive>{
        {"floorDiv", {}, {"cstdint"}, texts::deviceFloorDiv},
        {"floorMod", {"floorDiv"}, {"cstdint"}, texts::deviceFloorMod},
        {"multiplyAdd", {}, {"cmath"}, texts::deviceMultiplyAdd},
        {"least", {}, {}, texts::least},
        {"most", {}, {}, texts::most},
        {"magnitude", {}, {"cstdint"}, texts::magnitude},
        {"extent", {}, {"cstdint"}, texts::extent},
        {"Add", {}, {}, texts::add},
        {"Multiply", {}, {}, texts::multiplyBy},
        {"Most", {}, {}, texts::mostOf},
        {"Least", {}, {}, texts::leastOf},
        {"MostNumber", {}, {"cmath"}, texts::mostNumber},
        {"LeastNumber", {}, {"cmath"}, texts::leastNumber},
        {"neighbour", {}, {}, neighbour},
        {"combineLanes", {"neighbour"}, {}, texts::combineLanes},
        {"combineBlock", {"combineLanes"}, {}, texts::combineBlock},
        {"choose", {}, {}, texts::choose},
        {"combineFew", {}, {}, texts::combineFew},
        {"combineAhead", {"choose"}, {}, texts::combineAhead},
        {"combineFewInWarp", {"combineLanes"}, {}, texts::combineFewInWarp},
        {"multiply", {}, {"cmath", "type_traits"}, texts::multiplyTiles},
        {"launch", {}, {"cstdint", "cstddef"}, texts::launch},
        {"blocksFor", {}, {"cstdint"}, texts::blocksFor},
        {"residentBlocks", {}, {"cstdint"}, texts::residentBlocks},
        {"heldBy", {}, {}, texts::heldBy},
        {"groupThreads", {}, {}, texts::groupThreads},
        {"groupNumber", {"groupThreads"}, {"cstdint"}, texts::groupNumber},
        {"groupCount", {"groupThreads"}, {"cstdint"}, texts::groupCount},
        {"withTerms", {}, {"cstdint", "type_traits"}, texts::withTerms},
        {"withGroup", {"heldBy"}, {"cstdint", "type_traits"}, texts::withGroup},
        {"groupBlocks", {"groupThreads"}, {"cstdint"}, texts::groupBlocks},
        {"combineGroup", {"combineLanes"}, {}, texts::combineGroup},
        {"waitGroup", {"neighbour"}, {}, waitGroup},
        {"arrivesLast", {"Most", "combineGroup", "waitGroup"}, {"cstdint"}, texts::arrivesLast},
        {"Four", {}, {"cstdint"}, texts::four},
        {"storeFour", {"Four"}, {}, texts::storeFour},
        {"Held", {"Four", "heldBy"}, {"cstdint"}, texts::held},
        {"deal", {"heldBy"}, {}, texts::deal},
        {"lastPiece", {"heldBy"}, {"cstdint"}, texts::lastPiece},
        {"scratchPool", {}, {"cstdint", "map", "mutex"}, texts::scratchPool},
        {"Scratch", {"scratchPool"}, {"cstdint", "cstddef"}, texts::deviceBuffer},
        {"expect", {}, {"stdexcept", "string"}, texts::expect},
        {"Mirror", {"expect"}, {"cstdint", "cstddef"}, texts::mirror},
        {"overlap", {}, {"cstdint"}, texts::overlap},
        {"exactIntegers", {}, {"cstdint"}, texts::exactIntegers},
        {"Interval", {}, {"cstdint"}, texts::interval},
        {"meets", {"Interval"}, {"cstdint"}, texts::meets},
        {"valuesIn", {"Interval"}, {"cstdint"}, texts::valuesIn},
        {"noteValues", {"exactIntegers", "Interval"}, {"cstdint"}, texts::noteValues},
        {"valuesNoted", {"exactIntegers", "Interval"}, {"cstdint"}, texts::valuesNoted},
        {"MirrorOf", {"expect", "Interval"}, {"cstdint", "cstddef"}, texts::mirrorOf},
    };
  };
  static const std::vector<Primitive> cuda = [] {
    std::vector<Primitive> all = table(texts::neighbourCuda, texts::waitGroupCuda);
    all.push_back({"windowPieces", {"heldBy"}, {"cstdint"}, texts::windowPieces});
    all.push_back({"Window", {"windowPieces", "Held"}, {"cstdint", "cuda_pipeline_primitives.h"}, texts::window});
    const std::vector<Primitive> ofRoles = rolePrimitives();
    all.insert(all.end(), ofRoles.begin(), ofRoles.end());
    return all;
  }();
  static const std::vector<Primitive> hip = table(texts::neighbourHip, texts::waitGroupHip);
  return runtime == "cuda" ? cuda : hip;
}

const std::vector<Primitive> &primitivesOf(const TargetTable &target) {
  return target.device ? devicePrimitives(target.runtime) : primitives();
}

std::string filledIn(std::string_view text, const TargetTable &target) {
  std::string result;
  for (const char c : text)
    if (target.device && c == '$')
      result += target.runtime;
    else
      result += c;
  return result;
}

/// A text about intervals for the host alone, or for devices too, which have no builtin functions that test for wraps.
std::string calledFrom(bool devices, std::string text) {
  const std::string_view builtin = "__builtin_";
  for (auto at = text.find('@'); at != std::string::npos; at = text.find('@', at))
    text.replace(at, 1, devices ? "__host__ __device__ " : "");
  for (auto at = text.find(builtin); devices && at != std::string::npos; at = text.find(builtin, at))
    text.erase(at, builtin.size());
  return text;
}

} // namespace

Needs close(Needs needs, const TargetTable &target) {
  const std::vector<Primitive> &all = primitivesOf(target);
  for (auto p = all.rbegin(); p != all.rend(); ++p) {
    if (!needs.primitives.contains(std::string(p->name))) continue;
    for (const std::string_view need : p->needs) needs.primitives.emplace(need);
    for (const std::string_view header : p->headers) needs.headers.emplace(header);
  }
  return needs;
}

std::string libraryText(const Needs &needs, const TargetTable &target) {
  std::string macros, texts;
  const bool onDevices = needs.primitives.contains("valuesNoted");
  for (const Primitive &p : primitivesOf(target)) {
    if (!needs.primitives.contains(std::string(p.name))) continue;
    if (p.name == "unroll")
      macros += std::string(p.text) + "\n";
    else if (p.name == "Interval" || p.name == "meets")
      texts += (texts.empty() ? "" : "\n") + calledFrom(onDevices, filledIn(p.text, target));
    else
      texts += (texts.empty() ? "" : "\n") + filledIn(p.text, target);
  }
  for (const auto &[name, text] : needs.generated) texts += (texts.empty() ? "" : "\n") + text;
  if (texts.empty()) return macros;
  return macros + "namespace polymend_rt {\nnamespace {\n\n" + texts + "\n} // namespace\n} // namespace polymend_rt\n";
}

} // namespace polymend::print_room
