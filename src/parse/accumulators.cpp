// What a function gathers in a variable of its own that has no sign or is true or false: held as an integer that C++
// computes in, so that it is a sum, a maximum or a minimum of integers of Z. A sum modulo 2^32 is brought into its type
// where it is read: it is congruent to that of the numbers themselves, of which 2^32 fit 64 bits. With 1 for true and 0
// for false, "or" is a maximum and "and" a minimum.
#include "reader.h"

#include "polymend/in_body.h"

#include <algorithm>

namespace polymend {

namespace {

bool isRead(const Expr &e, const std::string &name) { return e.op() == Op::Read && e->name == name; }

/// A conversion that keeps what a number is modulo 2^32.
bool keepsResidue(const Expr &e) {
  const bool isWide = e.type() == Type::Int32 || e.type() == Type::Int64 || e.type() == Type::UInt32;
  return e.op() == Op::Cast && isWide && !isFloating(e.arg(0).type());
}

/// One way to hold a variable: what is stored there, and what a read of it becomes. A value is absent that the way does
/// not cover.
class Held {
public:
  Held(std::string variable, Type type) : name(std::move(variable)), held(Expr::read(name, {}, type)) {}
  virtual ~Held() = default;
  Held(const Held &) = delete;
  Held &operator=(const Held &) = delete;

  [[nodiscard]] virtual Expr stored(const Expr &value) = 0;
  [[nodiscard]] virtual Expr read(const Expr &node) const = 0;
  [[nodiscard]] Type type() const { return held.type(); }
  [[nodiscard]] Expr everywhere(const Expr &e) const {
    return rewrite(e, [&](const Expr &node) { return read(node); });
  }
  /// Is the variable updated, rather than set alone?
  bool updates = false;

protected:
  /// A choice between two values that are covered.
  Expr choice(const Expr &e) {
    const Expr yes = stored(e.arg(1)), no = stored(e.arg(2));
    return yes && no ? Expr::make(Op::Select, type(), {everywhere(e.arg(0)), yes, no}, e->where) : Expr();
  }

  const std::string name;
  const Expr held;
};

/// A number without a sign that is chosen among others: it is what it is in 64 bits.
class Chosen : public Held {
public:
  explicit Chosen(const std::string &variable) : Held(variable, Type::Int64) {}

  Expr stored(const Expr &value) override {
    if (isRead(value, name)) return held;
    updates = updates || reads(value, name);
    if (value.op() == Op::Integer) return Expr::integer(value->integer);
    if (value.op() == Op::Select) return choice(value);
    if (!reads(value, name)) return Expr::cast(Type::Int64, value);
    const bool isExtreme = value.op() == Op::Cast && value.type() == Type::UInt32 &&
                           (value.arg(0).op() == Op::Max || value.arg(0).op() == Op::Min);
    return isExtreme ? everywhere(value.arg(0)) : Expr();
  }

  [[nodiscard]] Expr read(const Expr &node) const override {
    if (isRead(node, name)) return Expr::cast(Type::UInt32, held);
    const bool isWhole = node.op() == Op::Cast && node.type() == Type::Int64 && node.arg(0).op() == Op::Cast &&
                         node.arg(0).type() == Type::UInt32 && equal(node.arg(0).arg(0), held);
    return isWhole ? held : node;
  }
};

/// A sum modulo 2^32.
class Modulo : public Held {
public:
  explicit Modulo(const std::string &variable) : Held(variable, Type::Int64) {}

  Expr stored(const Expr &value) override {
    if (isRead(value, name)) return held;
    if (value.op() == Op::Integer) return Expr::integer(value->integer);
    if (value.op() == Op::Select) return choice(value);
    if (!reads(value, name)) return Expr::cast(Type::Int64, value);
    updates = true;
    return value.op() == Op::Cast ? sum(value) : Expr();
  }

  [[nodiscard]] Expr read(const Expr &node) const override {
    return isRead(node, name) ? Expr::cast(Type::UInt32, held) : node;
  }

private:
  /// A sum that the variable is one term of, as it is held.
  Expr sum(const Expr &e) {
    if (isRead(e, name)) return held;
    if (!reads(e, name)) return term(e);
    if (keepsResidue(e)) return sum(e.arg(0));
    if (e.op() != Op::Add && e.op() != Op::Sub) return {};
    if (reads(e.arg(0), name) == reads(e.arg(1), name) || (e.op() == Op::Sub && reads(e.arg(1), name))) return {};
    const Expr left = sum(e.arg(0)), right = sum(e.arg(1));
    return left && right ? Expr::make(e.op(), Type::Int64, {left, right}, e->where) : Expr();
  }

  /// A number of 32 bits that is congruent to e.
  static Expr term(const Expr &e) {
    const bool isSmall = e.type() == Type::Int32 ||
                         (e.op() == Op::Integer && e->integer == wrapTo(Type::Int32, e->integer)) ||
                         (e.op() == Op::Cast && (e.arg(0).type() == Type::UInt32 || e.arg(0).type() == Type::Int32));
    return isSmall ? e : Expr::cast(Type::Int64, Expr::cast(Type::Int32, e));
  }
};

/// True or false.
class Truth : public Held {
public:
  explicit Truth(const std::string &variable) : Held(variable, Type::Int32) {}

  Expr stored(const Expr &value) override {
    if (isRead(value, name)) return held;
    if (!reads(value, name)) return number(value, true);
    if (value.op() == Op::Or || value.op() == Op::And) {
      const bool first = isRead(value.arg(0), name);
      const Expr &other = value.arg(first ? 1 : 0);
      if (!isRead(value.arg(first ? 0 : 1), name) || reads(other, name)) return {};
      return joined(value.op() == Op::Or, number(other, true));
    }
    if (value.op() != Op::Select || reads(value.arg(0), name)) return {};
    const bool keepsYes = isRead(value.arg(1), name), keepsNo = isRead(value.arg(2), name);
    const Expr &other = value.arg(keepsYes ? 2 : 1);
    if (keepsYes == keepsNo || other.op() != Op::Integer) return choice(value);
    const bool becomes = other->integer != 0;
    return joined(becomes, number(value.arg(0), becomes == keepsNo));
  }

  [[nodiscard]] Expr read(const Expr &node) const override {
    return isRead(node, name) ? Expr::make(Op::Ne, {held, Expr::integer(0, Type::Int32)}) : node;
  }

private:
  Expr joined(bool isOr, const Expr &other) {
    updates = true;
    return Expr::make(isOr ? Op::Max : Op::Min, Type::Int32, {held, other});
  }

  /// 1 where the condition is what is asked, else 0.
  static Expr number(const Expr &condition, bool asked) {
    const Expr one = Expr::integer(asked ? 1 : 0, Type::Int32), none = Expr::integer(asked ? 0 : 1, Type::Int32);
    return simplify(Expr::make(Op::Select, Type::Int32, {condition, one, none}));
  }
};

/// The body with the variable held that way; absent: something that is stored there is not covered, or it is no update.
std::optional<Body> holding(const Body &body, const std::string &variable, Held &way) {
  bool covered = true;
  const auto everywhere = [&](const Expr &e) { return way.everywhere(e); };
  const auto assigned = [&](Assign copy) {
    for (Expr &s : copy.subscripts) s = everywhere(s);
    const Expr value = copy.target == variable ? way.stored(copy.value) : everywhere(copy.value);
    covered = covered && value;
    if (value) copy.value = value;
    return copy;
  };
  Body result = changed(body, assigned, everywhere);
  return covered && way.updates ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace

void Reader::holdAccumulators() {
  for (Array &array : function.arrays) {
    const bool isOwn = array.storage == Array::Storage::Local && array.extents.empty();
    if (!isOwn || frozen.contains(array.name)) continue;
    const auto hold = [&](Held &&way) {
      const auto body = holding(function.body, array.name, way);
      if (body) function.body = *body, array.type = way.type();
      return body.has_value();
    };
    if (array.type == Type::UInt32 && !hold(Chosen(array.name))) hold(Modulo(array.name));
    if (array.type == Type::Bool) hold(Truth(array.name));
  }
}

} // namespace polymend
