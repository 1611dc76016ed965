// The rolling update as a program: the consumer's state is carried over tiles, mended when a pivot moves, finalised
// with the final producers; against it the reductions as written, one after the other.
#pragma once

#include "notation.h"

#include <random>
#include <vector>

namespace notation {

using Rows = std::vector<Values<double>>;

/// Element values for n iterations; `offset` is added to every signed element.
inline Rows data(const Family &family, int n, unsigned seed, double offset = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::set<std::string> names;
  for (const Reduction &r : family.reductions)
    for (const std::string &name : polymend::symbols(r.element)) names.insert(name);
  Rows rows(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k)
    for (const std::string &name : names) {
      double value = normal(random) * 2 + offset;
      if (isPositive(name)) value = std::abs(value) + 0.1;
      if (name == "j") value = k;
      if (name == "i") value = n / 2;
      if (name == "N") value = n;
      rows[static_cast<std::size_t>(k)][name] = static_cast<float>(value);
    }
  return rows;
}

template <class T> Values<T> at(const Rows &rows, std::size_t k, const Values<T> &reduced) {
  Values<T> values = reduced;
  for (const auto &[name, value] : rows[k])
    if (!reduced.contains(name)) values[name] = static_cast<T>(value);
  return values;
}

/// The producers over the first `count` iterations, one reduction after the other.
template <class T> Values<T> producers(const Family &family, const Rows &rows, std::size_t count) {
  Values<T> reduced;
  for (std::size_t r = 0; r + 1 < family.reductions.size(); ++r) {
    const Reduction &reduction = family.reductions[r];
    T x = identity<T>(reduction.monoid);
    for (std::size_t k = 0; k < count; ++k)
      x = combine(reduction.monoid, x, evaluate<T>(reduction.element, at(rows, k, reduced)));
    reduced[reduction.name] = x;
  }
  return reduced;
}

/// The consumer as written, and the sum of the sizes of its terms.
template <class T> std::pair<T, T> direct(const Family &family, const Rows &rows) {
  const Reduction &last = family.reductions.back();
  const Values<T> reduced = producers<T>(family, rows, rows.size());
  T x = identity<T>(last.monoid), scale = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const T term = evaluate<T>(last.element, at(rows, k, reduced));
    x = combine(last.monoid, x, term);
    scale += std::abs(term);
  }
  return {x, last.monoid == Monoid::Sum ? scale : std::abs(x)};
}

struct Rolling {
  std::size_t tile = 1;
  bool surrogate = false; // sums as pivots are scaled up to the whole range, so that S/N is the running mean
};

template <class T>
std::vector<T> mended(const polymend::Correction &c, const std::vector<T> &state, Values<T> values,
                      const Values<T> &moved) {
  for (const auto &[name, value] : moved) values[name + "'"] = value;
  if (c.carry == Monoid::Product) return {state[0] * evaluate<T>(c.mend[0][0], values)};
  std::vector<T> result(state.size(), T(0));
  for (std::size_t i = 0; i < state.size(); ++i)
    for (std::size_t j = 0; j < state.size(); ++j)
      if (!(c.mend[i][j].op() == Op::Real && c.mend[i][j]->real == 0))
        result[i] += evaluate<T>(c.mend[i][j], values) * state[j];
  return result;
}

/// The rolling update with the given correction.
template <class T>
T rolling(const Family &family, const polymend::Correction &c, const Rows &rows, const Rolling &how) {
  const Values<T> fixed = at<T>(rows, 0, {});
  std::vector<T> state(c.state.size(), identity<T>(c.carry));
  Values<T> pivot;
  auto withParameters = [&](Values<T> values) {
    for (const auto &[name, value] : fixed)
      if (isParameter(name)) values[name] = value;
    return values;
  };
  auto move = [&](const Values<T> &to, std::size_t count) {
    Values<T> values = withParameters(pivot);
    values["#n"] = static_cast<T>(count);
    if (c.moves && !pivot.empty()) state = mended(c, state, values, to);
    pivot = to;
  };
  for (std::size_t begin = 0; begin < rows.size(); begin += how.tile) {
    const std::size_t end = std::min(begin + how.tile, rows.size());
    Values<T> now = producers<T>(family, rows, end);
    if (how.surrogate)
      for (std::size_t r = 0; r + 1 < family.reductions.size(); ++r)
        if (family.reductions[r].monoid == Monoid::Sum)
          now[family.reductions[r].name] *= static_cast<T>(rows.size()) / static_cast<T>(end);
    move(now, begin);
    for (std::size_t k = begin; k < end; ++k)
      for (std::size_t i = 0; i < state.size(); ++i)
        state[i] = combine(c.carry, state[i], evaluate<T>(c.state[i], at(rows, k, pivot)));
  }
  const Values<T> last = producers<T>(family, rows, rows.size());
  move(last, rows.size());
  Values<T> values = withParameters(last);
  for (std::size_t i = 0; i < state.size(); ++i) values["#" + std::to_string(i)] = state[i];
  values["#n"] = static_cast<T>(rows.size());
  return evaluate<T>(c.final, values);
}

} // namespace notation
