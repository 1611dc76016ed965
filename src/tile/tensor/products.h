// Sums of products of matrices: whether matrix units take them, and along which loops their factors move.
#pragma once

#include "tile/matrix.h"

#include <map>

namespace polymend {

/// Which factors of a sum's product move along its dimensions. Equations outlive it: each is asked about once.
class MovingFactors {
public:
  const std::set<std::size_t> &along(const Equation &e, int dim) const;

private:
  mutable std::map<std::pair<const Equation *, int>, std::set<std::size_t>> known;
};

/// Why a sum of products of matrices with 16-bit elements is none that matrix units take; absent: it is one, or has no
/// such elements.
std::optional<std::string> whyNotNarrow(const Equation &e, const LowerOptions &options, const MovingFactors &moving);

/// Bytes of the elements that matrix units multiply where the equation is a sum of products that they can take, else 0.
std::int64_t productBytes(const Equation &e, const LowerOptions &options, const MovingFactors &moving);
/// The narrowest elements of the phase's products, 0: there is none. Units multiply elements of one size in a kernel.
std::int64_t productBytes(const System &system, const Phase &phase, const LowerOptions &options,
                          const MovingFactors &moving);

/// What a plan's products take. Its equations outlive it: each is asked about once.
class Products {
public:
  Products(const LowerOptions &o, MatrixUnits u, const MovingFactors &m)
      : options(o), units(std::move(u)), factors(m) {}
  [[nodiscard]] bool take(const Equation &e) const;
  /// Does what is read move along the dimension, and does its last subscript?
  struct Moves {
    bool at = false, column = false;
  };
  [[nodiscard]] Moves moves(const Equation &e, const Operand &operand, unsigned dim) const;

  const LowerOptions &options;
  const MatrixUnits units;
  const MovingFactors &factors;

private:
  mutable std::map<const Equation *, bool> taken;
  mutable std::map<std::pair<const Operand *, unsigned>, Moves> moving;
};

/// An element of so many bytes, read as it is.
bool isBare(const Expr &factor, std::int64_t bytes);
/// What threads compute of a member between products: all of its value, or the factors that are not copied as they are.
std::vector<Expr> computedParts(const Equation &e, const Products &products);

/// Of the rows in tiles along which the same factors of every product move, one stays in tiles: the last whose extent
/// is no constant, else the longest. One factor of a product is a matrix of it and the sum's dimension.
std::vector<std::size_t> oneOfEachSide(const System &system, const Phase &phase, const KernelPlan &plan,
                                       const std::vector<std::size_t> &wide, const Products &products);
/// Must a product's factors change sides? Only the left one, along the first of the rows in tiles, may be computed.
bool computesRight(const System &system, const Phase &phase, const std::vector<std::size_t> &wide,
                   const Products &products);

} // namespace polymend
