// One table per kind of word; both directions of each lookup search the same table, so writer and reader agree.
#include "tile/words.h"

#include <algorithm>
#include <array>

namespace polymend::tile {

namespace {

template <class Value> struct Word {
  Value value;
  std::string_view word;
};

constexpr std::array infixes{
    Infix{Op::Or, "||", Disjunction},    Infix{Op::And, "&&", Conjunction},   Infix{Op::Eq, "==", Comparison},
    Infix{Op::Ne, "!=", Comparison},     Infix{Op::Lt, "<", Comparison},      Infix{Op::Le, "<=", Comparison},
    Infix{Op::Add, "+", Addition},       Infix{Op::Sub, "-", Addition},       Infix{Op::Mul, "*", Multiplication},
    Infix{Op::Div, "/", Multiplication}, Infix{Op::Mod, "%", Multiplication},
};

constexpr std::array functions{
    Word<Op>{Op::FloorDiv, "floordiv"}, Word<Op>{Op::FloorMod, "floormod"}, Word<Op>{Op::Min, "min"},
    Word<Op>{Op::Max, "max"},           Word<Op>{Op::FMin, "fmin"},         Word<Op>{Op::FMax, "fmax"},
    Word<Op>{Op::BitAnd, "bitand"},     Word<Op>{Op::BitOr, "bitor"},       Word<Op>{Op::BitXor, "bitxor"},
    Word<Op>{Op::ShiftLeft, "shiftl"},  Word<Op>{Op::ShiftRight, "shiftr"}, Word<Op>{Op::Exp, "exp"},
    Word<Op>{Op::Exp2, "exp2"},         Word<Op>{Op::Log, "log"},           Word<Op>{Op::Log2, "log2"},
    Word<Op>{Op::Sqrt, "sqrt"},         Word<Op>{Op::Tanh, "tanh"},         Word<Op>{Op::Sin, "sin"},
    Word<Op>{Op::Cos, "cos"},           Word<Op>{Op::Abs, "abs"},           Word<Op>{Op::Floor, "floor"},
    Word<Op>{Op::Ceil, "ceil"},         Word<Op>{Op::Round, "round"},       Word<Op>{Op::Trunc, "trunc"},
    Word<Op>{Op::Pow, "pow"},           Word<Op>{Op::Select, "select"},
};

constexpr std::array types{
    Word<Type>{Type::Void, "void"},   Word<Type>{Type::Bool, "bool"},   Word<Type>{Type::Int32, "i32"},
    Word<Type>{Type::Int64, "i64"},   Word<Type>{Type::Float16, "f16"}, Word<Type>{Type::BFloat16, "bf16"},
    Word<Type>{Type::Float32, "f32"}, Word<Type>{Type::Float64, "f64"}, Word<Type>{Type::Char, "char"},
    Word<Type>{Type::Int8, "i8"},     Word<Type>{Type::UInt8, "u8"},    Word<Type>{Type::Int16, "i16"},
    Word<Type>{Type::UInt16, "u16"},  Word<Type>{Type::UInt32, "u32"},
};

constexpr std::array updates{
    Word<Update>{Update::Set, "="},      Word<Update>{Update::Sum, "+="},   Word<Update>{Update::Product, "*="},
    Word<Update>{Update::Max, "max="},   Word<Update>{Update::Min, "min="}, Word<Update>{Update::FMax, "fmax="},
    Word<Update>{Update::FMin, "fmin="},
};

constexpr std::array dimKinds{
    Word<PointDim::Kind>{PointDim::Kind::Parallel, "parallel"},
    Word<PointDim::Kind>{PointDim::Kind::Reduced, "reduced"},
    Word<PointDim::Kind>{PointDim::Kind::Serial, "serial"},
};

constexpr std::array spaces{
    Word<Space>{Space::Argument, "array"}, Word<Space>{Space::Work, "work"},
    Word<Space>{Space::Thread, "tile"},    Word<Space>{Space::Row, "row"},
    Word<Space>{Space::Shared, "shared"},  Word<Space>{Space::Fragment, "fragment"},
};

constexpr std::array asyncKinds{
    Word<TileAsync::Kind>{TileAsync::Kind::Copy, "copy"},
    Word<TileAsync::Kind>{TileAsync::Kind::Contract, "contract"},
};

constexpr std::array syncKinds{
    Word<TileSync::Kind>{TileSync::Kind::Get, "get"},
    Word<TileSync::Kind>{TileSync::Kind::Release, "release"},
    Word<TileSync::Kind>{TileSync::Kind::Await, "await"},
    Word<TileSync::Kind>{TileSync::Kind::Combine, "combine"},
};

constexpr std::array<std::string_view, 20> keywords{"program", "returns", "size", "scalar", "kernel", "grid",   "flat",
                                                    "written", "for",     "in",   "step",   "unroll", "points", "if",
                                                    "else",    "where",   "inf",  "nan",    "ring",   "role"};

template <class Value, std::size_t N> std::string_view find(const std::array<Word<Value>, N> &table, Value value) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const auto &w) { return w.value == value; });
  return at == table.end() ? std::string_view() : at->word;
}

template <class Value, std::size_t N>
std::optional<Value> find(const std::array<Word<Value>, N> &table, std::string_view word) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const auto &w) { return w.word == word; });
  return at == table.end() ? std::nullopt : std::optional<Value>(at->value);
}

} // namespace

const Infix *infixOf(Op op) {
  const auto *at = std::find_if(infixes.begin(), infixes.end(), [&](const Infix &i) { return i.op == op; });
  return at == infixes.end() ? nullptr : at;
}

const Infix *infixOf(std::string_view token) {
  const auto *at = std::find_if(infixes.begin(), infixes.end(), [&](const Infix &i) { return i.token == token; });
  return at == infixes.end() ? nullptr : at;
}

std::string_view functionOf(Op op) { return find(functions, op); }
std::optional<Op> operationOf(std::string_view function) { return find(functions, function); }
std::string_view wordOf(Type type) { return find(types, type); }
std::optional<Type> typeOf(std::string_view word) { return find(types, word); }
std::string_view wordOf(Update update) { return find(updates, update); }
std::optional<Update> updateOf(std::string_view word) { return find(updates, word); }
std::string_view wordOf(PointDim::Kind kind) { return find(dimKinds, kind); }
std::optional<PointDim::Kind> dimKindOf(std::string_view word) { return find(dimKinds, word); }
std::string_view wordOf(Space space) { return find(spaces, space); }
std::optional<Space> spaceOf(std::string_view word) { return find(spaces, word); }
std::string_view wordOf(TileAsync::Kind kind) { return find(asyncKinds, kind); }
std::optional<TileAsync::Kind> asyncKindOf(std::string_view word) { return find(asyncKinds, word); }
std::string_view wordOf(TileSync::Kind kind) { return find(syncKinds, kind); }
std::optional<TileSync::Kind> syncKindOf(std::string_view word) { return find(syncKinds, word); }

bool isReserved(std::string_view word) {
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end() || operationOf(word) || typeOf(word) ||
         dimKindOf(word) || spaceOf(word) || asyncKindOf(word) || syncKindOf(word);
}

} // namespace polymend::tile
