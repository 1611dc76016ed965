// Lvalues and pointers -> Place. A pointer into an array is a list of subscripts whose last one it may still move:
// decay of a[h] is (h, 0), adding j to it gives (h, j), and *p reads what the list names. So a pointer local that is
// initialised once needs no storage: each use is the place it points to.
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <algorithm>

namespace polymend {

namespace {

bool isPointer(const clang::Expr *expression) { return expression->getType()->isPointerType(); }

bool allZero(const std::vector<Expr> &subscripts) {
  return std::all_of(subscripts.begin(), subscripts.end(),
                     [](const Expr &s) { return s.op() == Op::Integer && s->integer == 0; });
}

Place moved(Place place, const Expr &offset, Op op) {
  place.subscripts.back() = simplify(Expr::make(op, {place.subscripts.back(), offset}));
  return place;
}

} // namespace

bool isBeside(const Place &a, const Place &b) {
  return a.array == b.array && a.subscripts.size() == b.subscripts.size() &&
         std::equal(a.subscripts.begin(), a.subscripts.end() - 1, b.subscripts.begin(), equal);
}

const Array &Reader::arrayNamed(const std::string &name) const {
  return *std::find_if(function.arrays.begin(), function.arrays.end(), [&](const Array &a) { return a.name == name; });
}

const Array &Reader::wholeElement(const Place &place, const clang::Expr *expression) const {
  const Array &array = arrayNamed(place.array);
  if (place.subscripts.size() != array.extents.size())
    refuse("'" + array.name + "' is not used element by element", rangeOf(expression));
  return array;
}

Expr Reader::elementAt(const Place &place, const clang::Expr *expression) const {
  ExprNode read;
  read.op = Op::Read;
  read.type = wholeElement(place, expression).type;
  read.name = place.array;
  read.args = place.subscripts;
  read.where = rangeOf(expression);
  return Expr(std::move(read));
}

/// The value of an element, in the type that is computed in.
Expr Reader::readAt(const Place &place, const clang::Expr *expression) const {
  const Expr element = elementAt(place, expression);
  return isShort(element.type()) ? Expr::cast(carrierOf(element.type()), element) : element;
}

/// A distance in what a pointer points to, in elements of its array: rows of an array within a record are none of its
/// dimensions.
Expr Reader::inElements(const Place &place, clang::QualType pointee, const Expr &distance) const {
  const bool isInRecord = place.subscripts.size() == arrayNamed(place.array).extents.size();
  const auto *row = context.getAsConstantArrayType(pointee);
  if (!isInRecord || row == nullptr) return distance;
  return simplify(distance * Expr::integer(static_cast<std::int64_t>(context.getConstantArrayElementCount(row))));
}

Place Reader::lvalue(const clang::Expr *expression) {
  const clang::Expr *e = expression->IgnoreParens();
  if (e->getType().isVolatileQualified()) refuse("a volatile object is not supported", rangeOf(e));
  if (const auto *written = llvm::dyn_cast<clang::ExplicitCastExpr>(e))
    refuse("an object under another type (" + std::string(written->getCastKindName()) + ") is not supported",
           rangeOf(e));
  if (const auto *qualified = llvm::dyn_cast<clang::ImplicitCastExpr>(e);
      qualified != nullptr && qualified->getCastKind() == clang::CK_NoOp)
    return lvalue(qualified->getSubExpr());
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    if (const auto along = memberAlong(*element))
      if (const Place *place = std::get_if<Place>(&*along)) return *place;
    const Place base = pointer(element->getBase());
    return moved(base, inElements(base, e->getType(), subscript(element->getIdx())), Op::Add);
  }
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e);
      operation != nullptr && operation->getOpcode() == clang::UO_Deref)
    return pointer(operation->getSubExpr());
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) return placeOfCall(*call, false);
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const Binding found = memberOf(*access);
    if (const Place *place = std::get_if<Place>(&found)) return *place;
    refuse("'" + access->getMemberDecl()->getNameAsString() + "' is changed or used as an object", rangeOf(e));
  }
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (reference != nullptr)
    if (const auto *part = llvm::dyn_cast<clang::BindingDecl>(reference->getDecl())) return lvalue(part->getBinding());
  const auto *declared = reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (declared == nullptr) refuse("this is neither a variable nor an array element", rangeOf(e));
  if (!bindings.contains(declared)) {
    if (declared->hasLocalStorage() && !declared->hasInit() && elementType(declared->getType()) &&
        declared->getType()->isIntegerType())
      return countOfItsOwn(*declared);
    if (!declared->hasGlobalStorage() || declared->isStaticLocal())
      refuse("integer variable '" + declared->getNameAsString() + "' changes after its initialisation", rangeOf(e));
    declareGlobal(*declared, rangeOf(e));
  }
  const Place *place = std::get_if<Place>(&bindings.at(declared));
  if (place == nullptr) refuse("'" + declared->getNameAsString() + "' is changed or used as an object", rangeOf(e));
  if (isPointer(e) && !walking.contains(declared))
    refuse("pointer '" + declared->getNameAsString() + "' is changed", rangeOf(e));
  return *place;
}

/// An integer without a first value, where it is used as no loop's variable.
Place Reader::countOfItsOwn(const clang::VarDecl &variable) {
  Array array;
  array.name = unique(variable.getNameAsString());
  array.type = localType(variable.getType());
  array.where = rangeOf(variable.getSourceRange());
  bindings[&variable] = Place{array.name, {}};
  addArray(array);
  return Place{array.name, {}};
}

Place Reader::pointerVariable(const clang::DeclRefExpr &reference) {
  const std::string name = reference.getDecl()->getNameAsString();
  const bool isFollowed = followedIn(&reference) != nullptr;
  const bool isRotating = rotating.contains(llvm::dyn_cast<clang::VarDecl>(reference.getDecl()));
  if (const auto change = changed.find(reference.getDecl());
      change != changed.end() && !walking.contains(reference.getDecl()) && !isFollowed && !isRotating)
    refuse("pointer '" + name + "' is changed after its initialisation: leave it as it is and subscript it, p[i]",
           rangeOf(change->second));
  const auto found = bindings.find(reference.getDecl());
  const Place *place = found != bindings.end() ? std::get_if<Place>(&found->second) : nullptr;
  if (place == nullptr) refuse("it is not known what pointer '" + name + "' points to", rangeOf(&reference));
  return *place;
}

Place Reader::addressOf(const clang::UnaryOperator &operation) {
  Place place = lvalue(operation.getSubExpr());
  if (place.subscripts.empty()) refuse("the address of '" + place.array + "' is taken", rangeOf(&operation));
  if (place.subscripts.size() > 1 && allZero(place.subscripts))
    refuse("'" + place.array + "' has several dimensions and is used as a flat array", rangeOf(&operation));
  return place;
}

void Reader::keepsQualifiers(const clang::CastExpr &cast) const {
  const clang::QualType from = elementOf(cast.getSubExpr()->getType()->getPointeeType());
  const clang::QualType to = elementOf(cast.getType()->getPointeeType());
  if (to.isVolatileQualified()) refuse("a pointer to volatile is not supported", rangeOf(&cast));
  if (from.isConstQualified() && !to.isConstQualified()) refuse("a cast takes const away", rangeOf(&cast));
}

Place Reader::pointer(const clang::Expr *expression) {
  const clang::Expr *e = expression->IgnoreParens();
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e); reference != nullptr && isPointer(e))
    return pointerVariable(*reference);
  if (const auto *conversion = llvm::dyn_cast<clang::CastExpr>(e)) {
    switch (conversion->getCastKind()) {
    case clang::CK_NoOp: keepsQualifiers(*conversion); return pointer(conversion->getSubExpr());
    case clang::CK_LValueToRValue: return pointer(conversion->getSubExpr());
    case clang::CK_ArrayToPointerDecay: {
      Place place = lvalue(conversion->getSubExpr());
      const bool isInRecord = place.subscripts.size() == arrayNamed(place.array).extents.size(); // its first element
      if (!isInRecord) place.subscripts.push_back(Expr::integer(0));
      return place;
    }
    default:
      refuse("this conversion of a pointer is not supported (" + std::string(conversion->getCastKindName()) + ")",
             rangeOf(e));
    }
  }
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e);
      operation != nullptr && operation->isAdditiveOp()) {
    const bool left = isPointer(operation->getLHS());
    const clang::Expr *offset = left ? operation->getRHS() : operation->getLHS();
    const Place base = pointer(left ? operation->getLHS() : operation->getRHS());
    return moved(base, inElements(base, e->getType()->getPointeeType(), subscript(offset)),
                 operation->getOpcode() == clang::BO_Add ? Op::Add : Op::Sub);
  }
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (operation->getOpcode() == clang::UO_AddrOf) return addressOf(*operation);
    if (operation->isIncrementDecrementOp() && followedIn(operation->getSubExpr()) != nullptr)
      return std::get<Place>(steps(*operation));
  }
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return pointer(full->getSubExpr());
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) {
    if (const auto place = found(*call)) return *place;
    return placeOfCall(*call, true);
  }
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const Binding found = memberOf(*access);
    if (const Place *place = std::get_if<Place>(&found)) return *place;
  }
  refuse("this pointer is not the start of an array or a place in one", rangeOf(e));
}

} // namespace polymend
