// pragma := 'index' fact+
// fact   := ('monotone' | 'injective') '(' ARRAY ')' | ('lower' | 'diagonal') '(' ARRAY ',' ARRAY ')'
//         | 'extent' '(' ARRAY ',' sum ')'
// sum    := product (('+' | '-') product)*, product := factor ('*' factor)*, factor := INTEGER | PARAMETER
// `diagonal(d)` alone is about the first array of the pragma's `lower`.
#include "index_facts.h"

#include "select.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>

namespace polymend {

namespace {

using Kind = IndexFact::Kind;

/// A fact as it is written.
struct WrittenFact {
  Kind kind = Kind::Monotone;
  PragmaToken word, array;
  std::vector<PragmaToken> rest; // behind the comma
};

struct FactWord {
  const char *text;
  Kind kind;
  bool takesTwo, needsTwo;
};

constexpr FactWord factWords[] = {{"monotone", Kind::Monotone, false, false},
                                  {"injective", Kind::Injective, false, false},
                                  {"lower", Kind::Lower, true, true},
                                  {"diagonal", Kind::Diagonal, true, false},
                                  {"extent", Kind::Extent, true, true}};

std::string knownWords() {
  std::string text;
  for (const FactWord &word : factWords) text += (text.empty() ? "" : ", ") + std::string(word.text);
  return text;
}

bool isName(const std::string &text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_');
}

/// Reads one pragma; the first thing that is wrong ends it.
class FactReader {
public:
  explicit FactReader(const IndexPragma &pragma) : tokens(pragma.tokens) {}
  std::vector<WrittenFact> facts;
  std::vector<Diagnostic> errors;

  void read() {
    if (tokens.empty() || tokens.front().text != "index")
      return complain(0, "'#pragma polymend' is followed by 'index'");
    if (tokens.size() == 1) return complain(0, "a fact is missing: known are " + knownWords());
    for (at = 1; at < tokens.size() && errors.empty();) fact();
  }

private:
  void complain(std::size_t place, const std::string &what) {
    SourceRange where = tokens.empty() ? SourceRange() : tokens[std::min(place, tokens.size() - 1)].where;
    errors.push_back({Severity::Error, where, what, {}});
  }

  bool take(const std::string &mark) {
    if (at < tokens.size() && tokens[at].text == mark) return ++at, true;
    complain(at, "'" + mark + "' is missing here");
    return false;
  }

  void fact() {
    const auto *word = std::find_if(std::begin(factWords), std::end(factWords),
                                    [&](const FactWord &one) { return tokens[at].text == one.text; });
    if (word == std::end(factWords))
      return complain(at, "'" + tokens[at].text + "' is no fact about index arrays: known are " + knownWords());
    WrittenFact written{word->kind, tokens[at++], {}, {}};
    if (!take("(")) return;
    if (at >= tokens.size() || !isName(tokens[at].text)) return complain(at, "the name of an array is missing here");
    written.array = tokens[at++];
    const bool hasMore = at < tokens.size() && tokens[at].text == ",";
    if (hasMore && word->takesTwo) ++at;
    while (hasMore && word->takesTwo && at < tokens.size() && tokens[at].text != ")")
      written.rest.push_back(tokens[at++]);
    if (word->needsTwo && written.rest.empty())
      return complain(at, "'" + std::string(word->text) + "' is about two: the second is missing");
    if (take(")")) facts.push_back(written);
  }

  const std::vector<PragmaToken> &tokens;
  std::size_t at = 0;
};

/// A sum over the function's integer parameters; absent: something else.
class LengthReader {
public:
  LengthReader(const std::vector<PragmaToken> &all, const Function &f) : tokens(all), function(f) {}

  Expr sum() {
    Expr result = product();
    while (result && at < tokens.size()) {
      const std::string sign = tokens[at++].text;
      const Expr next = sign == "+" || sign == "-" ? product() : Expr();
      result = !next ? Expr() : sign == "+" ? result + next : result - next;
    }
    return result;
  }

private:
  Expr product() {
    Expr result = factor();
    while (result && at < tokens.size() && tokens[at].text == "*") {
      ++at;
      const Expr next = factor();
      result = next ? result * next : next;
    }
    return result;
  }

  Expr factor() {
    if (at >= tokens.size()) return {};
    const std::string text = tokens[at++].text;
    if (!text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos)
      return Expr::integer(std::stoll(text));
    const bool isKnown = std::any_of(function.parameters.begin(), function.parameters.end(), [&](const Parameter &p) {
      return p.name == text && !p.isArray && isInteger(p.type);
    });
    return isKnown ? Expr::symbol(text, Type::Int64) : Expr();
  }

  const std::vector<PragmaToken> &tokens;
  const Function &function;
  std::size_t at = 0;
};

/// The function's array that the source calls so; null: it has none.
Array *arrayCalled(const std::string &name, Function &function) {
  std::string own = name;
  for (const Parameter &p : function.parameters)
    if (p.isArray && p.taken == name + ".data()") own = p.name;
  const auto found = std::find_if(function.arrays.begin(), function.arrays.end(),
                                  [&](const Array &array) { return array.name == own; });
  return found == function.arrays.end() ? nullptr : &*found;
}

/// Adds one fact to the function.
class Declaring {
public:
  Declaring(const std::vector<WrittenFact> &all, bool wholly, Function &f) : facts(all), isWhole(wholly), function(f) {}
  std::vector<Diagnostic> errors;

  void declare(const WrittenFact &written) {
    Array *array = named(written.array, written.kind != Kind::Extent);
    if (array == nullptr) return;
    IndexFact fact{written.kind, array->name, "", {}, written.word.where};
    if (written.kind == Kind::Extent) return extent(written, fact, *array);
    if (written.kind == Kind::Lower || written.kind == Kind::Diagonal) {
      const std::optional<PragmaToken> second = secondOf(written);
      if (!second) return complain(written.word, "'diagonal' wants the array whose element it leads to, or a 'lower'");
      const Array *other = named(*second, true);
      if (other == nullptr) return;
      fact.other = other->name;
    }
    function.facts.push_back(fact);
  }

private:
  void complain(const PragmaToken &token, const std::string &what) {
    errors.push_back({Severity::Error, token.where, what, {}});
  }

  [[nodiscard]] std::optional<PragmaToken> secondOf(const WrittenFact &written) const {
    if (!written.rest.empty()) return written.rest.front();
    const auto lower =
        std::find_if(facts.begin(), facts.end(), [](const WrittenFact &other) { return other.kind == Kind::Lower; });
    return lower == facts.end() ? std::nullopt : std::optional(lower->array);
  }

  Array *named(const PragmaToken &token, bool isIndex) {
    Array *array = arrayCalled(token.text, function);
    if (array == nullptr && isWhole)
      complain(token, "'" + token.text + "' is no array that '" + function.name + "' uses");
    if (array == nullptr || !isIndex) return array;
    if (isInteger(array->type) || isShort(array->type)) return array;
    complain(token, "'" + token.text + "' is no array of integers");
    return nullptr;
  }

  void extent(const WrittenFact &written, IndexFact &fact, Array &array) {
    fact.length = LengthReader(written.rest, function).sum();
    if (!fact.length && isWhole)
      return complain(written.rest.front(), "the number of elements is a sum of products of integers and of integer "
                                            "parameters");
    if (!fact.length) return;
    array.length = fact.length;
    for (const std::string &size : symbols(fact.length))
      if (std::find(function.sizes.begin(), function.sizes.end(), size) == function.sizes.end())
        function.sizes.push_back(size);
    function.facts.push_back(fact);
  }

  const std::vector<WrittenFact> &facts;
  bool isWhole;
  Function &function;
};

SourceRange rangeOfToken(const clang::SourceManager &manager, const clang::Token &token, const std::string &file) {
  SourceRange where;
  where.file = file;
  const clang::SourceLocation place = manager.getExpansionLoc(token.getLocation());
  where.line = where.endLine = manager.getSpellingLineNumber(place);
  where.column = manager.getSpellingColumnNumber(place);
  where.endColumn = where.column + token.getLength();
  where.begin = manager.getFileOffset(place);
  where.end = where.begin + token.getLength();
  return where;
}

} // namespace

void IndexPragmas::HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer, clang::Token &) {
  const clang::SourceManager &manager = preprocessor.getSourceManager();
  IndexPragma pragma{manager.getFileOffset(introducer.Loc), {}};
  clang::Token token;
  for (preprocessor.Lex(token); token.isNot(clang::tok::eod); preprocessor.Lex(token))
    pragma.tokens.push_back({preprocessor.getSpelling(token), rangeOfToken(manager, token, file)});
  if (manager.isInMainFile(introducer.Loc)) pragmas.push_back(pragma);
}

std::vector<IndexPragma> pragmasOf(const clang::ASTContext &context, const clang::FunctionDecl &definition,
                                   const std::vector<IndexPragma> &all) {
  const clang::SourceManager &manager = context.getSourceManager();
  const auto begin = [&](const clang::FunctionDecl &f) {
    return manager.getFileOffset(manager.getExpansionLoc(f.getBeginLoc()));
  };
  const auto end = [&](const clang::FunctionDecl &f) {
    return manager.getFileOffset(manager.getExpansionLoc(f.getEndLoc()));
  };
  std::vector<IndexPragma> own;
  for (const IndexPragma &pragma : all) {
    if (pragma.offset > end(definition)) continue;
    bool isOfOther = false; // one ends or begins between the pragma and the definition
    for (const clang::FunctionDecl *other : definitions(context))
      if (begin(*other) != begin(definition) && manager.isInMainFile(other->getLocation()))
        isOfOther = isOfOther || (pragma.offset < end(*other) && begin(*other) < begin(definition));
    if (!isOfOther) own.push_back(pragma);
  }
  return own;
}

std::vector<Diagnostic> misspelled(const std::vector<IndexPragma> &pragmas) {
  std::vector<Diagnostic> errors;
  for (const IndexPragma &pragma : pragmas) {
    FactReader reader(pragma);
    reader.read();
    errors.insert(errors.end(), reader.errors.begin(), reader.errors.end());
  }
  return errors;
}

std::vector<Diagnostic> declareFacts(const std::vector<IndexPragma> &pragmas, bool isWhole, Function &function) {
  std::vector<Diagnostic> errors;
  for (const IndexPragma &pragma : pragmas) {
    FactReader reader(pragma);
    reader.read();
    Declaring declaring(reader.facts, isWhole, function);
    for (const WrittenFact &written : reader.facts) declaring.declare(written);
    errors.insert(errors.end(), declaring.errors.begin(), declaring.errors.end());
  }
  return errors;
}

} // namespace polymend
