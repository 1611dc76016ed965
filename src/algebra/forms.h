// Forms: the normal form of a term, sum of coefficient * prod atom^rational * exp(form).
// Atoms are symbols, number bases of roots, opaque applications, indicators and irreducible sums. Equal forms are equal
// over the reals; the converse holds on the families of interest after `isZero` has cleared denominators.
// exp's merge, exp(q log S) becomes S^q, sin and cos split by angle addition, logs split where a factor is positive.
#pragma once

#include "terms.h"

#include <deque>
#include <optional>

namespace polymend::algebra {

struct Monomial {
  std::map<int, Rational> powers; // atom -> exponent, never 0
  int exponent = 0;               // interned form under exp; 0 is the zero form
  bool operator==(const Monomial &) const = default;
  bool operator<(const Monomial &other) const;
};

struct Form {
  std::map<Monomial, Rational> terms; // coefficients, never 0
  [[nodiscard]] bool zero() const { return terms.empty(); }
  bool operator==(const Form &) const = default;
  bool operator<(const Form &other) const { return terms < other.terms; }
};

struct Atom {
  Kind kind = Kind::Symbol; // Number: base of a root; Sum: irreducible; Apply: opaque, an indicator or an infinity
  Op op = Op::Call;
  Type type = Type::Void;
  std::string name; // Call; decimal digits of a Number; "+" or "-" of an Infinity
  int symbol = -1;
  std::vector<int> args; // interned forms
  Roles roles = 0;
  bool operator<(const Atom &other) const;
};

/// An order between an element expression and the producer that reduces it: sign(element - producer) within `signs`.
struct OrderFact {
  int producer = 0; // its atom
  Form element;
  SignSet signs = AnySign;
};

/// The arena of atoms and forms over one arena of terms.
class Forms {
public:
  explicit Forms(Terms &terms) : terms(terms), interned(1) { known[Form{}] = 0; }

  Form of(Term term);
  Form number(const Rational &q) const;
  Form atom(int id, const Rational &power = 1) const;
  int symbolAtom(Term symbol);
  [[nodiscard]] const Atom &at(int id) const { return atoms[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const Form &form(int id) const { return interned[static_cast<std::size_t>(id)]; }
  int intern(const Form &form);

  Form add(Form a, const Form &b, const Rational &factor = 1) const;
  Form scale(Form a, const Rational &factor) const;
  Form multiply(const Form &a, const Form &b);
  Form power(const Form &a, const Rational &p);
  Form exponential(const Form &a);
  Form logarithm(const Form &a);
  Form absolute(const Form &a);
  /// { sin(a), cos(a) }.
  std::pair<Form, Form> sineCosine(const Form &a);
  Form opaque(Op op, const std::vector<Form> &args, const std::string &name = "", Type type = Type::Void);
  Form ofMonomial(const Monomial &m, const Rational &q = 1) { return normalised(m, q); }
  Monomial multiply(const Monomial &a, const Monomial &b);
  Monomial power(const Monomial &m, const Rational &p);

  [[nodiscard]] Roles roles(const Monomial &m) const;
  [[nodiscard]] Roles roles(const Form &a) const;
  SignSet signs(const Form &a);
  SignSet signs(const Monomial &m, const Rational &q);
  SignSet atomSigns(int id);
  /// Signs by syntax, met with those of the normal form.
  SignSet signs(Term term);

  /// Is the form zero once denominators are cleared?
  bool isZero(Form a);
  Form substitute(const Form &a, const std::map<int, Form> &map);
  [[nodiscard]] bool isIndicator(int atom) const;
  [[nodiscard]] bool isInfinity(const Form &a) const;

  Term toTerm(const Form &a);
  Term toTerm(const Monomial &m, const Rational &q = 1);
  Term atomTerm(int id);

  void assume(const OrderFact &fact) { orders.push_back(fact); }
  [[nodiscard]] std::size_t assumed() const { return orders.size(); }
  /// Drops all order facts but the first `kept`.
  void forget(std::size_t kept) { orders.resize(kept); }

private:
  int atomId(Atom atom);
  Form normalised(const Monomial &m, const Rational &q);
  Form rewrittenPower(const Monomial &m, const Rational &q, int id, bool &changed);
  Form powerOfMonomial(const Monomial &m, const Rational &q, const Rational &p);
  Form rootsOf(const Rational &q, const Rational &p);
  Form logOfFactors(const Monomial &m, const Rational &q);
  Form exponentialOfMask(const Form &a, const Monomial &m, const Rational &q, int select);
  std::optional<int> maskToSplit(const Monomial &m, const Rational &q);
  Monomial commonFactor(const Form &a, SignSet allowed);
  [[nodiscard]] Rational content(const Form &a) const;
  Form applied(Term term);
  Form select(Term term);
  Form extreme(Term term);
  Form productOf(Term term);
  void takeFactors(Term term, const Rational &p, std::map<int, Rational> &bases);
  Form cancelled(const Form &a);
  std::optional<Form> quotient(Form numerator, const Form &divisor);
  Form substituteAtom(int id, const std::map<int, Form> &map);
  int compare(const Monomial &a, const Monomial &b);
  SignSet plainSigns(const Form &a);
  SignSet besideExtreme(const Form &a);
  Term condition(const Form &a);

  Terms &terms;
  std::deque<Atom> atoms;
  std::map<Atom, int> atomIds;
  std::deque<Form> interned;
  std::map<Form, int> known;
  std::map<int, Form> memo;
  std::vector<OrderFact> orders;
  int signDepth = 0;
  std::size_t multiplied = 0;          // pairs of terms, in all products of sums
  int signNesting = 0, signEffort = 0; // of the question about signs that is being answered, and facts used for it
};

/// Adds q m to a.
void accumulate(Form &a, const Monomial &m, const Rational &q);
/// The positive integers whose product is n > 0, small primes split off: a base for roots and logarithms.
std::vector<Integer> factors(Integer n);

} // namespace polymend::algebra
