#include "device/entry.h"
#include "device/extents.h"

#include "polymend/element_types.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

bool reads(const TouchedElements &touched) {
  return std::any_of(touched.parts.begin(), touched.parts.end(), [](const TouchedPart &part) {
    return polymend::reads(part.element) || std::any_of(part.dims.begin(), part.dims.end(), [](const PointDim &d) {
             return polymend::reads(d.first) || polymend::reads(d.limit);
           });
  });
}

} // namespace

const Array *Entry::declarationOf(const TileArray &array) const {
  const auto at = std::find_if(function.arrays.begin(), function.arrays.end(),
                               [&](const Array &a) { return a.name == array.name; });
  return at == function.arrays.end() ? nullptr : &*at;
}

const TouchedElements *Entry::touchedOf(const TileArray &array) const {
  return device_room::touchedOf(program.touched, array.name);
}

/// Whether they can be computed where the data that choose them are. Where nothing is copied it is enough to know
/// between which elements all that is touched lies.
bool Entry::hasBounds(const TileArray &array) const {
  const TouchedElements *touched = touchedOf(array);
  const bool isHost = side == Side::Host;
  return touched ? touched->unknown.empty() || (isHost && !touched->parts.empty())
                 : static_cast<bool>(elementsOf(array));
}

bool Entry::isBounded(const TileArray &array) const {
  const TouchedElements *touched = touchedOf(array);
  return hasBounds(array) && (side != Side::Device || !touched || !reads(*touched));
}

bool Entry::isStored(const TileArray &array) const {
  for (const TouchedElements &touched : program.touched)
    if (touched.array == array.name) return touched.stored;
  return array.written;
}

bool Entry::isUntouched(const TileArray &array) const {
  const TouchedElements *touched = touchedOf(array);
  return touched && touched->parts.empty() && touched->unknown.empty();
}

Expr Entry::whereFilled(const TileArray &array) const {
  for (const TouchedElements &t : program.touched)
    if (t.array == array.name && t.plain) return t.filled;
  return {};
}

/// The source says so of a parameter; a result's place is none of its, and what is made of a restricted pointer may
/// point to the same (C11 6.7.3.1).
bool Entry::isRestricted(const TileArray &a, const TileArray &b) const {
  if (isResult(a) || isResult(b)) return false;
  const Array *first = declarationOf(a), *second = declarationOf(b);
  const auto keepsOut = [](const Array *one, const Array *other) {
    return one != nullptr && one->restricted && (other == nullptr || !other->derived);
  };
  return keepsOut(first, second) || keepsOut(second, first);
}

bool Entry::haveForeignTypes(const TileArray &a, const TileArray &b) const {
  const Array *first = declarationOf(a), *second = declarationOf(b);
  return first && second && !mayBeOne(a.type, b.type) && !first->aliasesAny && !second->aliasesAny;
}

/// Two arrays of the file are never one, nor are members of different types of the same records.
bool Entry::areObjects(const TileArray &a, const TileArray &b) const {
  const Array *first = declarationOf(a), *second = declarationOf(b);
  const bool areMembers = first && second && !first->records.empty() && first->records == second->records;
  return areMembers ||
         (first && second && first->storage == Array::Storage::Static && second->storage == Array::Storage::Static);
}

/// Copies of two outputs that go back must not lie in each other, even where no element is of both.
Apart Entry::apart(const TileArray &a, const TileArray &b) const {
  const bool bothGoBack = side == Side::Copied && isStored(a) && isStored(b);
  if (!(a.written || b.written || isResult(a) || isResult(b))) return Apart::Surely;
  if ((!bothGoBack && isRestricted(a, b)) || areObjects(a, b)) return Apart::Surely;
  const TouchedElements *first = touchedOf(a), *second = touchedOf(b);
  if (isUntouched(a) || isUntouched(b)) return Apart::Surely;
  if (!first && !second && isBounded(a) && isBounded(b)) return Apart::Extents;
  if (!isStored(a) && !isStored(b)) return Apart::Surely;
  const bool data = (first && reads(*first)) || (second && reads(*second));
  const bool bounded = isBounded(a) && isBounded(b);
  const bool isRough = side == Side::Device && ((first && first->around) || (second && second->around));
  if (bounded && !data) return isRough ? Apart::Data : Apart::Elements;
  if (!bothGoBack && haveForeignTypes(a, b)) return Apart::Surely;
  if (bounded) return Apart::Elements;
  if (side != Side::Device) return Apart::Never;
  return hasBounds(a) && hasBounds(b) ? Apart::Data : Apart::Together;
}

std::string Entry::whyUnbounded(const TileArray &array) const {
  const TouchedElements *touched = touchedOf(array);
  if (touched && !touched->unknown.empty()) return touched->unknown;
  return "the number of its elements is unknown";
}

std::optional<Refusal> Entry::refuse() const {
  std::vector<const TileArray *> arguments;
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && (side == Side::Device || !isResult(a))) arguments.push_back(&a);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      const TileArray &a = *arguments[i], &b = *arguments[j];
      if (apart(a, b) != Apart::Never) continue;
      const TileArray &open = hasBounds(a) ? b : a, &other = hasBounds(a) ? a : b;
      const Array *declaration = declarationOf(open);
      return Refusal{"it cannot be told at entry whether '" + open.name + "' shares memory with '" + other.name +
                         "': " + whyUnbounded(open) + "; declare '" + open.name + "' __restrict if it does not",
                     declaration ? declaration->where : function.where};
    }
  return std::nullopt;
}

} // namespace polymend::device_room
