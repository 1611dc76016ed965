// Operations that are written as calls: one table for every text that names them.
#include "polymend/expr.h"

#include <algorithm>
#include <array>
#include <utility>

namespace polymend {

namespace {

constexpr std::array<std::pair<Op, std::string_view>, 20> functions{{
    {Op::FloorDiv, "floordiv"}, {Op::FloorMod, "floormod"}, {Op::Min, "min"},     {Op::Max, "max"},
    {Op::FMin, "fmin"},         {Op::FMax, "fmax"},         {Op::Exp, "exp"},     {Op::Exp2, "exp2"},
    {Op::Log, "log"},           {Op::Log2, "log2"},         {Op::Sqrt, "sqrt"},   {Op::Tanh, "tanh"},
    {Op::Sin, "sin"},           {Op::Cos, "cos"},           {Op::Abs, "abs"},     {Op::Floor, "floor"},
    {Op::Ceil, "ceil"},         {Op::Round, "round"},       {Op::Trunc, "trunc"}, {Op::Pow, "pow"},
}};

} // namespace

std::string_view functionName(Op op) {
  const auto *at = std::find_if(functions.begin(), functions.end(), [&](const auto &f) { return f.first == op; });
  return at == functions.end() ? std::string_view() : at->second;
}

std::optional<Op> functionNamed(std::string_view name) {
  const auto *at = std::find_if(functions.begin(), functions.end(), [&](const auto &f) { return f.second == name; });
  return at == functions.end() ? std::nullopt : std::optional(at->first);
}

} // namespace polymend
