// Initialisers of local arrays -> statements: the array is filled with zeros by a loop nest, then each element that the
// list names with another value is assigned, in the list's order.
#include "ranges.h"
#include "reader.h"
#include "types.h"

namespace polymend {

void Reader::initialise(const Array &array, const clang::Expr *init, const SourceRange &where, Body &out) {
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(init);
  if (list == nullptr) refuse("this initialiser of an array is not supported", where);
  if (!isFloating(array.type)) writtenIntegers.insert({array.name, where});
  fill(array, where, out);
  initialiseList(array, {}, *list, out);
}

void Reader::initialiseList(const Array &array, std::vector<Expr> subscripts, const clang::InitListExpr &list,
                            Body &out) {
  if (list.getNumInits() > 64) refuse("the initialiser of '" + array.name + "' is too long", rangeOf(&list));
  subscripts.emplace_back();
  for (unsigned i = 0; i < list.getNumInits(); ++i) {
    const clang::Expr *element = list.getInit(i);
    subscripts.back() = Expr::integer(i);
    if (llvm::isa<clang::ImplicitValueInitExpr>(element)) continue;
    const auto *inner = llvm::dyn_cast<clang::InitListExpr>(element);
    if (inner != nullptr && isFixedArray(inner->getType())) // the array that a std::array holds
      inner = inner->getNumInits() == 1 ? llvm::dyn_cast<clang::InitListExpr>(inner->getInit(0)) : nullptr;
    if (inner != nullptr && inner->getType()->isArrayType()) {
      initialiseList(array, subscripts, *inner, out);
      continue;
    }
    if (const auto rest = lengthsOf(element->getType(), context); !rest.empty()) {
      const auto from = arrayAt(*element);
      if (!from) refuse("this initialiser of an array is not supported", rangeOf(element));
      copyArray(rowOf({array.name, subscripts}), *from, element->getType(), rangeOf(element), out);
      continue;
    }
    const Expr initial = simplify(storedIn(array, value(element), rangeOf(element)));
    if (equal(initial, Expr::real(0, array.type)) || (initial.op() == Op::Integer && initial->integer == 0)) continue;
    out.emplace_back(std::make_shared<const Assign>(Assign{array.name, subscripts, initial, rangeOf(element)}));
  }
}

void Reader::fill(const Array &array, const SourceRange &where, Body &out) {
  const bool real = isFloating(array.type);
  fillWith(array, real ? Expr::real(0, array.type) : Expr::integer(0, array.type), where, out);
}

void Reader::fillWith(const Array &array, const Expr &value, const SourceRange &where, Body &out) {
  std::vector<Expr> subscripts;
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < array.extents.size(); ++i) {
    variables.push_back(unique("z" + std::to_string(i)));
    subscripts.push_back(Expr::symbol(variables.back(), Type::Int64));
  }
  Body body;
  body.emplace_back(std::make_shared<const Assign>(Assign{array.name, subscripts, value, where}));
  for (std::size_t i = array.extents.size(); i-- > 0;) {
    Loop loop{variables[i], variables[i], Expr::integer(0), array.extents[i], 1, std::move(body), where};
    body = {std::make_shared<const Loop>(std::move(loop))};
  }
  out.insert(out.end(), body.begin(), body.end());
}

} // namespace polymend
