// Declarations -> arrays and bindings. Integers and pointers that never change after their initialisation are inlined
// where they are used; so are floating-point locals that read no array, unless they cost much and vary in a loop.
// Everything else is an array, of no dimension for a scalar. Names stay the source's unless two declarations share one.
#include "outlined.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"
#include "wide_elements.h"
#include "words.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

bool readsArrays(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || node.op() == Op::Read; });
  return found;
}

bool isCheap(const Expr &e) {
  bool cheap = true;
  visit(e, [&](const Expr &node) {
    const bool costly = node.op() >= Op::Exp && node.op() <= Op::Call && node.op() != Op::Abs && node.op() != Op::Sqrt;
    cheap = cheap && !costly;
  });
  return cheap;
}

bool isConstElement(clang::QualType element) { return element.isConstQualified(); }

/// Does the expression depend on nothing but constants, and on what functions of the library say of them?
bool isOfConstants(const clang::Stmt *s, const clang::ASTContext &context);

/// A number that a function keeps between its calls, and which each of them would make anew in the same way.
bool isFixedAtFirst(const clang::VarDecl &variable) {
  return variable.isStaticLocal() && variable.getType().isConstQualified() && variable.hasInit() &&
         !variable.getType().isVolatileQualified() && variable.getType()->isArithmeticType() &&
         isOfConstants(variable.getInit(), variable.getASTContext());
}

bool isOfConstants(const clang::Stmt *s, const clang::ASTContext &context) {
  if (s == nullptr) return true;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
    if (const auto *callee = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      return isPureLibrary(*callee) || callee->isConstexpr();
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return llvm::isa<clang::EnumConstantDecl>(reference->getDecl()) ||
           (variable != nullptr && (variable->isUsableInConstantExpressions(context) || isFixedAtFirst(*variable)));
  }
  if (!llvm::isa<clang::BinaryOperator, clang::UnaryOperator, clang::ConditionalOperator, clang::CastExpr,
                 clang::ParenExpr, clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral,
                 clang::CXXBoolLiteralExpr, clang::FullExpr, clang::CallExpr, clang::MaterializeTemporaryExpr,
                 clang::SubstNonTypeTemplateParmExpr, clang::UnaryExprOrTypeTraitExpr>(s))
    return false;
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(s);
  if (operation != nullptr && operation->isAssignmentOp()) return false;
  const auto *single = llvm::dyn_cast<clang::UnaryOperator>(s);
  if (single != nullptr && (single->isIncrementDecrementOp() || single->getOpcode() == clang::UO_Deref)) return false;
  return std::all_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt *child) { return isOfConstants(child, context); });
}

} // namespace

std::string Reader::unique(const std::string &name) {
  const std::string base = name.empty() ? "unnamed" : name;
  std::string candidate = base;
  for (int i = 1; !names.insert(candidate).second; ++i) candidate = base + "_" + std::to_string(i);
  return candidate;
}

const Array &Reader::addArray(Array array) {
  array.calls = calls;
  function.arrays.push_back(std::move(array));
  return function.arrays.back();
}

std::vector<Expr> Reader::extentsOf(clang::QualType type, const SourceRange &where) {
  std::vector<Expr> extents;
  for (const clang::ArrayType *array = context.getAsArrayType(type); array != nullptr;
       array = context.getAsArrayType(array->getElementType())) {
    if (const auto *fixed = llvm::dyn_cast<clang::ConstantArrayType>(array))
      extents.push_back(Expr::integer(static_cast<std::int64_t>(fixed->getSize().getZExtValue())));
    else if (const auto *sized = llvm::dyn_cast<clang::VariableArrayType>(array);
             sized != nullptr && sized->getSizeExpr())
      extents.push_back(fixedExtent(sized->getSizeExpr()));
    else if (llvm::isa<clang::IncompleteArrayType>(array))
      extents.emplace_back();
    else
      refuse("an array of this size is not supported", where);
  }
  return extents;
}

Expr Reader::fixedExtent(const clang::Expr *size) {
  Expr extent = bound(size);
  const std::set<std::string> used = symbols(extent);
  for (const LoopRange &loop : knowledge.loops)
    if (used.contains(loop.variable)) refuse("the size of an array varies in a loop", rangeOf(size));
  return extent;
}

clang::QualType Reader::elementOf(clang::QualType type) const { return context.getBaseElementType(type); }

void Reader::declare(const clang::VarDecl &variable, Body &out) {
  const SourceRange where = rangeOf(variable.getSourceRange());
  const clang::QualType type = variable.getType();
  const std::string name = variable.getNameAsString();
  readsAtOnce = false; // it is read later
  if (variable.isExternallyDeclarable() && !variable.isLocalVarDecl()) refuse("'" + name + "' is external", where);
  if (type.isVolatileQualified()) refuse("'" + name + "' is volatile", where);
  if (variable.getTLSKind() != clang::VarDecl::TLS_None) refuse("'" + name + "' is thread-local", where);
  if (variable.hasAttr<clang::CleanupAttr>()) refuse("'" + name + "' is cleaned up by a function", where);
  if (type->isReferenceType()) return declareReference(variable);
  if (type->isPointerType()) return declarePointer(variable, out);
  if (declareRecords(variable, out)) return;
  if (type->isArrayType()) return declareArray(variable, out);
  if (const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl(); record != nullptr && record->isLambda())
    return declareLambda(variable, &out);
  const bool moves = changed.contains(&variable);
  if (isIteratorClass(type) && variable.hasInit() && !variable.isStaticLocal() && (!moves || follows(variable))) {
    const auto records = pointedTo(type)->isRecordType() ? known(bareIterator(variable.getInit())) : std::nullopt;
    if (records && records->start) {
      if (moves) return follow(variable, *records, where);
      bindings[&variable] = *records;
      return;
    }
    if (const auto place = records ? std::nullopt : iterator(variable.getInit())) {
      if (moves) return follow(variable, *place, where);
      bindings[&variable] = *place;
      return;
    }
  }
  if (type->isRecordType()) {
    const bool isDeclared = declareCopy(variable, out) || declareFixed(variable, out) || declareVector(variable, out) ||
                            declareOwned(variable, out);
    if (!isDeclared) declareObject(variable, out);
    return;
  }
  const auto kind = valueType(type);
  if (!kind) refuse("'" + name + "' has the unsupported type '" + type.getAsString() + "'", where);
  declareScalar(variable, *kind, out);
}

bool Reader::inlines(const clang::VarDecl &variable, const Expr &value, Type type) const {
  if (changed.contains(&variable) || variable.isStaticLocal()) return false;
  if (!isFloating(type)) return true;
  const std::set<std::string> used = symbols(value);
  const bool varies = std::any_of(knowledge.loops.begin(), knowledge.loops.end(),
                                  [&](const LoopRange &loop) { return used.contains(loop.variable); });
  if (sink == nullptr && !calls.empty()) return true;
  return !readsArrays(value) && (isCheap(value) || !varies);
}

void Reader::declareScalar(const clang::VarDecl &variable, Type type, Body &out) {
  const SourceRange where = rangeOf(variable.getSourceRange());
  const std::string name = variable.getNameAsString();
  if (Expr constant = constantOf(variable)) {
    bindings[&variable] = constant;
    return;
  }
  if (isFixedAtFirst(variable)) {
    const Expr fixed = simplify(value(variable.getInit()));
    if (!polymend::reads(fixed) && symbols(fixed).empty()) {
      bindings[&variable] = fixed;
      return;
    }
  }
  if (variable.isStaticLocal() && (variable.hasInit() || !calls.empty()))
    refuse("static '" + name + "' keeps a value between calls", where);
  const Expr init = variable.hasInit() ? value(variable.getInit()) : Expr();
  settle(init, where);
  const bool isWithinExpression = sink == nullptr && !calls.empty() && isFloating(type);
  if (init && inlines(variable, init, type) && (isWithinExpression || !mayChange(init))) {
    bindings[&variable] = isFloating(type) ? init : simplify(init);
    freeze(init, where);
    return;
  }
  if (!isFloating(type) && !(init && mayChange(init)) && follows(variable))
    return follow(variable, init ? init : Expr::integer(0, type), where); // without a value it may have any
  const clang::QualType declared = variable.getType();
  const bool isWide = declared->isUnsignedIntegerType() && widthOf(declared) > 32;
  const bool isOther = !elementType(declared) || variable.isStaticLocal();
  if (!isFloating(type) && (!init || (isOther && !declared->isBooleanType()))) return;
  Array array;
  array.name = unique(name);
  array.type = localType(declared);
  array.storage = variable.isStaticLocal() ? Array::Storage::Static : Array::Storage::Local;
  array.functionStatic = variable.isStaticLocal();
  array.where = where;
  bindings[&variable] = Place{array.name, {}};
  addArray(array);
  if (init && !isFloating(type)) writtenIntegers.insert({array.name, where});
  const bool isAnyWord = (init && (mayBeWide(init, unsignedWide) || mayBeBig(init))) ||
                         (needs != nullptr && needs->words.contains(&variable)) ||
                         (isWide && becomesAnyWord(homeOf(variable), variable, context));
  if (isWide) (isAnyWord ? unsignedWide : counters).insert(array.name);
  if (init)
    out.emplace_back(
        std::make_shared<const Assign>(Assign{array.name, {}, simplify(storedIn(array, init, where)), where}));
}

/// Does a value read floats that are not const, or integers that change? Then it is one of its place alone.
bool Reader::mayChange(const Expr &value) const {
  bool changes = false;
  visit(value, [&](const Expr &node) {
    const bool isRead = node.op() == Op::Read && !arrayNamed(node->name).isConst;
    changes = changes || (isRead && (isFloating(node.type()) || writtenIntegers.contains(node->name) ||
                                     (needs != nullptr && needs->arrays.contains(node->name))));
  });
  return changes;
}

/// What holds a variable of the type: nothing but its values, which conversions see to.
Type Reader::localType(clang::QualType type) const {
  const auto held = shortType(type);
  return held == Type::UInt32 ? *held : *valueType(type);
}

void Reader::declareArray(const clang::VarDecl &variable, Body &out) {
  const SourceRange where = rangeOf(variable.getSourceRange());
  const clang::QualType element = elementOf(variable.getType());
  const auto type = elementType(element);
  if (!type) refuse("elements of type '" + element.getAsString() + "' are not supported", where);
  Array array;
  array.name = unique(variable.getNameAsString());
  array.type = *type;
  array.extents = extentsOf(variable.getType(), where);
  const bool fixed =
      element.isConstQualified() && variable.hasInit() && variable.getInit()->isConstantInitializer(context, false);
  const auto *list = variable.hasInit() ? llvm::dyn_cast<clang::InitListExpr>(variable.getInit()) : nullptr;
  const bool zeroed = list != nullptr && list->getNumInits() == 0;
  array.functionStatic = variable.isStaticLocal() && !fixed;
  array.storage = array.functionStatic ? Array::Storage::Static : Array::Storage::Local;
  array.where = where;
  if (array.functionStatic && ((variable.hasInit() && !zeroed) || !calls.empty()))
    refuse("static array '" + array.name + "' has an initialiser", where);
  bindings[&variable] = Place{array.name, {}};
  addArray(array);
  if (variable.hasInit() && !array.functionStatic) initialise(array, variable.getInit(), where, out);
}

void Reader::declarePointer(const clang::VarDecl &variable, Body &out) {
  const SourceRange where = rangeOf(variable.getSourceRange());
  const std::string name = variable.getNameAsString();
  const bool moves = follows(variable);
  if (variable.getType()->getPointeeType()->isRecordType()) {
    if (!moves) return declareObject(variable, out);
    if (variable.hasInit()) return follow(variable, leadsTo(*variable.getInit()), where);
  }
  if (moves && !variable.hasInit()) {
    followed.insert(&variable);
    return;
  }
  if (const auto change = changed.find(&variable); change != changed.end() && !moves && !rotating.contains(&variable))
    refuse("pointer '" + name + "' is changed after its initialisation: leave it as it is and subscript it, p[i]",
           rangeOf(change->second));
  if (!variable.hasInit() || variable.isStaticLocal())
    refuse("pointer '" + name + "' is not initialised where it is declared", where);
  if (!moves && allocates(variable, out)) return;
  Place place = pointer(variable.getInit());
  const auto isZero = [](const Expr &s) { return s.op() == Op::Integer && s->integer == 0; };
  if (place.subscripts.size() > 1 && std::all_of(place.subscripts.begin(), place.subscripts.end(), isZero))
    refuse("'" + place.array + "' has several dimensions and may be used as a flat array", where);
  if (moves) return follow(variable, place, where);
  bindings[&variable] = std::move(place);
}

void Reader::declareReference(const clang::VarDecl &variable) {
  const bool outer = std::exchange(holdsIndices, true);
  bindings[&variable] = referredTo(variable);
  holdsIndices = outer;
  if (std::holds_alternative<Object>(bindings.at(&variable))) nameParts(variable);
}

/// What a reference is bound to.
Reader::Binding Reader::referredTo(const clang::VarDecl &variable) {
  const SourceRange where = rangeOf(variable.getSourceRange());
  if (variable.getType()->getPointeeType().isVolatileQualified())
    refuse("'" + variable.getNameAsString() + "' is volatile", where);
  if (!variable.hasInit() || !variable.getInit()->isGLValue() || variable.getType()->isRValueReferenceType())
    refuse("reference '" + variable.getNameAsString() + "' is not supported", where);
  if (const auto object = isTemporary(variable.getInit()) ? std::nullopt : known(variable.getInit())) return *object;
  const clang::Expr *init = variable.getInit()->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(init)) init = full->getSubExpr()->IgnoreParens();
  if (auto row = isTemporary(init) ? std::nullopt : rowAt(*init)) {
    row->place.subscripts.resize(row->chosen);
    return row->place;
  }
  if (llvm::isa<clang::MaterializeTemporaryExpr>(init) || init->getType()->isPointerType() ||
      (!init->getType()->isArrayType() && !init->getType()->isFloatingType()))
    refuse("reference '" + variable.getNameAsString() + "' is not supported", where);
  return lvalue(init);
}

void Reader::declareGlobal(const clang::VarDecl &variable, const SourceRange &use) {
  const std::string name = variable.getNameAsString();
  const clang::QualType type = variable.getType();
  const auto kind = elementType(elementOf(type));
  if (!kind || type->isReferenceType() || type->isPointerType())
    refuse("global '" + name + "' has the unsupported type '" + type.getAsString() + "'", use);
  if (type.isVolatileQualified() || variable.getTLSKind() != clang::VarDecl::TLS_None)
    refuse("global '" + name + "' is volatile or thread-local", use);
  if (!isFloating(*kind) && !type->isArrayType()) refuse("global integer '" + name + "' may change", use);
  const clang::DeclContext *home = variable.getDeclContext()->getRedeclContext();
  if (!home->isFileContext() || !home->Encloses(definition.getDeclContext()))
    refuse("global '" + name + "' belongs to another scope", use);
  const bool taken =
      std::any_of(function.arrays.begin(), function.arrays.end(), [&](const Array &a) { return a.name == name; });
  if (taken) refuse("two globals are named '" + name + "'", use);
  Array array;
  array.name = name;
  array.type = *kind;
  array.extents = extentsOf(type, use);
  array.storage = Array::Storage::Static;
  array.isConst = isConstElement(elementOf(type));
  array.where = rangeOf(variable.getSourceRange());
  bindings[&variable] = Place{name, {}};
  addArray(std::move(array));
}

} // namespace polymend
