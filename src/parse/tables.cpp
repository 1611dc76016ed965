// Constant tables: arrays, std::arrays and structures of literals, wherever they are declared. An element at a constant
// place is its value. A short loop whose variable leads through a table of integers to elements of other arrays, as
// neighbours by their offsets do, is read turn by turn, so that each place is an expression of the loops around it.
#include "containers.h"
#include "ranges.h"
#include "reader.h"
#include "turns.h"
#include "types.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr std::int64_t mostEntries = 16;
constexpr std::size_t mostCopies = 64; // of one body, in loops within each other

bool isAggregate(clang::QualType type) {
  return type->isConstantArrayType() || isFixedArray(type) || (type->isRecordType() && !type->isUnionType());
}

/// Entry number k of an array or a std::array; null: there is none.
const clang::APValue *entryOf(const clang::APValue &value, std::int64_t k) {
  if (value.isStruct() && value.getStructNumBases() == 0 && value.getStructNumFields() == 1 &&
      value.getStructField(0).isArray())
    return entryOf(value.getStructField(0), k);
  if (!value.isArray() || k < 0 || k >= static_cast<std::int64_t>(value.getArraySize())) return nullptr;
  const auto at = static_cast<unsigned>(k);
  if (at < value.getArrayInitializedElts()) return &value.getArrayInitializedElt(at);
  return value.hasArrayFiller() ? &value.getArrayFiller() : nullptr;
}

/// What a subscript is applied to, and the subscript; null: it is none.
std::pair<const clang::Expr *, const clang::Expr *> subscripted(const clang::Expr &e) {
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&e))
    return {element->getBase()->IgnoreParenImpCasts(), element->getIdx()};
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&e);
  const bool isElement = call != nullptr && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2 &&
                         isFixedArray(call->getArg(0)->getType());
  return isElement ? std::pair(call->getArg(0)->IgnoreParenImpCasts(), call->getArg(1))
                   : std::pair<const clang::Expr *, const clang::Expr *>();
}

const clang::VarDecl *namedBy(const clang::Expr &e) {
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&e))
    return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(&e);
  return member != nullptr ? llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()) : nullptr;
}

} // namespace

/// The declaration that gives an aggregate its values, which Clang knows, and which nothing changes; null: it is none.
const clang::VarDecl *Reader::tableOf(const clang::VarDecl &variable) const {
  const clang::QualType type = variable.getType();
  if (type->isReferenceType() || llvm::isa<clang::ParmVarDecl>(variable) || !isAggregate(type) ||
      !(type.isConstQualified() || context.getBaseElementType(type).isConstQualified()) || type.isVolatileQualified())
    return nullptr;
  const clang::VarDecl *defining = nullptr;
  const clang::Expr *init = variable.getAnyInitializer(defining);
  const bool isKnown = init != nullptr && !init->isValueDependent() && !defining->isInvalidDecl() &&
                       defining->evaluateValue() != nullptr;
  return isKnown ? defining : nullptr;
}

/// The constant that an expression names; null: it names none.
const clang::APValue *Reader::tableAt(const clang::Expr &expression) {
  const clang::Expr &e = *expression.IgnoreParenImpCasts();
  if (const clang::VarDecl *variable = namedBy(e)) {
    if (const auto known = constants.find(variable); known != constants.end()) return known->second;
    const clang::VarDecl *table = tableOf(*variable);
    return table != nullptr ? table->evaluateValue() : nullptr;
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&e)) {
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    const clang::APValue *whole = field != nullptr && !member->isArrow() ? tableAt(*member->getBase()) : nullptr;
    const clang::CXXRecordDecl *holder = member->getBase()->IgnoreParenImpCasts()->getType()->getAsCXXRecordDecl();
    const bool has = whole != nullptr && whole->isStruct() && holder != nullptr &&
                     holder->getCanonicalDecl() == field->getParent()->getCanonicalDecl() &&
                     field->getFieldIndex() < whole->getStructNumFields();
    return has && !field->isMutable() ? &whole->getStructField(field->getFieldIndex()) : nullptr;
  }
  const auto [base, index] = subscripted(e);
  const clang::APValue *whole = base != nullptr ? tableAt(*base) : nullptr;
  if (whole == nullptr) return nullptr;
  const Expr at = simplify(subscript(index));
  return at.op() == Op::Integer ? entryOf(*whole, at->integer) : nullptr;
}

/// The number that an element of a table is; absent: it is none, or at no constant place.
Expr Reader::tableElement(const clang::Expr &expression) {
  const clang::QualType type = expression.getType();
  if (!type->isArithmeticType() || (llvm::isa<clang::DeclRefExpr>(expression))) return {};
  const clang::APValue *value = tableAt(expression);
  return value != nullptr ? constantOf(*value, type) : Expr();
}

/// Does the variable lead, through a table of integers, to a place? `leads`: what the statement is makes one.
bool Reader::leadsByTable(const clang::Stmt *s, const clang::VarDecl &variable, bool leads) const {
  if (s == nullptr) return false;
  if (const auto *e = llvm::dyn_cast<clang::Expr>(s); e != nullptr && leads && e->getType()->isIntegerType()) {
    const clang::Expr *root = e->IgnoreParenImpCasts();
    bool isChosen = false;
    while (const clang::Expr *base = subscripted(*root).first) {
      isChosen = isChosen || mentions(subscripted(*root).second, variable);
      root = base;
    }
    if (const auto *field = llvm::dyn_cast<clang::MemberExpr>(root);
        field != nullptr && llvm::isa<clang::FieldDecl>(field->getMemberDecl()))
      return leadsByTable(field->getBase(), variable, leads);
    const clang::VarDecl *table = namedBy(*root);
    if (isChosen && table != nullptr && tableOf(*table) != nullptr) return true;
  }
  const auto within = [&](const clang::Stmt *child, bool makes) { return leadsByTable(child, variable, makes); };
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(s))
    return within(element->getBase(), leads) || within(element->getIdx(), true);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(s))
    return std::any_of(call->arg_begin(), call->arg_end(),
                       [&](const clang::Expr *one) { return within(one, leads || one->getType()->isIntegerType()); });
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
    return std::any_of(declarations->decl_begin(), declarations->decl_end(), [&](const clang::Decl *one) {
      const auto *local = llvm::dyn_cast<clang::VarDecl>(one);
      return local != nullptr && within(local->getInit(), local->getType()->isIntegerType());
    });
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(), [&](const clang::Stmt *child) { return within(child, leads); });
}

/// A loop of a few turns by such a table: its body, once for each turn; false: it is another loop.
bool Reader::tabledLoop(const clang::ForStmt &loop, const clang::VarDecl &variable, const Loop &head, Body &out) {
  const Expr first = simplify(head.first), limit = simplify(head.limit);
  if (first.op() != Op::Integer || limit.op() != Op::Integer || endOf(loop) != nullptr || turnsOnce.contains(&loop) ||
      followed.contains(&variable))
    return false;
  std::vector<std::int64_t> turns;
  for (std::int64_t at = first->integer; head.step > 0 ? at < limit->integer : at > limit->integer; at += head.step) {
    turns.push_back(at);
    if (std::ssize(turns) > mostEntries || copies * turns.size() > mostCopies) return false;
  }
  if (!leadsByTable(loop.getBody(), variable, false) || !movedIn({loop.getBody()}).empty() ||
      isNamedOutside(variable, loop))
    return false;
  const std::size_t outer = std::exchange(copies, copies * std::max<std::size_t>(turns.size(), 1));
  const Type type = valueType(variable.getType()).value_or(Type::Int64);
  for (const std::int64_t at : turns) {
    bindings[&variable] = Expr::integer(at, type);
    loopBody(*loop.getBody(), out);
  }
  copies = outer;
  return true;
}

/// A loop over the entries of a table that are no numbers, `for (auto [dx, dy] : neighbours)`; false: another one.
bool Reader::tabledRange(const clang::CXXForRangeStmt &loop, Body &out) {
  const clang::VarDecl &variable = *loop.getLoopVariable();
  const clang::QualType declared = variable.getType().getNonReferenceType();
  const clang::QualType range = loop.getRangeInit()->getType().getNonReferenceType();
  const auto *parts = llvm::dyn_cast<clang::DecompositionDecl>(&variable);
  const bool isOpen = parts == nullptr || isFixedArray(declared) ||
                      std::all_of(parts->bindings().begin(), parts->bindings().end(),
                                  [](const clang::BindingDecl *part) { return part->getHoldingVar() == nullptr; });
  if (!(range->isConstantArrayType() || isFixedArray(range)) || !isOpen) return false;
  if (!isAggregate(declared) || changed.contains(&variable) || endOf(loop) != nullptr ||
      !movedIn({loop.getBody()}).empty())
    return false;
  const clang::APValue *table = tableAt(*loop.getRangeInit());
  std::vector<const clang::APValue *> entries;
  for (std::int64_t k = 0; table != nullptr && k <= mostEntries; ++k) {
    const clang::APValue *entry = entryOf(*table, k);
    if (entry == nullptr) break;
    entries.push_back(entry);
  }
  if (entries.empty() || std::ssize(entries) > mostEntries || copies * entries.size() > mostCopies) return false;
  const std::size_t outer = std::exchange(copies, copies * entries.size());
  for (const clang::APValue *entry : entries) {
    constants[&variable] = entry;
    for (std::size_t k = 0; parts != nullptr && k < parts->bindings().size(); ++k) {
      const clang::BindingDecl *part = parts->bindings()[k];
      if (part->getHoldingVar() == nullptr) continue;
      const clang::APValue *number = entryOf(*entry, static_cast<std::int64_t>(k));
      const Expr value = number != nullptr ? constantOf(*number, part->getType().getNonReferenceType()) : Expr();
      if (!value || changed.contains(part) || changed.contains(part->getHoldingVar()))
        refuse("a range-based for loop over this table is not supported", rangeOf(&loop));
      bindings[part->getHoldingVar()] = value;
    }
    loopBody(*loop.getBody(), out);
  }
  constants.erase(&variable);
  copies = outer;
  return true;
}

/// Tables of classes, and of scopes that the function does not stand in, are arrays of its own.
void Reader::holdTables(const clang::Stmt *statement) {
  if (statement == nullptr) return;
  if (const auto *e = llvm::dyn_cast<clang::Expr>(statement))
    if (const clang::VarDecl *variable = namedBy(*e); variable != nullptr && variable->hasGlobalStorage() &&
                                                      !variable->isStaticLocal() && !bindings.contains(variable) &&
                                                      variable->getType()->isConstantArrayType()) {
      const clang::DeclContext *home = variable->getDeclContext()->getRedeclContext();
      const bool isElsewhere = !home->isFileContext() || !home->Encloses(definition.getDeclContext());
      if (const clang::VarDecl *table = isElsewhere ? tableOf(*variable) : nullptr) {
        declareArray(*table, function.body);
        bindings[variable] = bindings.at(table);
      }
    }
  for (const clang::Stmt *child : statement->children()) holdTables(child);
}

} // namespace polymend
