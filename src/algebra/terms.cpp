// The arena of terms; see terms.h. Equal terms are the same pointer, because every constructor goes through `intern`.
#include "terms.h"

#include <algorithm>

namespace polymend::algebra {

bool isNumber(Term term, const Rational &q) { return term->kind == Kind::Number && term->value == q; }

bool contains(Term whole, Term part) {
  return whole == part ||
         std::any_of(whole->args.begin(), whole->args.end(), [part](Term a) { return contains(a, part); });
}

Term Terms::intern(TermNode node) {
  std::vector<int> ids;
  for (Term a : node.args) {
    ids.push_back(a->id);
    node.roles |= a->roles;
    node.size += a->size;
  }
  Key key{static_cast<int>(node.kind),
          static_cast<int>(node.op),
          static_cast<int>(node.type),
          node.name,
          std::move(ids),
          node.value};
  auto [at, isNew] = known.try_emplace(std::move(key), nullptr);
  if (isNew) {
    if (nodes.size() > 200000) throw Overgrown("too many terms");
    node.id = static_cast<int>(nodes.size());
    nodes.push_back(std::make_unique<TermNode>(std::move(node)));
    at->second = nodes.back().get();
  }
  return at->second;
}

Term Terms::number(const Rational &value) {
  TermNode node;
  node.value = value;
  return intern(std::move(node));
}

Term Terms::infinity(int sign) {
  TermNode node;
  node.kind = Kind::Infinity;
  node.value = sign;
  return intern(std::move(node));
}

Term Terms::declare(const SymbolFacts &facts) {
  if (Term old = find(facts.name)) return old;
  TermNode node;
  node.kind = Kind::Symbol;
  node.name = facts.name;
  node.symbol = static_cast<int>(table.size());
  node.roles = facts.role;
  table.push_back(facts);
  Term term = intern(std::move(node));
  named[facts.name] = term;
  return term;
}

Term Terms::fresh(Roles role, SignSet signs) {
  return declare({"$" + std::to_string(freshCount++), role, signs, Type::Float64});
}

Term Terms::find(const std::string &name) const {
  auto at = named.find(name);
  return at == named.end() ? nullptr : at->second;
}

Term Terms::sum(const std::vector<Term> &terms) {
  TermNode node;
  node.kind = Kind::Sum;
  Rational constant = 0;
  auto take = [&](Term t) {
    if (t->kind == Kind::Number)
      constant += t->value;
    else
      node.args.push_back(t);
  };
  for (Term t : terms)
    if (t->kind == Kind::Sum)
      std::for_each(t->args.begin(), t->args.end(), take);
    else
      take(t);
  if (constant != 0 || node.args.empty()) node.args.push_back(number(constant));
  return node.args.size() == 1 ? node.args.front() : intern(std::move(node));
}

/// Factors with a common base become one power, so that t*t stays the square of t however t is written.
static std::vector<std::pair<Term, Rational>> groupedByBase(const std::vector<Term> &factors) {
  std::vector<std::pair<Term, Rational>> groups;
  for (Term f : factors) {
    Term base = f->kind == Kind::Power ? f->args[0] : f;
    Rational exponent = f->kind == Kind::Power ? f->value : Rational(1);
    auto same = std::find_if(groups.begin(), groups.end(), [&](const auto &g) {
      return g.first == base && base->kind != Kind::Number && integral(exponent) && integral(g.second) &&
             (exponent > 0) == (g.second > 0);
    });
    if (same == groups.end())
      groups.emplace_back(base, exponent);
    else
      same->second += exponent;
  }
  return groups;
}

Term Terms::product(const std::vector<Term> &factors) {
  std::vector<Term> flat;
  Rational coefficient = 1;
  auto take = [&](Term t) {
    if (t->kind == Kind::Number)
      coefficient *= t->value;
    else
      flat.push_back(t);
  };
  for (const auto &[base, exponent] : groupedByBase(factors)) {
    Term t = power(base, exponent);
    if (t->kind == Kind::Product)
      std::for_each(t->args.begin(), t->args.end(), take);
    else
      take(t);
  }
  if (coefficient == 0) return number(0);
  if (coefficient == -1 && flat.size() == 1 && flat[0]->kind == Kind::Sum) {
    std::vector<Term> negated;
    for (Term t : flat[0]->args) negated.push_back(negate(t));
    return sum(negated);
  }
  if (coefficient != 1 || flat.empty()) flat.insert(flat.begin(), number(coefficient));
  if (flat.size() == 1) return flat.front();
  TermNode node;
  node.kind = Kind::Product;
  node.args = std::move(flat);
  return intern(std::move(node));
}

Term Terms::power(Term base, const Rational &exponent) {
  if (exponent == 1) return base;
  if (exponent == 0) return number(1);
  if (base->kind == Kind::Power && integral(exponent)) return power(base->args[0], base->value * exponent);
  if (base->kind == Kind::Number && integral(exponent) && abs(exponent) <= 64 && (base->value != 0 || exponent > 0))
    return number(powerOf(base->value, numerator(exponent)));
  TermNode node;
  node.kind = Kind::Power;
  node.value = exponent;
  node.args = {base};
  return intern(std::move(node));
}

Term Terms::divide(Term a, Term b) {
  if (b->kind == Kind::Number && b->value != 0) return product({number(1 / b->value), a});
  return product({a, power(b, -1)});
}

Term Terms::apply(Op op, const std::vector<Term> &args, const std::string &name, Type type) {
  TermNode node;
  node.kind = Kind::Apply;
  node.op = op;
  node.name = name;
  node.type = type;
  node.args = args;
  return intern(std::move(node));
}

Term Terms::replace(Term term, const Map &map) {
  if (auto at = map.find(term); at != map.end()) return at->second;
  if (term->args.empty() || map.empty()) return term;
  std::vector<Term> args;
  args.reserve(term->args.size());
  for (Term a : term->args) args.push_back(replace(a, map));
  if (args == term->args) return term;
  switch (term->kind) {
  case Kind::Sum: return sum(args);
  case Kind::Product: return product(args);
  case Kind::Power: return power(args[0], term->value);
  default: return apply(term->op, args, term->name, term->type);
  }
}

} // namespace polymend::algebra
