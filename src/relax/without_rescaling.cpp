// A loop is two where its sums are what they would be at the last value of the extreme, turn by turn: x(j) = x(j - 1) *
// a(m(j - 1), m(j)) + b(j, m(j)) is the sum of b(i, m(j)) over i <= j if b(i, m) * a(m, m') = b(i, m'), by induction.
#include "polymend/without_rescaling.h"

#include "each_assign.h"
#include "rescaled_turn.h"
#include "rescaling_proof.h"
#include "unused_name.h"

#include "polymend/in_body.h"
#include "polymend/numbers.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <functional>
#include <sstream>

namespace polymend {
namespace {

void noteReads(const Expr &e, std::set<std::string> &names) {
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Read) names.insert(node->name);
  });
}

void noteReads(const Assign &assign, std::set<std::string> &names) {
  noteReads(assign.value, names);
  for (const Expr &subscript : assign.subscripts) noteReads(subscript, names);
}

/// The body with what takes the place of each loop that no other is around.
Body withLoops(const Body &body, const std::function<Body(const Loop &)> &placed) {
  Body all;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      const Body inPlace = placed(**loop);
      all.insert(all.end(), inPlace.begin(), inPlace.end());
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      Branch copy = **branch;
      copy.then = withLoops(copy.then, placed);
      copy.otherwise = withLoops(copy.otherwise, placed);
      all.emplace_back(std::make_shared<const Branch>(std::move(copy)));
    } else {
      all.push_back(node);
    }
  }
  return all;
}

/// What is read outside of a loop, by name.
void noteOutside(const Body &body, const Loop &loop, std::set<std::string> &names) {
  const auto note = [&](const Expr &e) {
    if (e) noteReads(e, names);
  };
  for (const Node &node : body) {
    if (const auto *inner = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      if (inner->get() == &loop) continue;
      note((*inner)->first);
      note((*inner)->limit);
      noteOutside((*inner)->body, loop, names);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      note((*branch)->condition);
      noteOutside((*branch)->then, loop, names);
      noteOutside((*branch)->otherwise, loop, names);
    } else {
      noteReads(*std::get<std::shared_ptr<const Assign>>(node), names);
    }
  }
}

/// { Statement[.., loop, ..] -> [.., loop] }: the turns of the loop, or, without it, of those around.
isl::map turnsOf(const Statement &statement, unsigned dims) {
  isl_map *all = isl_set_identity(statement.domain.copy());
  all = isl_map_reset_tuple_id(all, isl_dim_out);
  return isl::manage(
      isl_map_project_out(all, isl_dim_out, dims, static_cast<unsigned>(statement.iterators.size()) - dims));
}

class Rescaling {
public:
  Rescaling(const Function &source, const Scop &model, const Dependences &dependences)
      : function(source), scop(model), deps(dependences), numbers(statementNumbers(source, model)) {}

  std::optional<Unrescaled> run() {
    Unrescaled result{function, {}};
    result.function.body = rewritten(function.body);
    result.assumptions = assumptions;
    return assumptions.empty() ? std::nullopt : std::optional(result);
  }

private:
  const Function &function;
  const Scop &scop;
  const Dependences &deps;
  const std::map<const Assign *, int> numbers;
  std::vector<std::string> assumptions;
  std::set<std::string> taken; // by loops of sums

  Body rewritten(const Body &body) {
    return withLoops(body, [&](const Loop &loop) -> Body {
      if (const auto turn = apartIn(loop)) {
        assume(*turn);
        return split(loop, *turn);
      }
      Loop copy = loop;
      copy.body = rewritten(copy.body);
      return {std::make_shared<const Loop>(std::move(copy))};
    });
  }

  /// Sums that met an infinite extreme are no numbers any more, in the source.
  void assume(const RescaledTurn &turn) {
    const auto scaled = std::ranges::find_if(turn.sums, [](const RescaledSum &one) { return bool(one.scale); });
    for (const ExtremeUpdate &one : turn.extremes) {
      const SourceRange &where = scaled->assign->where;
      std::ostringstream text;
      text << "no infinite element in " << one.plain.target << " (" << scaled->array << " is scaled to it at "
           << where.file << ":" << where.line << ":" << where.column << ")";
      if (std::ranges::find(assumptions, text.str()) == assumptions.end()) assumptions.push_back(text.str());
    }
  }

  /// The turn of a loop that holds sums at a running extreme and nothing that stands against taking them apart.
  std::optional<RescaledTurn> apartIn(const Loop &loop) const {
    if (loop.origin) return std::nullopt;
    std::set<std::string> carried;
    for (const Dependence &edge : deps.edges)
      if (edge.kind == Dependence::Kind::Flow && edge.variable == loop.variable) carried.insert(edge.array);
    if (carried.size() < 2) return std::nullopt;
    auto turn = rescaledTurn(loop, carried, scop);
    if (!turn || turn->extremes.empty()) return std::nullopt;
    const bool isRescaled = std::ranges::any_of(turn->sums, [](const RescaledSum &sum) { return bool(sum.scale); });
    if (!isRescaled || !isInside(loop, *turn) || !keepsInner(loop, *turn) || !storesAll(loop, *turn) ||
        !canRepeat(loop, *turn))
      return std::nullopt;
    std::vector<Expr> added;
    for (const RescaledSum &sum : turn->sums) {
      if (!isSumAtLast(loop, *turn, sum)) return std::nullopt;
      const Expr scale = scaleOf(*turn, sum.array);
      added.push_back(scale && sum.added ? movedBy(scale, sum, *turn) : sum.added);
      if (sum.added && !added.back()) return std::nullopt;
    }
    for (std::size_t k = 0; k < added.size(); ++k) turn->sums[k].added = added[k];
    return turn;
  }

  [[nodiscard]] const Statement *statementOf(const Assign *assign) const {
    const auto at = numbers.find(assign);
    return at == numbers.end() ? nullptr : &scop.statements[static_cast<std::size_t>(at->second)];
  }

  /// Is what turns make of running extremes and sums, apart from these, read in the loop alone?
  [[nodiscard]] bool isInside(const Loop &loop, const RescaledTurn &turn) const {
    std::set<std::string> outside;
    noteOutside(function.body, loop, outside);
    return std::ranges::none_of(turn.inner, [&](const std::string &name) { return outside.contains(name); });
  }

  [[nodiscard]] static unsigned depthIn(const Loop &loop, const Statement &statement) {
    return static_cast<unsigned>(std::ranges::find(statement.iterators, loop.variable) - statement.iterators.begin());
  }

  /// Are values of one turn of the loop, and of those around it, seen in the same turn alone?
  [[nodiscard]] static bool isWithinTurn(const isl::map &map, unsigned loops) {
    isl_map *same = map.copy();
    for (unsigned d = 0; d < loops; ++d)
      same = isl_map_equate(same, isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(d));
    return map.is_subset(isl::manage(same));
  }

  /// Does a statement of the turn see of an array what the same turn has written, by these statements, and no more?
  [[nodiscard]] bool seesTurn(const Loop &loop, int reader, const std::string &array,
                              const std::set<int> &writers) const {
    const Statement &statement = scop.statements[static_cast<std::size_t>(reader)];
    for (std::size_t r = 0; r < statement.reads.size(); ++r) {
      if (statement.reads[r].array != array) continue;
      const Sources &sources = deps.sourcesOf(reader, static_cast<int>(r));
      if (!statement.reads[r].exact || !sources.liveIn.is_empty()) return false;
      for (const auto &[writer, map] : sources.from)
        if (!writers.contains(writer) || !isWithinTurn(map, depthIn(loop, statement) + 1)) return false;
    }
    return true;
  }

  [[nodiscard]] std::set<int> numbersOf(const std::set<const Assign *> &assigns) const {
    std::set<int> all;
    for (const Assign *one : assigns)
      if (const auto at = numbers.find(one); at != numbers.end()) all.insert(at->second);
    return all;
  }

  /// Does each reader of such a value see those that the text gives it, of the same turn, and no other?
  [[nodiscard]] bool keepsInner(const Loop &loop, const RescaledTurn &turn) const {
    return std::ranges::all_of(turn.uses, [&](const TurnUse &use) {
      const auto reader = numbers.find(use.reader);
      if (reader == numbers.end()) return true; // it never runs
      std::set<int> writers = numbersOf(use.writers);
      const bool addsItself =
          std::ranges::any_of(turn.extremes, [&](const ExtremeUpdate &one) { return one.assign == use.reader; });
      if (addsItself && use.reader->target == use.array) writers.insert(reader->second);
      return seesTurn(loop, reader->second, use.array, writers);
    });
  }

  /// Does each turn store all extremes that it has kept in an array?
  [[nodiscard]] bool storesAll(const Loop &loop, const RescaledTurn &turn) const {
    return std::ranges::all_of(turn.stores, [&](const ExtremeStore &store) {
      const Statement *stored = statementOf(store.assign);
      if (stored == nullptr) return false;
      std::optional<isl::map> taken; // { [.., turn] -> from }
      for (const Access &read : stored->reads)
        if (read.array == store.from && read.exact)
          taken = turnsOf(*stored, depthIn(loop, *stored) + 1).reverse().apply_range(read.relation);
      return taken && std::ranges::all_of(turn.extremes, [&](const ExtremeUpdate &one) {
               const Statement *kept = one.assign->target == store.from ? statementOf(one.assign) : nullptr;
               if (kept == nullptr) return true;
               const isl::map all =
                   turnsOf(*kept, depthIn(loop, *kept) + 1).reverse().apply_range(kept->write.relation);
               return kept->write.exact && all.is_subset(*taken);
             });
    });
  }

  /// Can what sums need of the turn be computed again, behind all turns?
  [[nodiscard]] bool canRepeat(const Loop &loop, const RescaledTurn &turn) const {
    std::set<std::string> changed; // in the loop, by what is not done again
    for (const ExtremeUpdate &one : turn.extremes) changed.insert(one.plain.target);
    for (const RescaledSum &one : turn.sums) changed.insert(one.array);
    for (const Assign *one : turn.others) // what it may share memory with would be read behind it
      if (scop.array(one->target).storage != Array::Storage::Local) return false;
    std::set<const Assign *> others(turn.others.begin(), turn.others.end());
    const std::set<int> writers = numbersOf(others);
    std::set<std::string> written;
    for (const Assign *one : turn.others)
      if (!turn.inner.contains(one->target)) written.insert(one->target);
    std::vector<const Assign *> again = neededBySums(turn), readers = again;
    for (const RescaledSum &sum : turn.sums) readers.push_back(sum.assign);
    for (const Assign *one : readers)
      if (const auto at = numbers.find(one); at != numbers.end())
        for (const std::string &array : written)
          if (!seesTurn(loop, at->second, array, writers)) return false;
    for (const Assign *one : again) {
      std::set<std::string> seen;
      noteReads(*one, seen);
      if (changed.contains(one->target)) return false;
      if (std::ranges::any_of(seen, [&](const std::string &name) { return changed.contains(name); })) return false;
    }
    for (const RescaledSum &sum : turn.sums) {
      std::set<std::string> seen;
      for (const Expr &part : {sum.scale, sum.added})
        if (part) noteReads(part, seen);
      if (std::ranges::any_of(seen, [&](const std::string &name) { return changed.contains(name); })) return false;
    }
    return !reads(loop.first) && !reads(loop.limit);
  }

  /// The assignments that sums need, in order.
  [[nodiscard]] static std::vector<const Assign *> neededBySums(const RescaledTurn &turn) {
    std::set<std::string> needed;
    for (const RescaledSum &sum : turn.sums)
      if (sum.added) noteReads(sum.added, needed);
    return neededFor(turn, needed);
  }

  [[nodiscard]] static std::vector<const Assign *> neededFor(const RescaledTurn &turn, std::set<std::string> names) {
    std::set<const Assign *> chosen;
    for (bool grew = true; grew;) {
      grew = false;
      for (const Assign *one : turn.others)
        if (names.contains(one->target) && chosen.insert(one).second) {
          noteReads(*one, names);
          grew = true;
        }
    }
    std::vector<const Assign *> all;
    std::ranges::copy_if(turn.others, std::back_inserter(all), [&](const Assign *one) { return chosen.contains(one); });
    return all;
  }

  /// What turns scale a sum by; absent: they do not.
  static Expr scaleOf(const RescaledTurn &turn, const std::string &array) {
    for (const RescaledSum &one : turn.sums)
      if (one.array == array && one.scale) return one.scale;
    return {};
  }

  /// Is a sum scaled from 0 on, all of it, or made of nothing that runs?
  [[nodiscard]] bool isSumAtLast(const Loop &loop, const RescaledTurn &turn, const RescaledSum &sum) const {
    if (!scaleOf(turn, sum.array)) return !sum.added || !seesExtremeIn(sum.added);
    return !sum.scale || (startsAtZero(loop, turn, sum) && scalesAll(loop, turn, sum));
  }

  static bool seesExtremeIn(const Expr &e) {
    std::set<std::string> seen;
    noteReads(e, seen);
    return std::ranges::any_of(seen, [](const std::string &name) { return name.find('@') != std::string::npos; });
  }

  /// Is the sum 0 where the loop begins?
  [[nodiscard]] bool startsAtZero(const Loop &loop, const RescaledTurn &turn, const RescaledSum &sum) const {
    const Statement *statement = statementOf(sum.assign);
    if (statement == nullptr) return false;
    const unsigned depth = depthIn(loop, *statement);
    std::set<const Assign *> own;
    for (const RescaledSum &one : turn.sums)
      if (one.array == sum.array) own.insert(one.assign);
    const std::set<int> adding = numbersOf(own);
    for (std::size_t r = 0; r < statement->reads.size(); ++r) {
      if (statement->reads[r].array != sum.array) continue;
      const Sources &sources = deps.sourcesOf(numbers.at(sum.assign), static_cast<int>(r));
      if (!statement->reads[r].exact || !sources.liveIn.is_empty()) return false;
      for (const auto &[number, map] : sources.from) {
        if (!adding.contains(number)) {
          if (!addsNothing(scop.statements[static_cast<std::size_t>(number)].value)) return false;
          continue;
        }
        if (!isWithinTurn(map, depth)) return false; // of the same turns around the loop
      }
    }
    return true;
  }

  /// Is every element that the loop ever adds to scaled in every turn that may move the extreme?
  [[nodiscard]] bool scalesAll(const Loop &loop, const RescaledTurn &turn, const RescaledSum &sum) const {
    const Statement *scaling = statementOf(sum.assign);
    if (scaling == nullptr || !scaling->write.exact) return false;
    const unsigned depth = depthIn(loop, *scaling);
    const isl::map scaled =
        turnsOf(*scaling, depth + 1).reverse().apply_range(scaling->write.relation); // {[o, j] -> x}
    for (const RescaledSum &adds : turn.sums) {
      const Statement *adding = adds.array == sum.array ? statementOf(adds.assign) : nullptr;
      if (adding == nullptr || adding->write.array != sum.array) continue;
      const isl::map touched = turnsOf(*adding, depth).reverse().apply_range(adding->write.relation); // {[o] -> x}
      for (const ExtremeUpdate &extreme : turn.extremes) {
        const Statement *moving = statementOf(extreme.assign);
        if (moving == nullptr) continue;
        const isl::map around =
            turnsOf(*moving, depth + 1).reverse().apply_range(turnsOf(*moving, depth)); // {[o, j] -> [o]}
        if (!around.apply_range(touched).is_subset(scaled)) return false;
      }
    }
    return true;
  }

  /// The loop of the extremes, and behind it that of the sums.
  Body split(const Loop &loop, const RescaledTurn &turn) {
    std::set<std::string> outside;
    noteOutside(function.body, loop, outside);
    for (const ExtremeUpdate &one : turn.extremes) noteReads(one.plain.value, outside);
    const std::vector<const Assign *> first = neededFor(turn, outside), again = neededBySums(turn);
    const auto isOneOf = [](const std::vector<const Assign *> &all, const Assign &one) {
      return std::ranges::find(all, &one) != all.end();
    };
    Loop extremes = loop, sums = loop;
    extremes.body = withEach(loop.body, [&](const Assign &assign) -> std::optional<Assign> {
      for (const ExtremeUpdate &one : turn.extremes)
        if (one.assign == &assign) return one.plain;
      return isOneOf(first, assign) ? std::optional(assign) : std::nullopt;
    });
    sums.body = withEach(loop.body, [&](const Assign &assign) -> std::optional<Assign> {
      for (const RescaledSum &one : turn.sums)
        if (one.assign == &assign) return one.added ? std::optional(atLast(one)) : std::nullopt;
      return isOneOf(again, assign) ? std::optional(assign) : std::nullopt;
    });
    return {std::make_shared<const Loop>(std::move(extremes)), std::make_shared<const Loop>(counted(sums))};
  }

  /// x = x + b at what the extreme is behind all turns.
  static Assign atLast(const RescaledSum &sum) {
    Assign assign = *sum.assign;
    assign.target = sum.array;
    assign.subscripts = sum.subscripts;
    const Expr added = rewrite(sum.added, [](const Expr &node) {
      if (node.op() != Op::Read || node->name.find('@') == std::string::npos) return node;
      return Expr::read(node->name.substr(0, node->name.find('@')), node->args, node.type());
    });
    const Type type = sum.assign->value.type();
    assign.value = Expr::make(Op::Add, type, {Expr::read(sum.array, sum.subscripts, type), added}, sum.assign->where);
    return assign;
  }

  /// A loop, it and those in it counted by variables that nothing has yet.
  Loop counted(const Loop &loop) {
    Loop copy = loop;
    copy.variable = unusedName(function, loop.variable + "_sum");
    while (!taken.insert(copy.variable).second) copy.variable += "_";
    const Expr other = Expr::symbol(copy.variable, Type::Int64);
    const auto renamed = [&](const Expr &e) {
      return e ? substitute(e, [&](const std::string &name) { return name == loop.variable ? other : Expr(); }) : e;
    };
    copy.body = withLoops(inBody(loop.body, renamed),
                          [&](const Loop &inner) -> Body { return {std::make_shared<const Loop>(counted(inner))}; });
    return copy;
  }
};

} // namespace

std::optional<Unrescaled> withoutRescaling(const Function &function, const Scop &scop, const Dependences &dependences) {
  if (scop.statements.empty() || scop.scattered) return std::nullopt;
  return Rescaling(function, scop, dependences).run();
}

} // namespace polymend
