// Values are kept in tiles over the rows, in arrays in memory, or in a scalar where one element is computed again.
#include "values.h"

#include <algorithm>
#include <cmath>

namespace polymend {

std::vector<Expr> resultSubscripts(const PhaseContext &context, const Seated &seated) {
  std::vector<Expr> result = rowSubscripts(context);
  if (seated.member.role == Member::Role::Inner)
    for (const Axis &axis : context.rolled)
      if (!axis.point.empty()) result.push_back(axis.local());
  for (unsigned d : seated.extras) result.push_back(seated.axes[d].global());
  return result;
}

std::vector<Expr> rowSubscripts(const PhaseContext &context) {
  std::vector<Expr> result;
  for (const RowAxis &row : context.frame.rows)
    if (!row.axis.point.empty()) result.push_back(row.axis.local());
  return result;
}

namespace {

TileArray resultTile(const PhaseContext &context, const Seated &seated, const std::string &name) {
  TileArray tile;
  tile.name = name;
  tile.type = seated.equation.type;
  tile.space = Space::Thread;
  tile.written = true;
  for (const RowAxis &row : context.frame.rows)
    if (!row.axis.point.empty()) tile.extents.push_back(Expr::integer(row.axis.extent));
  if (seated.member.role == Member::Role::Inner)
    for (const Axis &axis : context.rolled)
      if (!axis.point.empty()) tile.extents.push_back(Expr::integer(axis.extent));
  for (unsigned d : seated.extras) {
    const bool whole = !seated.axes[d].base && seated.axes[d].extent > 0;
    tile.extents.push_back(whole ? Expr::integer(seated.axes[d].extent) : keyExtent(seated.equation, d));
    if (tile.extents.back().op() != Op::Integer) tile.space = Space::Row;
  }
  return tile;
}

} // namespace

std::string makeTile(const PhaseContext &context, const Seated &seated, const std::string &wanted, Type type) {
  TileArray tile = resultTile(context, seated, wanted);
  const bool isArgument = context.frame.names.contains(wanted);
  tile.name = context.frame.unique(wanted + (!isArgument ? "" : tile.extents.empty() ? "_value" : "_tile"));
  tile.type = type;
  context.frame.tiles.push_back(tile);
  return tile.name;
}

std::string makeRowTile(const PhaseContext &context, const std::string &wanted, Type type) {
  TileArray tile;
  tile.name = context.frame.unique(wanted);
  tile.type = type;
  tile.written = true;
  for (const RowAxis &row : context.frame.rows)
    if (!row.axis.point.empty()) tile.extents.push_back(Expr::integer(row.axis.extent));
  context.frame.tiles.push_back(tile);
  return tile.name;
}

Type typeOfTile(const PhaseContext &context, const std::string &name) {
  return std::find_if(context.frame.tiles.begin(), context.frame.tiles.end(),
                      [&](const TileArray &tile) { return tile.name == name; })
      ->type;
}

Ref resultOf(const PhaseContext &context, const Seated &seated, const std::string &array) {
  return {array, resultSubscripts(context, seated)};
}

Update updateOf(const Equation &e, Monoid monoid) {
  switch (monoid) {
  case Monoid::Sum: return Update::Sum;
  case Monoid::Product: return Update::Product;
  case Monoid::Max: return e.comparison ? Update::Max : Update::FMax;
  case Monoid::Min: return e.comparison ? Update::Min : Update::FMin;
  }
  return Update::Sum;
}

Expr valueAt(const PhaseContext &context, int equation, const std::vector<Expr> &keys) {
  const Equation &e = context.frame.equation(equation);
  if (const auto scalar = context.scalars.find(equation); scalar != context.scalars.end())
    return Expr::read(scalar->second, {}, e.type);
  const Residence &home = context.frame.homes.at(equation);
  if (home.global) return Expr::read(home.array, workPlace(e, keys), e.type);
  const Member &member = *home.member;
  std::vector<Expr> subscripts = rowSubscripts(context);
  if (member.role == Member::Role::Inner)
    for (const Axis &axis : context.rolled)
      if (!axis.point.empty()) subscripts.push_back(axis.local());
  for (unsigned d = 0; d < e.keys; ++d)
    if (!has(member.rows, d) && !(member.role == Member::Role::Inner && has(member.rolled, d)))
      subscripts.push_back(keys[d]);
  return Expr::read(home.array, subscripts, e.type);
}

namespace {

/// The expression with reads that a padded tile takes at its first row moved there.
Expr atFirstRow(const PhaseContext &context, const Expr &value, const Seated &seated) {
  if (!context.frame.padding) return value;
  const std::size_t row = context.frame.padding->row;
  const std::string &dim = seated.equation.dims[static_cast<std::size_t>(seated.member.rows[row])];
  return rewrite(value, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0) return node;
    if (!context.frame.atFirstRow.count({seated.member.equation, static_cast<std::size_t>(node->access)})) return node;
    ExprNode read = *node;
    for (Expr &subscript : read.args)
      subscript = substitute(
          subscript, [&](const std::string &name) { return name == dim ? context.frame.rows[row].axis.base : Expr(); });
    return Expr{read};
  });
}

/// Divisions by constants as products, which need no register and scale a sum's terms in one step.
Expr timesConstants(const Expr &value) {
  return rewrite(value, [](const Expr &node) {
    if (node.type() != Type::Float32 || node->args.empty()) return node;
    const Expr &last = node->args.back();
    if (last.op() != Op::Real) return node;
    const auto number = static_cast<float>(last->real);
    if (node.op() == Op::Sqrt && number >= 0) return Expr::real(std::sqrt(number), Type::Float32);
    const float inverse = 1 / number;
    return node.op() == Op::Div && std::isnormal(inverse) ? node.arg(0) * Expr::real(inverse, Type::Float32) : node;
  });
}

} // namespace

Expr realize(const PhaseContext &context, const Expr &value, const Seated &seated,
             const std::map<std::string, Expr> &bound) {
  const Equation &e = seated.equation;
  const Expr placed = substitute(atFirstRow(context, value, seated), [&](const std::string &name) {
    const auto found = bound.find(name);
    if (found != bound.end()) return found->second;
    for (std::size_t d = 0; d < e.dims.size(); ++d)
      if (e.dims[d] == name) return seated.axes[d].global();
    return Expr();
  });
  const Expr complete = rewrite(placed, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0) return node;
    const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
    ExprNode read = *node;
    read.access = -1;
    for (Expr &subscript : read.args) subscript = simplify(subscript);
    return operand.equation < 0 ? Expr{read} : valueAt(context, operand.equation, read.args);
  });
  return context.frame.rectangular ? timesConstants(complete) : complete;
}

bool isOne(const Expr &e) { return (e.op() == Op::Integer && e->integer == 1) || (e.op() == Op::Real && e->real == 1); }

bool isZero(const Expr &e) {
  return (e.op() == Op::Integer && e->integer == 0) || (e.op() == Op::Real && e->real == 0);
}

} // namespace polymend
