// Terms to expressions. Exactness: every rational constant is written as a sum of doubles over a sum of doubles, so
// that reading the expression back gives the same term. Safety: exp keeps its whole exponent, 1/sqrt(x) is not
// sqrt(1/x), a sum starts with its positive terms, quotients of equal power stay quotients.
#include "problem.h"

#include <algorithm>

namespace polymend::algebra {
namespace {

class Exporter {
public:
  Exporter(Terms &arena, Type floating) : terms(arena), real(floating) {}
  Expr value(Term term, Type type);

private:
  Terms &terms;
  Type real;
  std::map<std::pair<Term, Type>, Expr> done;

  Expr build(Term term, Type type);
  Expr integerSum(const Integer &n, Type type);
  Expr number(const Rational &q, Type type);
  Expr sum(Term term, Type type);
  Expr product(Term term, Type type);
  Expr power(Term base, const Rational &p, Type type);
  Expr application(Term term, Type type);
  Expr exponential(Term argument, Type type);
  [[nodiscard]] Type typeWithin(const std::vector<Term> &args) const;
  [[nodiscard]] bool integerTerm(Term term) const;
  static Expr make(Op op, Type type, std::vector<Expr> args) { return Expr::make(op, type, std::move(args)); }
};

bool Exporter::integerTerm(Term term) const {
  switch (term->kind) {
  case Kind::Number: return integral(term->value) && abs(term->value) < Rational(INT64_MAX);
  case Kind::Symbol: return !isFloating(terms.facts(term->symbol).type);
  case Kind::Sum:
  case Kind::Product:
    return std::all_of(term->args.begin(), term->args.end(), [this](Term t) { return integerTerm(t); });
  case Kind::Power: return integral(term->value) && term->value > 0 && integerTerm(term->args[0]);
  case Kind::Apply: {
    if (term->type != Type::Void) return !isFloating(term->type) && term->type != Type::Bool;
    const bool keepsWhole = term->op == Op::Min || term->op == Op::Max || term->op == Op::Abs || term->op == Op::Select;
    const auto first = term->args.begin() + (term->op == Op::Select ? 1 : 0);
    return keepsWhole && std::all_of(first, term->args.end(), [this](Term t) { return integerTerm(t); });
  }
  default: return false;
  }
}

Type Exporter::typeWithin(const std::vector<Term> &args) const {
  return std::all_of(args.begin(), args.end(), [this](Term t) { return integerTerm(t); }) ? Type::Int64 : real;
}

/// n as a sum of doubles, each taking the leading 53 bits that are left.
Expr Exporter::integerSum(const Integer &n, Type type) {
  Expr result;
  for (Integer left = n; left != 0;) {
    const auto leading = left.convert_to<double>();
    const Expr part = Expr::real(leading, type);
    result = result ? make(Op::Add, type, {result, part}) : part;
    left -= Integer(leading);
  }
  return result ? result : Expr::real(0, type);
}

/// Is n a power of two, so that a division by it is exact?
bool powerOfTwo(Integer n) {
  while (n % 2 == 0) n /= 2;
  return n == 1;
}

Expr Exporter::number(const Rational &q, Type type) {
  if (!isFloating(type)) return Expr::integer(numerator(q).convert_to<std::int64_t>(), type);
  const auto nearest = q.convert_to<double>();
  if (Rational(nearest) == q) return Expr::real(nearest, type);
  if (!powerOfTwo(denominator(q)))
    return make(Op::Div, type, {integerSum(numerator(q), type), integerSum(denominator(q), type)});
  Expr result;
  Rational left = q;
  while (left != 0) {
    const auto leading = left.convert_to<double>();
    if (leading == 0) throw Overgrown("a constant is too small");
    const Expr part = Expr::real(leading, type);
    result = result ? make(Op::Add, type, {result, part}) : part;
    left -= Rational(leading);
  }
  return result;
}

Expr Exporter::value(Term term, Type type) {
  auto [at, isNew] = done.try_emplace({term, type});
  if (isNew) {
    const Expr built = build(term, type);
    done[{term, type}] = built;
    return built;
  }
  return at->second;
}

/// Does a conversion to the floating type `to` keep every value that arithmetic needs? The source's casts are
/// identities over the reals; writing them again keeps its precision.
bool widens(Type from, Type to) {
  auto rank = [](Type t) { return !isFloating(t) ? 0 : t == Type::Float64 ? 3 : t == Type::Float32 ? 2 : 1; };
  return rank(from) < rank(to);
}

Expr Exporter::build(Term term, Type type) {
  switch (term->kind) {
  case Kind::Number: return number(term->value, type);
  case Kind::Infinity: return Expr::real(term->value > 0 ? HUGE_VAL : -HUGE_VAL, type);
  case Kind::Symbol: {
    const SymbolFacts &facts = terms.facts(term->symbol);
    const Expr symbol = Expr::symbol(facts.name, facts.type);
    return isFloating(type) && widens(facts.type, type) ? Expr::cast(type, symbol) : symbol;
  }
  case Kind::Sum: return sum(term, type);
  case Kind::Product: return product(term, type);
  case Kind::Power: return power(term->args[0], term->value, type);
  case Kind::Apply: return application(term, type);
  }
  return {};
}

/// Does the term carry a minus sign that a sum can absorb?
bool negated(Term term) {
  if (term->kind == Kind::Number) return term->value < 0;
  return term->kind == Kind::Product && term->args[0]->kind == Kind::Number && term->args[0]->value < 0;
}

/// The sum of the parts, those without a minus sign first.
Expr signedSum(const std::vector<Expr> &parts, Type type) {
  auto minus = [](const Expr &e) { return e.op() == Op::Neg || (e.op() == Op::Real && e->real < 0); };
  Expr result;
  for (const bool negative : {false, true})
    for (const Expr &part : parts) {
      if (minus(part) != negative) continue;
      if (!result)
        result = part;
      else if (part.op() == Op::Neg)
        result = Expr::make(Op::Sub, type, {result, part.arg(0)});
      else if (negative)
        result = Expr::make(Op::Sub, type, {result, Expr::real(-part->real, type)});
      else
        result = Expr::make(Op::Add, type, {result, part});
    }
  return result;
}

Expr Exporter::sum(Term term, Type type) {
  std::vector<Expr> parts;
  parts.reserve(term->args.size());
  for (Term t : term->args) parts.push_back(value(t, type));
  return signedSum(parts, type);
}

/// The place of a factor that is a difference, which can absorb a minus sign; the number of factors if there is none.
std::size_t differenceAmong(const std::vector<Term> &factors) {
  auto isDifference = [](Term t) {
    return t->kind == Kind::Sum && std::any_of(t->args.begin(), t->args.end(), negated);
  };
  return static_cast<std::size_t>(std::find_if(factors.begin(), factors.end(), isDifference) - factors.begin());
}

Expr Exporter::product(Term term, Type type) {
  Expr over, under;
  Rational coefficient = 1;
  std::vector<Term> factors = term->args;
  if (const std::size_t flip = differenceAmong(factors); flip < factors.size() && negated(term)) {
    factors[flip] = terms.negate(factors[flip]);
    factors[0] = terms.number(-factors[0]->value);
  }
  auto times = [&](Expr &into, const Expr &factor) { into = into ? make(Op::Mul, type, {into, factor}) : factor; };
  for (Term t : factors) {
    if (t->kind == Kind::Number)
      coefficient = t->value;
    else if (t->kind == Kind::Power && t->value < 0)
      times(under, power(t->args[0], -t->value, type));
    else
      times(over, value(t, type));
  }
  const Rational magnitude = abs(coefficient);
  const Integer top = numerator(magnitude), bottom = denominator(magnitude);
  if (!powerOfTwo(bottom)) {
    times(under, number(Rational(bottom), type));
    if (top != 1) times(over, number(Rational(top), type));
  } else if (magnitude != 1) {
    times(over, number(magnitude, type));
  }
  if (!over) over = number(1, type);
  Expr result = under ? make(Op::Div, type, {over, under}) : over;
  return coefficient < 0 ? make(Op::Neg, type, {result}) : result;
}

Expr Exporter::power(Term base, const Rational &p, Type type) {
  if (p < 0) return make(Op::Div, type, {number(1, type), power(base, -p, type)});
  Expr b = value(base, type);
  if (p == 1) return b;
  if (p == Rational(1, 2)) return make(Op::Sqrt, type, {b});
  if (!integral(p) || p > 4) return make(Op::Pow, type, {b, number(p, type)});
  Expr result = b;
  for (Integer i = 1; i < numerator(p); ++i) result = make(Op::Mul, type, {result, b});
  return result;
}

/// exp(x), or exp2(x / log 2) where every term carries the factor log 2.
Expr Exporter::exponential(Term argument, Type type) {
  auto isLogTwo = [](Term t) { return t->kind == Kind::Apply && t->op == Op::Log && isNumber(t->args[0], 2); };
  const bool many = argument->kind == Kind::Sum;
  const std::vector<Term> parts = many ? argument->args : std::vector<Term>{argument};
  std::vector<Expr> scaled;
  for (Term t : parts) {
    if (t->kind != Kind::Product || std::none_of(t->args.begin(), t->args.end(), isLogTwo))
      return make(Op::Exp, type, {value(argument, type)});
    TermNode rest = *t;
    rest.args.erase(std::find_if(rest.args.begin(), rest.args.end(), isLogTwo));
    scaled.push_back(rest.args.size() == 1 ? value(rest.args[0], type) : product(&rest, type));
  }
  return make(Op::Exp2, type, {signedSum(scaled, type)});
}

Expr Exporter::application(Term term, Type type) {
  std::vector<Expr> args;
  auto all = [&](Type of) {
    for (Term a : term->args) args.push_back(value(a, of));
  };
  switch (term->op) {
  case Op::Exp: return exponential(term->args[0], type);
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne: all(typeWithin(term->args)); return make(term->op, Type::Bool, args);
  case Op::And:
  case Op::Or:
  case Op::Not: all(Type::Bool); return make(term->op, Type::Bool, args);
  case Op::Select:
    args = {value(term->args[0], Type::Bool), value(term->args[1], type), value(term->args[2], type)};
    return make(Op::Select, type, args);
  case Op::Call: all(term->type); return Expr::call(term->name, args, term->type);
  case Op::Cast: all(typeWithin(term->args)); return Expr::cast(term->type, args[0]);
  default: break;
  }
  const bool typed = term->type != Type::Void;
  all(typed && isInteger(term->type) ? typeWithin(term->args) : type);
  const Expr result = make(term->op, typed ? term->type : type, args);
  return isFloating(type) && !isFloating(result.type()) ? Expr::cast(type, result) : result;
}

} // namespace

Expr exported(Terms &terms, Term term, Type type) { return Exporter(terms, type).value(term, type); }

} // namespace polymend::algebra
