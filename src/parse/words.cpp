// Arithmetic on numbers of 64 bits without a sign, which is modulo 2^64. A sum, difference or product of data that may
// leave what 64 bits with a sign hold is a call of a primitive that computes it without one; so are quotients and
// remainders of numbers that may be 2^63 and more. Their order is that of the numbers whose first bits are turned; a
// shift to the right brings zeros in. What a loop turns by, and what subscripts lead to, is none of these.
#include "words.h"
#include "ranges.h"
#include "reader.h"
#include "wraps.h"

#include "polymend/word_functions.h"

#include <algorithm>

namespace polymend {

namespace {

/// Is it made of data, or by operations on bits? Of anything else it is shown that it is no less than 0.
bool isMadeOfBits(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) {
    const bool isOperation = node.op() >= Op::BitAnd && node.op() <= Op::ShiftRight;
    found = found || isOperation || node.op() == Op::Read || node.op() == Op::Call;
  });
  return found;
}

/// The primitive that computes what the operation computes, modulo 2^64; empty: there is none.
std::string_view modularOf(Op op) {
  switch (op) {
  case Op::Add: return words::sum;
  case Op::Neg:
  case Op::Sub: return words::difference;
  case Op::Mul: return words::product;
  case Op::Div: return words::quotient;
  case Op::Mod: return words::remainder;
  default: return {};
  }
}

bool isWordType(clang::QualType type, const clang::ASTContext &context) {
  return type->isUnsignedIntegerType() && !type->isBooleanType() && context.getIntWidth(type) == 64;
}

/// Does the operation make other words of words than a sum of counts is?
bool makesWords(clang::BinaryOperatorKind kind) {
  return clang::BinaryOperator::isMultiplicativeOp(kind) || clang::BinaryOperator::isShiftOp(kind) ||
         clang::BinaryOperator::isBitwiseOp(kind);
}

/// Does the expression make a word by such an operation, or read an element of that type?
bool holdsWord(const clang::Stmt *s, const clang::ASTContext &context) {
  const auto *e = llvm::dyn_cast_or_null<clang::Expr>(s);
  if (e == nullptr) return false;
  const bool isWord = isWordType(e->getType(), context);
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e);
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  const bool isElement =
      llvm::isa<clang::ArraySubscriptExpr>(e) || (call != nullptr && call->getOperator() == clang::OO_Subscript);
  if (isWord && (isElement || (operation != nullptr && makesWords(operation->getOpcode())))) return true;
  if (isElement) return false; // what it is found by is no part of it
  return std::any_of(e->child_begin(), e->child_end(),
                     [&](const clang::Stmt *child) { return holdsWord(child, context); });
}

} // namespace

bool becomesAnyWord(const clang::Stmt *body, const clang::VarDecl &variable, const clang::ASTContext &context) {
  if (body == nullptr) return false;
  const auto *step = llvm::dyn_cast<clang::UnaryOperator>(body);
  const auto *stepped = step != nullptr && step->isDecrementOp()
                            ? llvm::dyn_cast<clang::DeclRefExpr>(step->getSubExpr()->IgnoreParens())
                            : nullptr;
  if (stepped != nullptr && stepped->getDecl() == &variable) return true;
  if (const auto *set = llvm::dyn_cast<clang::BinaryOperator>(body); set != nullptr && set->isAssignmentOp()) {
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens());
    const bool computes = set->getOpcode() == clang::BO_SubAssign ||
                          (set->isCompoundAssignmentOp() &&
                           makesWords(clang::BinaryOperator::getOpForCompoundAssignment(set->getOpcode())));
    if (named != nullptr && named->getDecl() == &variable && (computes || holdsWord(set->getRHS(), context)))
      return true;
  }
  return std::any_of(body->child_begin(), body->child_end(),
                     [&](const clang::Stmt *child) { return becomesAnyWord(child, variable, context); });
}

Expr inOrder(const Expr &word) {
  if (word.op() == Op::Integer) return Expr::integer(word->integer ^ INT64_MIN);
  return Expr::call(std::string(words::sum), {word, Expr::integer(INT64_MIN)}, Type::Int64, word->where);
}

bool Reader::isWord(clang::QualType type) const { return isWordType(type, context); }

/// May the word be 2^63 or more? Sizes are asked to be less, and variables that count never get there.
bool Reader::mayBeBig(const Expr &value) const {
  if (value.op() == Op::Integer) return value->integer < 0;
  if (!isMadeOfBits(value)) return false;
  const Expr known = rewrite(value, [&](const Expr &node) {
    const bool isCount = node.op() == Op::Read && counters.contains(node->name);
    return isCount ? Expr::cast(Type::Int64, Expr::symbol(node->name, Type::UInt32)) : node;
  });
  return valuesOf(known, knowledge).least < 0;
}

/// The value modulo 2^64, as a number with a sign.
Expr Reader::modular(const Expr &value) const {
  const bool isRing = value.op() == Op::Neg || value.op() == Op::Add || value.op() == Op::Sub || value.op() == Op::Mul;
  if (!isRing || value.type() != Type::Int64 || staysInWords(value, knowledge)) return value;
  std::vector<Expr> args;
  if (value.op() == Op::Neg) args.push_back(Expr::integer(0));
  for (const Expr &arg : value->args) args.push_back(modular(arg));
  return Expr::call(std::string(modularOf(value.op())), args, Type::Int64, value->where);
}

/// The value in an integer type: of a word the one that is congruent to it, where it may leave the type. What sizes and
/// turns alone make stays as it is, or refused: it may be a bound.
Expr Reader::wrapping(const Expr &value, clang::QualType type, const clang::Stmt *place) {
  if (!isWord(type) || !wordsWrap || !checksWraps) return fitting(value, type, place);
  try {
    return fitting(value, type, place);
  } catch (const Refusal &) {
    const Expr word = modular(simplify(value));
    if (word.op() != Op::Integer && !isMadeOfBits(word)) throw;
    visit(value, [&](const Expr &node) {
      if (node.op() == Op::Read) asWords.insert(node->name);
    });
    return word;
  }
}

/// A quotient or a remainder of words.
Expr Reader::wordOperation(Op op, const Expr &left, const Expr &right, const clang::Expr &where) const {
  return Expr::call(std::string(modularOf(op)), {left, right}, Type::Int64, rangeOf(&where));
}

Expr Reader::shiftedRight(const Expr &word, const Expr &by, const clang::Expr &where) const {
  constexpr std::int64_t width = 64;
  if (by.op() == Op::Integer && by->integer == 0) return word;
  if (by.op() == Op::Integer && by->integer > 0 && by->integer < width) {
    const auto left = static_cast<std::int64_t>(~std::uint64_t{0} >> static_cast<unsigned>(by->integer));
    return node(Op::BitAnd, Type::Int64, {node(Op::ShiftRight, Type::Int64, {word, by}, &where), Expr::integer(left)},
                &where);
  }
  const Interval values = valuesOf(by, knowledge);
  const bool isWithin = values.least >= 0 && values.most < width;
  const Expr within = isWithin ? by : node(Op::BitAnd, by.type(), {by, Expr::integer(width - 1)}, &where);
  return Expr::call(std::string(words::shiftedRight), {word, within}, Type::Int64, rangeOf(&where));
}

/// The greater or the lesser of two words.
Expr Reader::extremeOf(bool isMax, const Expr &left, const Expr &right, const clang::Expr &where) const {
  const Expr below = node(Op::Lt, Type::Bool, {inOrder(left), inOrder(right)}, &where);
  return node(Op::Select, Type::Int64, {below, isMax ? right : left, isMax ? left : right}, &where);
}

} // namespace polymend
