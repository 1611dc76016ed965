// The table of primitives, in an order in which each stands after what it needs.
#include "print/library.h"
#include "print/texts.h"

#include <string_view>
#include <vector>

namespace polymend::print_room {

namespace {

struct Primitive {
  std::string_view name;
  std::vector<std::string_view> needs, headers;
  std::string_view text;
};

const std::vector<Primitive> &primitives() {
  static const std::vector<Primitive> all{
      {"unroll", {}, {}, texts::unroll},
      {"floorDiv", {}, {"cstdint"}, texts::floorDiv},
      {"floorMod", {"floorDiv"}, {"cstdint"}, texts::floorMod},
      {"threads", {}, {"omp.h"}, texts::threads},
      {"Buffer", {}, {"cstdint", "new"}, texts::buffer},
      {"overlap", {}, {"cstdint"}, texts::overlap},
      {"multiplyAdd", {}, {}, texts::multiplyAdd},
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

const std::vector<Primitive> &devicePrimitives(std::string_view runtime) {
  static const auto table = [](std::string_view neighbour) {
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
        {"multiply", {}, {"cmath", "type_traits"}, texts::multiplyTiles},
        {"launch", {}, {"cstdint", "cstddef"}, texts::launch},
        {"blocksFor", {}, {"cstdint"}, texts::blocksFor},
        {"residentBlocks", {}, {"cstdint"}, texts::residentBlocks},
        {"Scratch", {}, {"cstdint", "cstddef"}, texts::deviceBuffer},
        {"expect", {}, {"stdexcept", "string"}, texts::expect},
        {"Mirror", {"expect"}, {"cstdint", "cstddef"}, texts::mirror},
        {"overlap", {}, {"cstdint"}, texts::overlap},
    };
  };
  static const std::vector<Primitive> cuda = table(texts::neighbourCuda), hip = table(texts::neighbourHip);
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
  for (const Primitive &p : primitivesOf(target)) {
    if (!needs.primitives.contains(std::string(p.name))) continue;
    if (p.name == "unroll")
      macros += std::string(p.text) + "\n";
    else
      texts += (texts.empty() ? "" : "\n") + filledIn(p.text, target);
  }
  if (texts.empty()) return macros;
  return macros + "namespace polymend_rt {\nnamespace {\n\n" + texts + "\n} // namespace\n} // namespace polymend_rt\n";
}

} // namespace polymend::print_room
