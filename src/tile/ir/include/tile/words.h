// The words of the text form, shared by its writer and its reader: names of types, operations and updates.
#pragma once

#include "polymend/tile.h"

#include <string_view>

namespace polymend::tile {

/// Binding strength of infix operators; a larger one binds tighter.
enum Strength { Weakest = 0, Disjunction, Conjunction, Comparison, Addition, Multiplication, Prefix };

struct Infix {
  Op op;
  std::string_view token;
  Strength strength;
};

/// The infix operator that spells `op`, or null.
const Infix *infixOf(Op op);
/// The infix operator spelled `token`, or null.
const Infix *infixOf(std::string_view token);

/// The function name that spells `op` ("floordiv", "exp"), or empty.
std::string_view functionOf(Op op);
std::optional<Op> operationOf(std::string_view function);

std::string_view wordOf(Type type); // "f32"
std::optional<Type> typeOf(std::string_view word);

std::string_view wordOf(Update update); // "+=", "max="
std::optional<Update> updateOf(std::string_view word);

std::string_view wordOf(PointDim::Kind kind); // "parallel"
std::optional<PointDim::Kind> dimKindOf(std::string_view word);

std::string_view wordOf(Space space); // "array", "work", "tile", "row", "shared", "fragment"
std::optional<Space> spaceOf(std::string_view word);

std::string_view wordOf(TileAsync::Kind kind); // "copy", "contract"
std::optional<TileAsync::Kind> asyncKindOf(std::string_view word);

std::string_view wordOf(TileSync::Kind kind); // "get", "release", "await", "combine"
std::optional<TileSync::Kind> syncKindOf(std::string_view word);

/// A word with a meaning of its own; a name spelled like one stands in backquotes.
bool isReserved(std::string_view word);

} // namespace polymend::tile
