// Memory that a function takes for itself -> local arrays: `new T[n]`, malloc, a local std::vector or an owner of
// std::make_unique. The number of elements is fixed where it is taken; were it negative, the source's own text runs.
// What gives such memory back does nothing else.
#include "algorithms.h"
#include "containers.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <clang/AST/DeclTemplate.h>

namespace polymend {

namespace {

std::string nameOfStandard(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace() ? record->getNameAsString() : std::string();
}

clang::QualType firstArgument(clang::QualType type) {
  return llvm::cast<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl())
      ->getTemplateArgs()[0]
      .getAsType();
}

const clang::CallExpr *callOf(const clang::Expr *e, llvm::StringRef name) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenCasts());
  const clang::FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
  return callee != nullptr && callee->getDeclName().isIdentifier() && callee->getName() == name ? call : nullptr;
}

/// The factors of a product but for one that is sizeof(element); none: the size is said in another way.
std::vector<const clang::Expr *> countIn(const clang::Expr *bytes, clang::QualType element,
                                         const clang::ASTContext &context) {
  std::vector<const clang::Expr *> factors, open{bytes};
  bool isSized = false;
  while (!open.empty()) {
    const clang::Expr *e = open.back()->IgnoreParenImpCasts();
    open.pop_back();
    const auto *size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(e);
    const auto *product = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (product != nullptr && product->getOpcode() == clang::BO_Mul) {
      open.push_back(product->getRHS());
      open.push_back(product->getLHS());
    } else if (!isSized && size != nullptr && size->getKind() == clang::UETT_SizeOf &&
               context.hasSameUnqualifiedType(size->getTypeOfArgument(), element)) {
      isSized = true;
    } else {
      factors.push_back(e);
    }
  }
  return isSized ? factors : std::vector<const clang::Expr *>();
}

} // namespace

Place Reader::declareScratch(const clang::VarDecl &variable, clang::QualType element,
                             const std::vector<const clang::Expr *> &counts) {
  const clang::Expr &count = *counts.front();
  const auto type = elementType(element);
  if (!type) refuse("elements of type '" + element.getAsString() + "' are not supported", rangeOf(&count));
  Array array;
  array.name = unique(variable.getNameAsString());
  array.type = *type;
  Expr extent = fixedExtent(&count);
  for (std::size_t i = 1; i < counts.size(); ++i) extent = simplify(extent * fixedExtent(counts[i]));
  array.extents = {extent};
  array.where = rangeOf(variable.getSourceRange());
  if (!isNonNegative(array.extents.front(), knowledge))
    assume(Expr::make(Op::Le, {Expr::integer(0), array.extents.front()})); // else the source's own text runs
  addArray(array);
  return Place{array.name, {Expr::integer(0)}};
}

/// What each element of a vector is that is made of their number.
Expr Reader::valueOfEach(const clang::CXXConstructExpr &made, const Array &array, const SourceRange &where) {
  const bool hasValue = isGivenTo(made, 1) && made.getArg(1)->getType()->isArithmeticType();
  Expr initial = hasValue ? storedIn(array, value(made.getArg(1)), where) : neutral(Monoid::Sum, array.type);
  if (polymend::reads(initial))
    refuse("a vector filled with data is not supported: write its elements in a loop", where);
  return initial;
}

/// `std::vector<T> v(n)`, `v(n, value)`.
bool Reader::declareVector(const clang::VarDecl &variable, Body &out) {
  const clang::QualType type = variable.getType();
  if (nameOfStandard(type) != "vector" || !variable.hasInit()) return false;
  if (declareApart(variable, out)) return true;
  const SourceRange where = rangeOf(variable.getSourceRange());
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(variable.getInit()->IgnoreImplicit());
  if (!isMadeOfCount(made) || variable.isStaticLocal())
    refuse("a local vector is supported where it is made with its size: std::vector<float> v(n)", where);
  const Place place = declareScratch(variable, firstArgument(type), {made->getArg(0)});
  const Array array = arrayNamed(place.array);
  fillWith(array, valueOfEach(*made, array, where), where, out);
  Object object{"", "", type, {}, true, "", {}, {}, place.array, array.extents.front()};
  bindings[&variable] = object;
  return true;
}

/// `std::array<T, N> a{...}`; false: another declaration.
bool Reader::declareFixed(const clang::VarDecl &variable, Body &out) {
  const clang::QualType type = variable.getType();
  if (nameOfStandard(type) != "array") return false;
  const clang::Expr *init = variable.hasInit() ? variable.getInit()->IgnoreImplicit() : nullptr;
  const bool isTable = init != nullptr && type.isConstQualified() && init->isConstantInitializer(context, false);
  if (variable.isStaticLocal() && !isTable) return false;
  const auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(init);
  const auto *made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init);
  const bool isBare = init == nullptr || (made != nullptr && made->getNumArgs() == 0);
  const auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(init);
  if (call != nullptr) return declareReturned(variable, *call, out);
  if (list == nullptr && !isBare) return false;
  return declareListed(variable, list, out);
}

/// `std::array<T, N> a = f(x)`: what the function says of the elements that it returns.
bool Reader::declareReturned(const clang::VarDecl &variable, const clang::CallExpr &call, Body &out) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee == nullptr || callee->isInStdNamespace() || !callee->hasBody()) return false;
  within(bodyOf(*callee, call), call, true, [&](const Statements &body) {
    for (const clang::Stmt *s : body) {
      const auto *result = llvm::dyn_cast<clang::ReturnStmt>(s);
      if (result == nullptr) {
        statement(s, out);
        continue;
      }
      sink = &out;
      const clang::Expr *returned = result->getRetValue()->IgnoreImplicit();
      const auto *copied = llvm::dyn_cast<clang::CXXConstructExpr>(returned);
      if (copied != nullptr && copied->getNumArgs() == 1) returned = copied->getArg(0);
      const auto *list = llvm::dyn_cast<clang::InitListExpr>(returned);
      const auto object = list == nullptr ? known(returned) : std::nullopt;
      if (object && !object->scratch.empty() && !changed.contains(&variable))
        bindings[&variable] = *object;
      else if (list == nullptr || !declareListed(variable, list, out))
        refuse("an array that a function returns is supported where it is made there: return {a, b}", rangeOf(s));
      return;
    }
    refuse("a function that is called here may end without a result", rangeOf(&call));
  });
  return true;
}

/// `std::array<T, N> a{...}`; null: its elements have no first values.
bool Reader::declareListed(const clang::VarDecl &variable, const clang::InitListExpr *list, Body &out) {
  const clang::QualType type = variable.getType();
  const SourceRange where = rangeOf(variable.getSourceRange());
  Array array;
  array.name = unique(variable.getNameAsString());
  clang::QualType element = type;
  for (; nameOfStandard(element) == "array"; element = firstArgument(element)) {
    const auto *record = llvm::cast<clang::ClassTemplateSpecializationDecl>(element->getAsCXXRecordDecl());
    array.extents.push_back(Expr::integer(record->getTemplateArgs()[1].getAsIntegral().getExtValue()));
  }
  const auto kind = elementType(element);
  if (!kind) refuse("elements of type '" + element.getAsString() + "' are not supported", where);
  array.type = *kind;
  array.where = where;
  const Array own = addArray(array);
  const auto *values =
      list != nullptr && list->getNumInits() > 0 ? llvm::dyn_cast<clang::InitListExpr>(list->getInit(0)) : nullptr;
  if (values != nullptr && (values->getNumInits() > 0 || own.extents.size() == 1))
    initialise(own, list->getInit(0), where, out);
  else if (list != nullptr)
    fill(own, where, out);
  bindings[&variable] = Object{"", "", type, {}, true, "", {}, {}, own.name, own.extents.front()};
  return true;
}

/// `memset(p, 0, count * sizeof(T))`: elements of numbers that are zero; false: another call.
bool Reader::clears(const clang::CallExpr &call, Body &out) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const bool isNamed = callee != nullptr && callee->getDeclName().isIdentifier() && callee->getName() == "memset";
  if (!isNamed || (callee->getBuiltinID() == 0 && !callee->isInStdNamespace()) || call.getNumArgs() != 3) return false;
  const SourceRange where = rangeOf(&call);
  const clang::Expr *start = call.getArg(0)->IgnoreParenImpCasts();
  const auto *object = context.getAsConstantArrayType(start->getType());
  const clang::QualType element = object != nullptr ? object->getElementType() : start->getType()->getPointeeType();
  const auto *size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(call.getArg(2)->IgnoreParenImpCasts());
  const bool isWhole = object != nullptr && size != nullptr && size->getKind() == clang::UETT_SizeOf &&
                       context.hasSameUnqualifiedType(size->getTypeOfArgument(), start->getType());
  const auto counts = element.isNull() ? std::vector<const clang::Expr *>() : countIn(call.getArg(2), element, context);
  if (patternOf(call.getArg(1)) != 0 || element.isNull() || !elementType(element) || (counts.empty() && !isWhole))
    refuse("memset is supported where it writes zeros to a number of elements: memset(p, 0, n * sizeof(*p))", where);
  Place first = object != nullptr ? lvalue(start) : pointer(start);
  if (object != nullptr) first.subscripts.push_back(Expr::integer(0));
  const Array array = written(first, where);
  Expr count = isWhole ? Expr::integer(object->getSize().getSExtValue()) : Expr();
  if (!isWhole) {
    for (const clang::Expr *factor : counts) count = count ? simplify(count * bound(factor)) : bound(factor);
    staysInRow(first, count, where);
  }
  const Expr zero = neutral(Monoid::Sum, array.type);
  const auto write = [&](const Expr &number, Body &body) {
    const Place to = further(first, number);
    wholeElement(to, &call);
    put(to, zero, where, body);
  };
  each(count, where, write, out);
  return true;
}

/// `auto p = std::make_unique<T[]>(n)`, a unique_ptr of `new T[n]`.
bool Reader::declareOwned(const clang::VarDecl &variable, Body &out) {
  const clang::QualType type = variable.getType();
  if (nameOfStandard(type) != "unique_ptr" || !variable.hasInit() || !firstArgument(type)->isIncompleteArrayType())
    return false;
  const SourceRange where = rangeOf(variable.getSourceRange());
  const clang::QualType element = context.getAsArrayType(firstArgument(type))->getElementType();
  const clang::Expr *init = variable.getInit()->IgnoreImplicit();
  const clang::CallExpr *made = callOf(init, "make_unique");
  const clang::CallExpr *bare = callOf(init, "make_unique_for_overwrite");
  const auto *constructed = llvm::dyn_cast<clang::CXXConstructExpr>(init);
  const clang::Expr *count = made != nullptr ? made->getArg(0) : bare != nullptr ? bare->getArg(0) : nullptr;
  bool zeroed = made != nullptr;
  if (count == nullptr && constructed != nullptr && constructed->getNumArgs() >= 1)
    if (const auto *taken = llvm::dyn_cast<clang::CXXNewExpr>(constructed->getArg(0)->IgnoreImplicit());
        taken != nullptr && taken->isArray() && taken->getNumPlacementArgs() == 0) {
      count = *taken->getArraySize();
      zeroed = taken->hasInitializer();
    }
  if (count == nullptr || variable.isStaticLocal())
    refuse("a local unique_ptr is supported where it is made with its size: std::make_unique<float[]>(n)", where);
  const Place place = declareScratch(variable, element, {count});
  if (zeroed) fill(arrayNamed(place.array), where, out);
  bindings[&variable] = Object{"", "", type, {}, true, "", {}, {}, place.array, {}};
  return true;
}

/// `T *p = new T[n]`, `(T *)malloc(n * sizeof(T))`, calloc.
bool Reader::allocates(const clang::VarDecl &variable, Body &out) {
  const clang::Expr *init = variable.getInit()->IgnoreParenCasts();
  const clang::QualType element = variable.getType()->getPointeeType();
  const SourceRange where = rangeOf(variable.getSourceRange());
  if (const auto *taken = llvm::dyn_cast<clang::CXXNewExpr>(init)) {
    if (!taken->isArray() || taken->getNumPlacementArgs() != 0)
      refuse("this use of new is supported for arrays alone: new float[n]", where);
    bindings[&variable] = declareScratch(variable, element, {*taken->getArraySize()});
    const Array array = arrayNamed(std::get<Place>(bindings.at(&variable)).array);
    const clang::Expr *given = taken->getInitializer();
    const auto *list = given != nullptr ? llvm::dyn_cast<clang::InitListExpr>(given) : nullptr;
    if (list != nullptr && list->getNumInits() != 0) refuse("this initialiser of an array is not supported", where);
    if (given != nullptr) fill(array, where, out);
    return true;
  }
  const clang::CallExpr *plain = callOf(init, "malloc"), *zeroed = callOf(init, "calloc");
  if (plain == nullptr && zeroed == nullptr) return false;
  std::vector<const clang::Expr *> count{plain != nullptr ? plain->getArg(0) : zeroed->getArg(0)};
  if (plain != nullptr) count = countIn(plain->getArg(0), element, context);
  if (zeroed != nullptr) {
    clang::Expr::EvalResult size;
    const bool fits = zeroed->getArg(1)->EvaluateAsInt(size, context) &&
                      size.Val.getInt() == context.getTypeSizeInChars(element).getQuantity();
    if (!fits) count.clear();
  }
  if (count.empty())
    refuse("the size of this memory is supported as a product with sizeof(" + element.getAsString() +
               "): malloc(sizeof(float) * (n * m))",
           where);
  bindings[&variable] = declareScratch(variable, element, count);
  if (zeroed != nullptr) fill(arrayNamed(std::get<Place>(bindings.at(&variable)).array), where, out);
  return true;
}

void Reader::releases(const clang::Expr &pointer, const SourceRange &where) {
  const Place place = this->pointer(pointer.IgnoreParenCasts());
  const bool isOwn = arrayNamed(place.array).storage == Array::Storage::Local;
  if (!isOwn) refuse("memory of another is given back: do so outside", where);
}

} // namespace polymend
