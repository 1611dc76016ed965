#include "regions.h"

#include "loops_in.h"
#include "ranges.h"
#include "select.h"
#include "turns.h"

#include <algorithm>

namespace polymend {

namespace {

using Statements = std::vector<const clang::Stmt *>;

Statements statementsOf(const clang::Stmt *s) {
  if (s == nullptr) return {};
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s)) return {block->body_begin(), block->body_end()};
  return {s};
}

/// The statements that another one holds, each list of them run as one.
std::vector<Statements> blocksIn(const clang::Stmt *s) {
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s)) return {statementsOf(loop->getBody())};
  if (const auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) return {statementsOf(loop->getBody())};
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(s)) return {statementsOf(loop->getBody())};
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(s)) return {statementsOf(loop->getBody())};
  if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(s))
    return {statementsOf(choice->getThen()), statementsOf(choice->getElse())};
  if (const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(s)) return {statementsOf(choice->getBody())};
  if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(s)) return {statementsOf(label->getSubStmt())};
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s)) return {statementsOf(block)};
  return {};
}

bool repeats(const clang::Stmt &s) {
  return llvm::isa<clang::ForStmt, clang::CXXForRangeStmt, clang::WhileStmt, clang::DoStmt>(s);
}

class RegionFinder {
public:
  RegionFinder(clang::ASTContext &clangContext, const clang::FunctionDecl &function, const ReadFor &readFor,
               std::string called)
      : context(clangContext), definition(function), what(readFor), name(std::move(called)) {}

  /// The longest runs that can be read. `around`: the loop that the statements stand in, if any.
  void longest(const Statements &all, const clang::Stmt *around = nullptr) {
    constexpr std::size_t most = 16;
    for (std::size_t from = 0; from < all.size();) {
      std::size_t end = std::min(all.size(), from + most);
      while (end > from && !take({all.begin() + at(from), all.begin() + at(end)}, around)) --end;
      if (end == from) {
        for (const Statements &block : blocksIn(all[from])) longest(block, repeats(*all[from]) ? all[from] : around);
        ++end;
      }
      from = end;
    }
  }

  /// Each statement with a loop by itself.
  void single(const Statements &all, const clang::Stmt *around = nullptr) {
    for (const clang::Stmt *s : all)
      if (!take({s}, around))
        for (const Statements &block : blocksIn(s)) single(block, repeats(*s) ? s : around);
  }

  /// What an outermost loop runs in each of its turns, where that is more than another loop.
  void within(const clang::Stmt &loop) {
    if (!repeats(loop)) return;
    const Statements all = blocksIn(&loop).front();
    if (all.size() > 1) longest(all, &loop);
  }

  std::vector<Function> found;
  std::optional<Refusal> firstRefused; // of an outermost loop

private:
  static std::ptrdiff_t at(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

  bool take(const Statements &run, const clang::Stmt *around) {
    if (!holdsLoop(run.front()) && !llvm::isa<clang::DeclStmt>(run.front())) return false;
    if (!holdsLoop(run.back())) return false;
    auto function = readRegion(context, definition, run, what, name + "_part_" + std::to_string(found.size() + 1));
    if (!function && run.size() == 1 && around == nullptr && repeats(*run.front()) && !firstRefused)
      firstRefused = function.refusal();
    if (function && std::any_of(run.begin(), run.end(), [&](const clang::Stmt *s) { return runsOn(*function, *s); }))
      return false;
    if (function && around != nullptr) function->around = rangeOf(context, around->getSourceRange(), what.file);
    if (function) found.push_back(std::move(*function));
    return function.ok();
  }

  /// Is the statement a loop that data end after any number of turns? Its turns wait for one another: loops within it
  /// gain by themselves.
  [[nodiscard]] bool runsOn(const Function &part, const clang::Stmt &s) const {
    const std::size_t begin = rangeOf(context, s.getSourceRange(), what.file).begin;
    return repeats(s) && holdsLoop(loopBodyOf(s)) &&
           std::any_of(part.ends.begin(), part.ends.end(),
                       [&](const DataEnd &end) { return end.isLong && end.where.begin == begin; });
  }

  clang::ASTContext &context;
  const clang::FunctionDecl &definition;
  const ReadFor &what;
  std::string name;
};

/// Is the text that of one function, not of several instances?
bool isOne(const clang::FunctionDecl &definition) {
  const clang::FunctionDecl *pattern = definition.getTemplateInstantiationPattern();
  return pattern == nullptr || instancesOf(*pattern).size() == 1;
}

bool mayBeRead(const clang::FunctionDecl &definition) {
  return !definition.isMain() && !definition.isDependentContext() && !definition.isConstexpr() && isOne(definition) &&
         llvm::isa_and_nonnull<clang::CompoundStmt>(definition.getBody());
}

} // namespace

std::vector<Function> readParts(clang::ASTContext &context, const clang::FunctionDecl &definition, const ReadFor &what,
                                const std::string &name, bool isRead, std::optional<Refusal> *why) {
  if (!mayBeRead(definition) || !holdsLoop(definition.getBody())) return {};
  RegionFinder finder(context, definition, what, name);
  const Statements all = statementsOf(definition.getBody());
  const auto loops = std::count_if(all.begin(), all.end(), holdsLoop);
  if (!isRead)
    finder.longest(all);
  else if (loops > 1)
    finder.single(all);
  else if (loops == 1)
    finder.within(**std::find_if(all.begin(), all.end(), holdsLoop));
  if (why != nullptr) *why = finder.firstRefused;
  return finder.found;
}

bool isOutsideLoops(const clang::ASTContext &context, const clang::FunctionDecl &definition, const SourceRange &where) {
  const auto holds = [&](const clang::SourceRange &range) {
    const SourceRange own = rangeOf(context, range, {});
    return own.begin <= where.begin && where.begin < own.end;
  };
  if (!where.valid() || !holds(definition.getSourceRange())) return false;
  std::vector<Statements> open{statementsOf(definition.getBody())};
  while (!open.empty()) {
    const Statements all = open.back();
    open.pop_back();
    for (const clang::Stmt *s : all) {
      if (!holds(s->getSourceRange())) continue;
      if (repeats(*s) || (!llvm::isa<clang::CompoundStmt, clang::IfStmt>(s) && holdsLoop(s))) return false;
      for (const Statements &block : blocksIn(s)) open.push_back(block);
    }
  }
  return true;
}

std::vector<const clang::Stmt *> statementsIn(const clang::ASTContext &context, const clang::FunctionDecl &definition,
                                              const Region &region) {
  if (!mayBeRead(definition)) return {};
  const auto within = [&](const clang::Stmt *s) {
    const SourceRange range = rangeOf(context, s->getSourceRange(), {});
    return region.begin <= range.begin && range.end <= region.end;
  };
  std::vector<Statements> open{statementsOf(definition.getBody())};
  while (!open.empty()) {
    const Statements all = open.back();
    open.pop_back();
    Statements inside;
    std::copy_if(all.begin(), all.end(), std::back_inserter(inside), within);
    const bool others = std::any_of(all.begin(), all.end(), [&](const clang::Stmt *s) {
      return !within(s) && !llvm::isa<clang::DeclStmt, clang::ReturnStmt, clang::NullStmt>(s);
    });
    const bool isOutermost = all == statementsOf(definition.getBody());
    if (!inside.empty()) return isOutermost && !others ? Statements() : inside;
    for (const clang::Stmt *s : all)
      for (const Statements &block : blocksIn(s)) open.push_back(block);
  }
  return {};
}

} // namespace polymend
