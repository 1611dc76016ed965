// Elements of a matrix in registers go out to memory. Where four threads hold eight neighbouring columns of a row, 16
// bytes go out at once: of 16-bit elements, which change hands within the four, and of wider ones of warps side by
// side.
#include "registers.h"

#include "device/stride.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// Elements in a store of 16 bytes.
std::int64_t groupOf(Type type) { return isNarrow(type) ? 8 : type == Type::Float64 ? 2 : 4; }

void conjuncts(const Expr &e, std::vector<Expr> &out) {
  if (!e) return;
  if (e.op() != Op::And) return out.push_back(e);
  for (const Expr &arg : e->args) conjuncts(arg, out);
}

Expr at(const Expr &e, const std::string &variable, const Expr &value) {
  return substitute(e, [&](const std::string &name) { return name == variable ? value : Expr(); });
}

/// What is known of a condition at the columns of one group, which begins at a multiple of its size.
enum class AlongGroup {
  Alike,  // true at all columns or at none
  Convex, // true between two columns where it is true
  Unknown
};

/// `multiples`: sizes that are known to be multiples of the group's size.
AlongGroup alongGroup(const Expr &condition, const std::string &column, std::int64_t group,
                      const std::set<std::string> &multiples) {
  if (!dependsOn(condition, column)) return AlongGroup::Alike;
  const bool order = condition.op() == Op::Le || condition.op() == Op::Lt;
  if (!order || !isInteger(condition.arg(0).type())) return AlongGroup::Unknown;
  // condition: rest + step * column >= 0
  const Expr difference = condition.arg(1) - condition.arg(0);
  const std::optional<std::int64_t> step = stepOf(difference, column);
  if (!step) return AlongGroup::Unknown;
  std::optional<std::int64_t> residue = residueOf(at(difference, column, Expr::integer(0)), group, multiples);
  if (residue && condition.op() == Op::Lt) residue = (*residue + group - 1) % group;
  const bool alike = residue && ((*step == -1 && *residue == group - 1) || (*step == 1 && *residue == 0));
  return alike ? AlongGroup::Alike : AlongGroup::Convex;
}

} // namespace

/// Whether 16 bytes go out at once, and the tests that decide for such a word. Not where elements are no neighbours, do
/// not begin at 16 bytes, or go out under a condition of which it is not known where it holds.
bool RegisterMapper::asWords(const TileAssign &a, const Plane &plane, DeviceRegisters &part) const {
  const std::string &along = plane.columns->variable;
  const std::vector<Expr> &subscripts = a.target.subscripts;
  const auto array = std::find_if(program.arrays.begin(), program.arrays.end(),
                                  [&](const TileArray &one) { return one.name == a.target.array; });
  if (array == program.arrays.end()) return false;
  const Type type = array->type;
  const bool wide = type == Type::Float32 || type == Type::Float64;
  const std::int64_t group = groupOf(type), together = warpsN == 1 ? 32 : 16; // columns of stores side by side
  if ((!isNarrow(type) && (!wide || warpsN == 1)) || constant(plane.columns->limit) / warpsN % together != 0)
    return false;
  // Rows of 16-bit elements that the kernels write begin at multiples of 16 bytes: the host asks before it launches
  // this one; the kernel asks of wider ones.
  std::set<std::string> multiples;
  for (const TileArray &one : program.arrays)
    if (one.written && one.space == Space::Argument && (wide ? one.name == a.target.array : isNarrow(one.type)) &&
        one.extents.size() > 1 && one.extents.back().op() == Op::Symbol)
      multiples.insert(one.extents.back()->name);
  const Expr first = at(subscripts.back(), along, Expr::integer(0));
  if (motionOf(subscripts, along) != Motion::Unit || residueOf(first, group, multiples) != 0) return false;
  std::vector<Expr> conditions;
  conjuncts(a.where, conditions);
  for (const Expr &condition : conditions) {
    const AlongGroup kind = alongGroup(condition, along, group, multiples);
    if (kind == AlongGroup::Unknown) {
      part.each = part.ends = Expr();
      return false;
    }
    Expr &all = kind == AlongGroup::Alike ? part.each : part.ends;
    all = all ? Expr::make(Op::And, {all, condition}) : condition;
  }
  return true;
}

/// Reads of memory that move along a row and that the value needs more than once, with the choice of what is read
/// beyond the array: a name for each, in the value's place of them.
void RegisterMapper::nameRepeatedReads(Expr &value, DeviceRegisters &part, ElementScope &own) {
  const auto isRead = [&](const Expr &e) {
    return e.op() == Op::Read && !fragment(e->name) && !isChannel(e->name) && movesInRow(e, own);
  };
  const auto isGuarded = [&](const Expr &e) {
    return e.op() == Op::Select && isRead(e.arg(1)) && e.arg(2)->args.empty() && isFloating(e.type());
  };
  std::vector<std::pair<Expr, int>> counts;
  visit(value, [&](const Expr &e) {
    if (!isGuarded(e)) return;
    const auto known = std::find_if(counts.begin(), counts.end(), [&](const auto &c) { return equal(c.first, e); });
    if (known == counts.end())
      counts.emplace_back(e, 1);
    else
      ++known->second;
  });
  for (const auto &[read, count] : counts) {
    if (count < 2) continue;
    const std::string name =
        read.arg(1)->name + "_here" + (part.reads.empty() ? "" : std::to_string(part.reads.size()));
    own.moving.insert(name);
    const Expr symbol = Expr::symbol(name, read.type());
    value = rewrite(value, [&](const Expr &e) { return equal(e, read) ? symbol : e; });
    part.reads.emplace_back(name, read);
  }
}

void RegisterMapper::store(const TileAssign &a, const Plane &plane, DeviceBlock &out) {
  DeviceRegisters part = partOf(a, plane, Form::Stored);
  const auto array = std::find_if(program.arrays.begin(), program.arrays.end(),
                                  [&](const TileArray &one) { return one.name == a.target.array; });
  const bool narrow = array != program.arrays.end() && isNarrow(array->type);
  ElementScope own = scope;
  Expr moved = placed(narrow ? beforeRounding(a.value) : a.value, plane);
  nameRepeatedReads(moved, part, own);
  const auto prepared = [&](const Expr &e) { return hoisted(arrange(e, own, approximates), plane, own, part); };
  for (auto &[name, read] : part.reads) read = prepared(read);
  part.what.value = prepared(moved);
  if (asWords(a, plane, part)) part.form = Form::Words;
  out.emplace_back(std::move(part));
}

} // namespace polymend::device_room
