// Function -> Scop: the walk gives statements and their order; each read and the target become touches; flat arrays are
// delinearised over all touches at once; then every touch becomes an access relation and the statement's value is
// rewritten to the new subscripts. A read below a choice is reached only where the choice's affine part allows it,
// which keeps masked and clamped reads within their arrays.
#include "polymend/model.h"

#include "data_sizes.h"
#include "segments.h"
#include "touch.h"
#include "walk.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {

namespace {

/// Numbers the reads of one value, parents first, and lists them as touches.
class Reads {
public:
  std::vector<Touch> touches;

  Expr number(const Expr &e, const Frame &frame) {
    ExprNode node = *e;
    std::size_t mine = 0;
    if (e.op() == Op::Read) {
      mine = touches.size();
      node.access = static_cast<int>(mine);
      touches.push_back({e->name, {}, frame, false, 0, e->where});
    }
    for (std::size_t i = 0; i < node.args.size(); ++i) node.args[i] = number(e.arg(i), reaching(e, i, frame));
    if (e.op() == Op::Read) touches[mine].subscripts = node.args;
    return Expr(std::move(node));
  }

private:
  static Frame narrowed(const Frame &frame, const Expr &condition, bool truth) {
    return {frame.iterators, frame.domain.intersect(possible(condition, truth, frame)).coalesce()};
  }

  static Frame reaching(const Expr &e, std::size_t argument, const Frame &frame) {
    if (argument == 0) return frame;
    if (e.op() == Op::Select) return narrowed(frame, e.arg(0), argument == 1);
    if (e.op() == Op::And || e.op() == Op::Or) return narrowed(frame, e.arg(0), e.op() == Op::And);
    return frame;
  }
};

/// A statement between its touches and its access relations.
struct Prepared {
  const Draft *draft = nullptr;
  Expr value;
  Touch write;
  std::vector<Touch> reads;
};

bool sameElement(const Touch &a, const Touch &b) {
  return a.array == b.array && std::equal(a.subscripts.begin(), a.subscripts.end(), b.subscripts.begin(),
                                          b.subscripts.end(), [](const Expr &x, const Expr &y) { return equal(x, y); });
}

/// An accumulator counts as read whenever its statement runs, also where a condition leaves it as it is.
Prepared prepare(const Draft &draft, const Function &function) {
  Prepared result;
  result.draft = &draft;
  Reads reads;
  result.value = reads.number(withDiagonals(draft.assign->value, function), draft.frame);
  result.reads = std::move(reads.touches);
  std::vector<Expr> subscripts = draft.assign->subscripts;
  for (Expr &subscript : subscripts) subscript = withDiagonals(subscript, function);
  result.write = {draft.assign->target, subscripts, draft.frame, true, 0, draft.assign->where};
  for (Touch &read : result.reads)
    if (sameElement(read, result.write)) read.frame = draft.frame;
  return result;
}

/// What a data size reads, at the turns of the loops around its loop.
Prepared prepareBound(const Frame &frame, const DataSize &data) {
  Prepared result;
  Reads reads;
  result.value = reads.number(data.value, frame);
  result.reads = std::move(reads.touches);
  result.write.frame = frame;
  return result;
}

Expr resubscripted(const Expr &e, const std::vector<Touch> &reads) {
  ExprNode node = *e;
  if (e.op() == Op::Read) node.args = reads[static_cast<std::size_t>(e->access)].subscripts;
  for (Expr &argument : node.args) argument = resubscripted(argument, reads);
  return Expr(std::move(node));
}

const Array *find(const std::vector<Array> &arrays, const std::string &name) {
  const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const Array &array) { return array.name == name; });
  return at == arrays.end() ? nullptr : &*at;
}

Result<Access> access(const Touch &touch, const std::vector<Array> &arrays, const std::string &id) {
  const Array *array = find(arrays, touch.array);
  if (!array) return Refusal{"'" + touch.array + "' is not an array that is modelled", touch.where};
  Result<Access> result = accessOf(touch, *array);
  if (!result) return result;
  result->relation = setDomainTuple(result->relation, id);
  result->reached = setDomainTuple(result->reached, id);
  return result;
}

Result<Statement> finish(const Prepared &prepared, const std::vector<Array> &arrays) {
  const Draft &draft = *prepared.draft;
  Statement statement{draft.id,
                      draft.frame.iterators,
                      setTuple(draft.frame.domain, draft.id),
                      {},
                      {},
                      {},
                      draft.assign->where,
                      prepared.write.subscripts};
  Result<Access> write = access(prepared.write, arrays, draft.id);
  if (!write) return write.refusal();
  statement.write = std::move(*write);
  for (const Touch &touch : prepared.reads) {
    Result<Access> read = access(touch, arrays, draft.id);
    if (!read) return read.refusal();
    statement.reads.push_back(std::move(*read));
  }
  statement.value = resubscripted(prepared.value, prepared.reads);
  return statement;
}

Result<Statement> finishBound(const Prepared &prepared, const DataSize &data, const std::vector<Array> &arrays) {
  const Frame &frame = prepared.write.frame;
  Statement bound{data.name, frame.iterators, setTuple(frame.domain, data.name), {}, {}, {}, data.where, {}};
  for (const Touch &touch : prepared.reads) {
    Result<Access> read = access(touch, arrays, data.name);
    if (!read) return read.refusal();
    bound.reads.push_back(std::move(*read));
  }
  bound.value = resubscripted(prepared.value, prepared.reads);
  bound.write.relation = isl::manage(isl_map_from_domain(isl_set_empty(isl_set_get_space(bound.domain.get()))));
  bound.write.reached = bound.write.relation;
  return bound;
}

/// As delinearise, array by array: one whose shape would rest on data sizes, which no entry can test, stays flat.
isl::set reshapeEach(Scop &scop, const std::vector<Touch *> &touches, const std::set<std::string> &sizes) {
  isl::set assumptions = scop.assumptions;
  for (Array &array : scop.arrays) {
    std::vector<Touch *> own;
    std::copy_if(touches.begin(), touches.end(), std::back_inserter(own),
                 [&](const Touch *touch) { return touch->array == array.name; });
    std::vector<Touch> before;
    for (const Touch *touch : own) before.push_back(*touch);
    std::vector<Array> shaped{array};
    const isl::set after = delinearise(shaped, own, sizes, assumptions, false);
    if (!dependsOnData(after, scop)) {
      array = shaped.front();
      assumptions = after;
      continue;
    }
    for (std::size_t k = 0; k < own.size(); ++k) *own[k] = before[k];
  }
  return assumptions;
}

std::vector<Touch *> touchesOf(std::vector<Prepared> &prepared, std::vector<Prepared> &bounds) {
  std::vector<Touch *> touches;
  for (Prepared &one : prepared) {
    touches.push_back(&one.write);
    for (Touch &read : one.reads) touches.push_back(&read);
  }
  for (Prepared &one : bounds)
    for (Touch &read : one.reads) touches.push_back(&read);
  return touches;
}

/// Returns the sizes for which the new shapes hold.
isl::set reshapeFlat(Scop &scop, std::vector<Touch *> &touches, const std::vector<std::string> &sizes) {
  return scop.dataSizes.empty()
             ? delinearise(scop.arrays, touches, {sizes.begin(), sizes.end()}, scop.assumptions, true)
             : reshapeEach(scop, touches, {sizes.begin(), sizes.end()});
}

/// What is read that no value names: data sizes, and elements of which the model has the row alone, as they are
/// declared to be that, or to differ and place what is written.
std::vector<std::pair<Frame, DataSize>> readBesideValues(const Walk &walked, const Function &function) {
  std::vector<std::pair<Frame, DataSize>> all;
  for (const auto &[frame, data] : walked.bounds) all.emplace_back(frame, *data);
  for (const Draft &draft : walked.drafts) {
    const auto note = [&](const Expr &e) {
      all.emplace_back(draft.frame, DataSize{"place of " + draft.id, e, e->where});
    };
    for (const Expr &subscript : draft.assign->subscripts)
      visit(subscript, [&](const Expr &e) {
        if (e.op() == Op::Read && isDeclared(function, IndexFact::Kind::Injective, e->name)) note(e);
        if (diagonalRow(e, function)) note(e);
      });
    visit(draft.assign->value, [&](const Expr &e) {
      if (diagonalRow(e, function)) note(e);
    });
  }
  return all;
}

Result<Scop> build(const Function &function, const IslContext &context) {
  Result<Walk> walked = walk(function, context);
  if (!walked) return walked.refusal();
  if (!walked->schedule) return Refusal{"the function runs no statement", function.where};
  std::vector<Prepared> prepared;
  for (const Draft &draft : walked->drafts) prepared.push_back(prepare(draft, function));
  std::vector<Prepared> bounds;
  std::vector<DataSize> asked;
  for (const auto &[frame, data] : readBesideValues(*walked, function)) {
    bounds.push_back(prepareBound(frame, data));
    asked.push_back(data);
  }
  Scop scop;
  scop.context = context;
  scop.function = function.name;
  scop.parameters = parametersOf(function);
  scop.dataSizes = function.dataSizes;
  scop.origins = walked->origins;
  scop.arrays = function.arrays;
  scop.schedule = *walked->schedule;
  scop.sourceNames = walked->sourceNames;
  scop.scopeDepth = walked->scopeDepth;
  scop.assumptions = isl::set::universe(walked->drafts.front().frame.domain.params().space());
  std::vector<Touch *> touches = touchesOf(prepared, bounds);
  scop.assumptions = reshapeFlat(scop, touches, function.sizes);
  useFacts(scop, touches, function);
  intoSegments(scop, touches, function);
  for (const Prepared &one : prepared) {
    Result<Statement> statement = finish(one, scop.arrays);
    if (!statement) return statement.refusal();
    if (!statement->write.exact && !scop.scattered) scop.scattered = unplaced(one.write);
    scop.statements.push_back(std::move(*statement));
  }
  for (std::size_t b = 0; b < bounds.size(); ++b) {
    Result<Statement> bound = finishBound(bounds[b], asked[b], scop.arrays);
    if (!bound) return bound.refusal();
    scop.bounds.push_back(std::move(*bound));
  }
  const auto refusal = scop.scattered ? std::nullopt : beyondRows(scop);
  if (refusal) return *refusal;
  return scop;
}

/// How many loops, and how many choices, stand around the innermost statement of a body.
std::pair<int, int> depthOf(const Body &body) {
  std::pair<int, int> most;
  const auto look = [&](const Body &inside, int loops, int choices) {
    const auto [innerLoops, innerChoices] = depthOf(inside);
    most = {std::max(most.first, innerLoops + loops), std::max(most.second, innerChoices + choices)};
  };
  for (const Node &node : body)
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      look((*loop)->body, 1, 0);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      look((*branch)->then, 0, 1);
      look((*branch)->otherwise, 0, 1);
    }
  return most;
}

/// A nest so deep that isl would think for minutes, between two counts of its operations.
std::optional<Refusal> tooDeep(const Function &function) {
  constexpr int mostLoops = 20, mostChoices = 60;
  const auto [loops, choices] = depthOf(function.body);
  if (loops > mostLoops)
    return Refusal{"more than " + std::to_string(mostLoops) + " loops stand within each other", function.where};
  if (choices > mostChoices)
    return Refusal{"more than " + std::to_string(mostChoices) + " choices stand within each other", function.where};
  return std::nullopt;
}

} // namespace

const Array &Scop::array(const std::string &name) const {
  static const Array unknown;
  const Array *found = find(arrays, name);
  return found ? *found : unknown;
}

const std::string &Scop::sourceName(const std::string &iterator) const {
  const auto at = sourceNames.find(iterator);
  return at == sourceNames.end() ? iterator : at->second;
}

Result<Scop> model(const Function &function, const IslContext &context) {
  if (auto refusal = tooDeep(function)) return *refusal;
  Result<Scop> result = Refusal{"", function.where};
  std::string what;
  if (!capped(context, [&] { result = build(function, context); }, what)) return Refusal{what, function.where};
  return result;
}

} // namespace polymend
