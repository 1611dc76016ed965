// Separation of variables: form = sum of left(r) * right(u, c), and Q-linear algebra on the right parts.
#pragma once

#include "forms.h"

namespace polymend::algebra {

struct Separation {
  std::optional<Form> blocking;  // the term that mixes both sides; set: not separable
  std::map<Monomial, Form> rows; // left monomial -> right form
};

/// Writes the form as sum left * right; symbols of neither side go left.
Separation separate(Forms &forms, const Form &form, Roles left, Roles right);

/// A basis of a Q-vector space of forms, grown by insertion.
class Span {
public:
  explicit Span(Forms &forms) : forms(forms) {}
  /// Adds v unless it lies in the span already.
  void insert(Form v);
  /// Coordinates of v, which lies in the span.
  [[nodiscard]] std::vector<Rational> coordinates(const Form &v) const;
  [[nodiscard]] const std::vector<Form> &basis() const { return vectors; }

private:
  struct Row {
    Form reduced;
    std::vector<Rational> coordinates;
  };
  std::vector<Rational> reduce(Form &v) const;
  Forms &forms;
  std::vector<Form> vectors;
  std::vector<Row> echelon;
};

} // namespace polymend::algebra
