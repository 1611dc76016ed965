#include "whole_rows.h"

#include "device/depends.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// The only node of a block, if it is a region of one dimension.
const TilePoints *aloneIn(const TileBlock &block) {
  const TilePoints *points = block.size() == 1 ? as<TilePoints>(block.front()) : nullptr;
  return points && points->dims.size() == 1 ? points : nullptr;
}

bool isNumber(const Expr &e, std::int64_t number) {
  const Expr value = simplify(e);
  return value.op() == Op::Integer && value->integer == number;
}

bool same(const Expr &a, const Expr &b) { return a && b ? equal(a, b) : !a && !b; }

bool same(const TileAssign &a, const TileAssign &b) {
  return a.target.array == b.target.array && a.update == b.update && same(a.value, b.value) && same(a.where, b.where) &&
         std::equal(a.target.subscripts.begin(), a.target.subscripts.end(), b.target.subscripts.begin(),
                    b.target.subscripts.end(), [](const Expr &x, const Expr &y) { return same(x, y); });
}

/// Do both the same at each point?
bool doTheSame(const TilePoints &a, const TilePoints &b) {
  return a.dims.front().variable == b.dims.front().variable && a.dims.front().kind == b.dims.front().kind &&
         std::equal(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(),
                    [](const TileAssign &x, const TileAssign &y) { return same(x, y); });
}

/// What a chunk runs, whether full or not; null: it is no region alone.
const TilePoints *chunkOf(const TileLoop &loop) {
  if (loop.step <= 1 || loop.body.size() != 1) return nullptr;
  const auto *branch = as<TileBranch>(loop.body.front());
  if (!branch) return aloneIn(loop.body);
  const TilePoints *full = aloneIn(branch->then), *part = aloneIn(branch->otherwise);
  const bool isSplit = full && part && doTheSame(*full, *part) && isNumber(full->dims.front().first, 0) &&
                       isNumber(full->dims.front().limit, loop.step);
  return isSplit ? part : nullptr;
}

/// The region with each expression of its body replaced.
TilePoints rewritten(TilePoints points, const std::function<Expr(const Expr &)> &f) {
  const auto replaced = [&](const Expr &e) { return e ? simplify(f(e)) : e; };
  for (TileAssign &a : points.body) {
    for (Expr &subscript : a.target.subscripts) subscript = replaced(subscript);
    a.value = replaced(a.value);
    a.where = replaced(a.where);
  }
  return points;
}

/// The region over the whole row; absent: the loop is none over the chunks of a row that is read from arrays.
std::optional<TilePoints> wholeRow(const TileLoop &loop) {
  const TilePoints *chunk = reads(loop.limit) ? chunkOf(loop) : nullptr;
  if (!chunk || !isNumber(chunk->dims.front().first, 0) || !isNumber(loop.first, 0)) return std::nullopt;
  const Expr rest = loop.limit - Expr::symbol(loop.variable, Type::Int64), step = Expr::integer(loop.step);
  const Expr limit = simplify(chunk->dims.front().limit);
  const bool isRest = equal(limit, simplify(Expr::make(Op::Min, Type::Int64, {step, rest}))) ||
                      equal(limit, simplify(Expr::make(Op::Min, Type::Int64, {rest, step})));
  if (!isRest) return std::nullopt;
  TilePoints whole = rewritten(*chunk, [&](const Expr &e) {
    return substitute(e, [&](const std::string &name) { return name == loop.variable ? Expr::integer(0) : Expr(); });
  });
  whole.dims.front().limit = loop.limit;
  return whole;
}

/// What is least, or largest, of an expression, each once.
std::vector<Expr> partsOf(const Expr &e, Op choice) {
  if (e.op() != choice) return {e};
  std::vector<Expr> all;
  for (const Expr &arg : e->args)
    for (const Expr &part : partsOf(arg, choice))
      if (std::none_of(all.begin(), all.end(), [&](const Expr &one) { return equal(one, part); })) all.push_back(part);
  return all;
}

bool sameParts(const std::vector<Expr> &a, const std::vector<Expr> &b) {
  const auto hasAll = [](const std::vector<Expr> &all, const std::vector<Expr> &some) {
    return std::all_of(some.begin(), some.end(), [&](const Expr &part) {
      return std::any_of(all.begin(), all.end(), [&](const Expr &one) { return equal(one, part); });
    });
  };
  return hasAll(a, b) && hasAll(b, a);
}

/// A chunk's bound over the whole row: what it is apart from where the chunk itself begins or ends; absent: it moves
/// with the chunk in some other way.
std::optional<std::vector<Expr>> rowBound(const Expr &bound, Op choice, const Expr &chunk, const Expr &own) {
  std::vector<Expr> parts;
  for (const Expr &part : partsOf(bound, choice)) {
    const Expr moved = simplify(part + chunk);
    if (equal(moved, own)) continue;
    if (dependsOn(moved, chunk->name)) return std::nullopt;
    parts.push_back(moved);
  }
  return parts;
}

/// Is it the last multiple of the step that is no larger than all of the parts, or one before it?
bool beginsBefore(const Expr &first, std::int64_t step, const std::vector<Expr> &parts) {
  if (first.op() == Op::Integer)
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Expr &part) { return part.op() == Op::Integer && first->integer <= part->integer; });
  const bool isMultiple = first.op() == Op::Mul && first->args.size() == 2;
  for (std::size_t k = 0; isMultiple && k < 2; ++k) {
    const Expr &number = first.arg(k), &quotient = first.arg(1 - k);
    const bool divides = quotient.op() == Op::FloorDiv && number.op() == Op::Integer && number->integer == step &&
                         quotient.arg(1).op() == Op::Integer && quotient.arg(1)->integer == step;
    if (divides && sameParts(partsOf(simplify(quotient.arg(0)), Op::Max), parts)) return true;
  }
  return false;
}

Expr chosen(std::vector<Expr> parts, Op choice) {
  return parts.size() == 1 ? parts.front() : simplify(Expr::make(choice, Type::Int64, std::move(parts)));
}

/// The region over the whole row, of a loop over chunks that are full or not.
std::optional<TilePoints> knownRow(const TileLoop &loop) {
  const TilePoints *chunk = chunkOf(loop);
  if (!chunk) return std::nullopt;
  const PointDim &d = chunk->dims.front();
  const Expr block = Expr::symbol(loop.variable, Type::Int64), first = simplify(loop.first);
  auto begins = rowBound(simplify(d.first), Op::Max, block, block);
  const auto ends = rowBound(simplify(d.limit), Op::Min, block, simplify(block + Expr::integer(loop.step)));
  if (!begins || !ends || !sameParts(*ends, partsOf(simplify(loop.limit), Op::Min))) return std::nullopt;
  if (begins->empty())
    begins = partsOf(first, Op::Max);
  else if (!beginsBefore(first, loop.step, *begins))
    return std::nullopt;
  const Expr within = Expr::symbol(d.variable, Type::Int64) - block;
  TilePoints whole = rewritten(*chunk, [&](const Expr &e) {
    return substitute(e, [&](const std::string &name) { return name == d.variable ? within : Expr(); });
  });
  whole.dims.front().first = chosen(*begins, Op::Max);
  whole.dims.front().limit = chosen(*ends, Op::Min);
  bool isWhole = true;
  for (const TileAssign &a : whole.body)
    eachExpr(a, [&](const Expr &e) { isWhole = isWhole && !(e && dependsOn(e, loop.variable)); });
  return isWhole ? std::optional(whole) : std::nullopt;
}

} // namespace

TileBlock withKnownRows(const TileBlock &body) {
  return rebuild(body, [](const TileNode &node) -> TileBlock {
    const auto *loop = as<TileLoop>(node);
    const std::optional<TilePoints> whole = loop ? knownRow(*loop) : std::nullopt;
    return {whole ? nodeOf(*whole) : node};
  });
}

TileBlock withWholeRows(const TileBlock &body) {
  TileBlock result;
  for (const TileNode &node : body) {
    const auto *loop = as<TileLoop>(node);
    const std::optional<TilePoints> whole = loop ? wholeRow(*loop) : std::nullopt;
    result.push_back(whole ? nodeOf(*whole) : node);
  }
  return result;
}

} // namespace polymend::device_room
