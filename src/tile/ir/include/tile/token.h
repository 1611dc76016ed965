// The tokens of the text form.
#pragma once

#include "polymend/support.h"

#include <string>
#include <vector>

namespace polymend::tile {

struct Token {
  enum class Kind { Word, Quoted, Integer, Real, Mark, Note, End };
  Kind kind = Kind::End;
  std::string text;   // names and notes unescaped; numbers without their suffix
  std::string suffix; // the type word that ends a Real
  SourceRange where;
};

/// Splits `text` into tokens, End last; refuses what no token begins with.
Result<std::vector<Token>> tokenize(const std::string &text);

} // namespace polymend::tile
