// Terms: hash-consed expressions over rationals, owned by one arena. They keep the syntax of the source up to
// flattening of sums and products, because syntax knows more than the expanded form (a square is not negative).
// term = number | +-infinity | symbol | sum(term...) | product(term...) | power(term, rational) | apply(op, term...)
#pragma once

#include "polymend/expr.h"
#include "signs.h"

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace polymend::algebra {

/// What kinds of symbols occur in something, as a set of bits.
using Roles = unsigned;
inline constexpr Roles ParameterRole = 1, ProducerRole = 2, ElementRole = 4, PivotRole = 8, ShiftRole = 16,
                       StateRole = 32;

enum class Kind { Number, Infinity, Symbol, Sum, Product, Power, Apply };

struct TermNode;
using Term = const TermNode *;

struct TermNode {
  Kind kind = Kind::Number;
  Op op = Op::Call;       // Apply
  Type type = Type::Void; // Apply of an integer operation or a cast: its type
  Rational value;         // Number; the exponent of a Power; the sign of an Infinity
  std::string name;       // Symbol; Apply of Op::Call
  std::vector<Term> args;
  int id = 0;
  int symbol = -1; // Symbol: index into Terms::symbols
  Roles roles = 0;
  double size = 1; // nodes of the tree, shared ones counted as often as they occur
};

/// Orders terms by when they were made, not by where they lie: what is done term by term is the same in every run.
struct Earlier {
  bool operator()(Term a, Term b) const { return a->id < b->id; }
};
using TermSet = std::set<Term, Earlier>;
template <class Value> using TermMap = std::map<Term, Value, Earlier>;

/// Thrown inside the room when a form outgrows what is worth computing; the public functions turn it into a reason.
struct Overgrown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SymbolFacts {
  std::string name;
  Roles role = ElementRole;
  SignSet signs = AnySign;
  Type type = Type::Float32;
};

/// The arena of terms and the table of their symbols.
class Terms {
public:
  Term number(const Rational &value);
  Term infinity(int sign);
  /// Declares a symbol, or returns the one of that name.
  Term declare(const SymbolFacts &facts);
  /// A new symbol that no source can name.
  Term fresh(Roles role, SignSet signs);
  /// The symbol of that name, or null.
  [[nodiscard]] Term find(const std::string &name) const;
  [[nodiscard]] const SymbolFacts &facts(int symbol) const { return table[static_cast<std::size_t>(symbol)]; }

  Term sum(const std::vector<Term> &terms);
  Term product(const std::vector<Term> &factors);
  Term power(Term base, const Rational &exponent);
  Term apply(Op op, const std::vector<Term> &args, const std::string &name = "", Type type = Type::Void);
  Term negate(Term a) { return product({number(-1), a}); }
  Term subtract(Term a, Term b) { return sum({a, negate(b)}); }
  Term divide(Term a, Term b);

  using Map = TermMap<Term>;
  /// Replaces subterms, outermost first.
  Term replace(Term term, const Map &map);

private:
  Term intern(TermNode node);
  using Key = std::tuple<int, int, int, std::string, std::vector<int>, Rational>;
  std::vector<std::unique_ptr<TermNode>> nodes;
  std::map<Key, Term> known;
  std::vector<SymbolFacts> table;
  std::map<std::string, Term> named;
  int freshCount = 0;
};

/// Is this the number q?
bool isNumber(Term term, const Rational &q);
/// Does `part` occur in `whole`?
bool contains(Term whole, Term part);

} // namespace polymend::algebra
