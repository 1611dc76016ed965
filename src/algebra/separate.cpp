// Separation and spans; see separate.h. An atom, or a term under exp, that holds symbols of both sides cannot be split:
// it is the reason when no correction of finite rank exists.
#include "separate.h"

namespace polymend::algebra {

Separation separate(Forms &forms, const Form &form, Roles left, Roles right) {
  Separation result;
  for (const auto &[m, q] : form.terms) {
    Monomial l, r;
    Form leftExponent, rightExponent;
    for (const auto &[id, p] : m.powers) {
      const Roles roles = forms.at(id).roles;
      if ((roles & left) && (roles & right)) {
        result.blocking = forms.atom(id, p);
        return result;
      }
      ((roles & right) ? r : l).powers[id] = p;
    }
    for (const auto &[t, k] : forms.form(m.exponent).terms) {
      const Roles roles = forms.roles(t);
      if ((roles & left) && (roles & right)) {
        Form only;
        only.terms[t] = k;
        Monomial exponential;
        exponential.exponent = forms.intern(only);
        result.blocking = Form{};
        result.blocking->terms[exponential] = 1;
        return result;
      }
      ((roles & right) ? rightExponent : leftExponent).terms[t] = k;
    }
    l.exponent = forms.intern(leftExponent);
    r.exponent = forms.intern(rightExponent);
    accumulate(result.rows[l], r, q);
  }
  std::erase_if(result.rows, [](const auto &row) { return row.second.zero(); });
  return result;
}

/// Subtracts from v what lies in the span and returns the coordinates of that part.
std::vector<Rational> Span::reduce(Form &v) const {
  std::vector<Rational> result(vectors.size());
  for (const Row &row : echelon) {
    const auto pivot = row.reduced.terms.begin();
    const auto found = v.terms.find(pivot->first);
    if (found == v.terms.end()) continue;
    const Rational factor = found->second / pivot->second;
    v = forms.add(v, row.reduced, -factor);
    for (std::size_t i = 0; i < row.coordinates.size(); ++i) result[i] += factor * row.coordinates[i];
  }
  return result;
}

void Span::insert(Form v) {
  if (v.zero()) return;
  v = forms.scale(v, 1 / v.terms.begin()->second);
  Form rest = v;
  std::vector<Rational> coordinates = reduce(rest);
  if (rest.zero()) return;
  vectors.push_back(v);
  for (Row &row : echelon) row.coordinates.emplace_back(0);
  for (Rational &c : coordinates) c = -c;
  coordinates.emplace_back(1);
  echelon.push_back({rest, coordinates});
}

std::vector<Rational> Span::coordinates(const Form &v) const {
  Form rest = v;
  return reduce(rest);
}

} // namespace polymend::algebra
