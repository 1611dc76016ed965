// What a statement's values reach, statement by statement, along flow that is not a sum's own.
#include "polymend/feedback.h"

#include <set>

namespace polymend {

bool feedsBack(const Scop &scop, const Dependences &dependences, int statement) {
  std::set<int> reached;
  std::vector<int> next{statement};
  while (!next.empty() && reached.size() <= scop.statements.size()) {
    const int from = next.back();
    next.pop_back();
    for (const Dependence &edge : dependences.edges)
      if (edge.kind == Dependence::Kind::Flow && !edge.reduction && edge.from == from && reached.insert(edge.to).second)
        next.push_back(edge.to);
  }
  return reached.contains(statement);
}

} // namespace polymend
