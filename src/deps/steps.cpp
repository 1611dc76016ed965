// Distances and directions of dependences: per loop around both statements the interval that isl finds.
#include "order.h"

namespace polymend {

namespace {

std::string spell(const Step &step) {
  if (step.least && step.most)
    return *step.least == *step.most ? std::to_string(*step.least)
                                     : std::to_string(*step.least) + ".." + std::to_string(*step.most);
  if (step.least) return ">=" + std::to_string(*step.least);
  return step.most ? "<=" + std::to_string(*step.most) : "any";
}

std::string direction(const Step &step) {
  if (step.least && *step.least > 0) return "<";
  if (step.most && *step.most < 0) return ">";
  const bool notBack = step.least && *step.least == 0, notForth = step.most && *step.most == 0;
  if (notBack) return notForth ? "=" : "<=";
  return notForth ? ">=" : "*";
}

template <class Spell> std::string listed(const std::vector<Step> &steps, const Spell &one) {
  std::string result = "(";
  for (const Step &step : steps) result += (result.size() > 1 ? ", " : "") + one(step);
  return result + ")";
}

} // namespace

std::vector<std::vector<Step>> stepsOf(const Scop &scop, const Dependences &dependences) {
  const Order order(scop);
  std::vector<std::vector<Step>> all;
  all.reserve(dependences.edges.size());
  for (const Dependence &edge : dependences.edges) all.push_back(order.steps(edge.from, edge.to, edge.relation));
  return all;
}

std::string spellDistance(const std::vector<Step> &steps) {
  return listed(steps, [](const Step &step) { return spell(step); });
}

std::string spellDirection(const std::vector<Step> &steps) { return listed(steps, direction); }

} // namespace polymend
