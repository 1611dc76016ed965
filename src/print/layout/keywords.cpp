#include "polymend/keywords.h"

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/LangOptions.h>

namespace polymend {

namespace {

clang::LangOptions language() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = options.CPlusPlus20 = true;
  options.CXXOperatorNames = options.Char8 = options.GNUKeywords = options.Bool = options.WChar = options.Coroutines =
      true;
  return options;
}

} // namespace

bool isKeyword(const std::string &word) {
  static clang::IdentifierTable table(language());
  return table.get(word).getTokenID() != clang::tok::identifier || table.get(word).isCPlusPlusOperatorKeyword();
}

} // namespace polymend
