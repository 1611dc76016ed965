// walk: the loops and branches of a function -> its statements with their domains, and the order of execution.
#pragma once

#include "affine.h"
#include "polymend/model.h"

#include <optional>

namespace polymend {

/// A statement whose accesses are not modelled yet.
struct Draft {
  std::string id;
  Frame frame; // the domain has no tuple
  std::shared_ptr<const Assign> assign;
};

struct Walk {
  std::vector<Draft> drafts;
  std::optional<isl::schedule> schedule; // absent: nothing is ever executed
  std::map<std::string, std::string> sourceNames;
  std::map<std::string, std::size_t> scopeDepth;
  std::map<std::string, Expr> origins;
  std::vector<std::pair<Frame, const DataSize *>> bounds; // where data sizes are read
};

/// Sizes, then data sizes.
std::vector<std::string> parametersOf(const Function &function);
/// Statements that no sizes can make run are left out.
Result<Walk> walk(const Function &function, const IslContext &context);

} // namespace polymend
