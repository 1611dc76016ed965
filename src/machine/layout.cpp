// Digits of one axis, refined to common extents, are compared one by one: that decides what a conversion costs without
// looking at elements.
#include "polymend/layout.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace polymend {
namespace {

constexpr std::array letters{'r', 'l', 'w', 'g', 'b'}; // as Digit::To
constexpr std::int64_t chunkBytes = 16, rowChunks = 8;

std::int64_t &counted(ElementPlace &place, Digit::To to) {
  switch (to) {
  case Digit::To::Lane: return place.lane;
  case Digit::To::Warp: return place.warp;
  case Digit::To::Group: return place.group;
  case Digit::To::Byte: return place.byte;
  case Digit::To::Register: break;
  }
  return place.element;
}

std::int64_t swizzled(std::int64_t byte, const std::vector<std::int64_t> &swizzle) {
  std::int64_t exchanged = 0;
  for (std::size_t b = 0; b < swizzle.size(); ++b)
    if (byte / (rowChunks * chunkBytes) >> b & 1) exchanged ^= swizzle[b];
  return byte ^ exchanged * chunkBytes;
}

/// The digits of two axes of one extent, cut to the same extents; false: they do not divide.
bool refine(const Digits &a, const Digits &b, Digits &fineA, Digits &fineB) {
  Digits restA(a.rbegin(), a.rend()), restB(b.rbegin(), b.rend());
  const auto cut = [](Digits &rest, std::int64_t extent) {
    Digit head = rest.back();
    rest.pop_back();
    if (head.extent > extent) rest.push_back({head.extent / extent, head.to, head.stride * extent});
    head.extent = extent;
    return head;
  };
  while (!restA.empty() && !restB.empty()) {
    const std::int64_t x = restA.back().extent, y = restB.back().extent, least = std::min(x, y);
    if (std::max(x, y) % least != 0) return false;
    fineA.push_back(cut(restA, least));
    fineB.push_back(cut(restB, least));
  }
  return restA.empty() && restB.empty();
}

bool within(const Digit &digit) { return digit.to == Digit::To::Register || digit.to == Digit::To::Lane; }

bool onlyLanes(const Digits &digits) {
  return std::all_of(digits.begin(), digits.end(), [](const Digit &d) { return d.to == Digit::To::Lane; });
}

Conversion conversion(const Digit &from, const Digit &to) {
  if (from == to) return Conversion::None;
  if (!within(from) || !within(to)) return Conversion::Shared;
  const bool stays = from.to == Digit::To::Register && to.to == Digit::To::Register;
  return stays ? Conversion::Registers : Conversion::Lanes;
}

void append(std::string &text, const Digits &digits) {
  for (const Digit &d : digits) {
    if (text.back() != '<') text += ' ';
    text += std::to_string(d.extent) + letters.at(static_cast<std::size_t>(d.to)) + std::to_string(d.stride);
  }
}

} // namespace

ElementPlace placeOf(const TileLayout &layout, const std::vector<std::int64_t> &coordinates) {
  ElementPlace place;
  for (std::size_t a = 0; a < layout.axes.size(); ++a) {
    std::int64_t rest = coordinates.at(a);
    for (std::size_t d = 0; d < layout.axes[a].size(); ++d) {
      const Digit &digit = layout.axes[a][d];
      const bool last = d + 1 == layout.axes[a].size();
      counted(place, digit.to) += (last ? rest : rest % digit.extent) * digit.stride;
      rest /= digit.extent;
    }
  }
  place.byte = swizzled(place.byte, layout.swizzle);
  return place;
}

Digits normal(const Digits &digits) {
  Digits result;
  for (const Digit &d : digits) {
    if (d.extent == 1) continue;
    const bool counts =
        !result.empty() && result.back().to == d.to && d.stride == result.back().extent * result.back().stride;
    if (counts)
      result.back().extent *= d.extent;
    else
      result.push_back(d);
  }
  return result;
}

TileLayout normal(const TileLayout &layout) {
  TileLayout result = layout;
  for (Digits &axis : result.axes) axis = normal(axis);
  result.copies = normal(result.copies);
  result.parts = normal(result.parts);
  return result;
}

TileLayout repeated(const TileLayout &layout, std::size_t axis, std::int64_t times, Digit::To to, std::int64_t stride) {
  TileLayout result = layout;
  result.axes.at(axis).push_back({times, to, stride});
  return normal(result);
}

std::int64_t registersOf(const TileLayout &layout) {
  std::int64_t count = 1;
  for (const Digits &axis : layout.axes)
    for (const Digit &d : axis)
      if (d.to == Digit::To::Register) count *= d.extent;
  return count;
}

TileLayout sliced(const TileLayout &layout, std::size_t axis, bool summed) {
  TileLayout result = layout;
  const Digits gone = result.axes.at(axis);
  result.axes.erase(result.axes.begin() + static_cast<std::ptrdiff_t>(axis));
  for (const Digit &d : gone)
    if (d.to != Digit::To::Register) (summed ? result.parts : result.copies).push_back(d);
  std::vector<Digit *> held;
  for (Digits &digits : result.axes)
    for (Digit &d : digits)
      if (d.to == Digit::To::Register) held.push_back(&d);
  std::sort(held.begin(), held.end(), [](const Digit *a, const Digit *b) { return a->stride < b->stride; });
  std::int64_t next = 1;
  for (Digit *d : held) {
    d->stride = next;
    next *= d->extent;
  }
  return normal(result);
}

Conversion conversion(const TileLayout &from, const TileLayout &to) {
  if (from == to) return Conversion::None;
  if (from.axes.size() != to.axes.size() || from.swizzle != to.swizzle) return Conversion::Shared;
  Conversion needed = Conversion::None;
  for (std::size_t a = 0; a < from.axes.size(); ++a) {
    Digits here, there;
    if (!refine(from.axes[a], to.axes[a], here, there)) return Conversion::Shared;
    for (std::size_t d = 0; d < here.size(); ++d) needed = std::max(needed, conversion(here[d], there[d]));
  }
  if (from.parts == to.parts && from.copies == to.copies) return needed;
  const bool lanes = onlyLanes(from.parts) && onlyLanes(to.parts) && onlyLanes(from.copies) && onlyLanes(to.copies);
  return std::max(needed, lanes ? Conversion::Lanes : Conversion::Shared);
}

std::string coordinateOf(const TileLayout &layout, std::size_t axis, Digit::To to, const std::string &name) {
  std::int64_t all = 1; // places that `name` counts
  const auto count = [&](const Digits &digits) {
    for (const Digit &d : digits)
      if (d.to == to) all *= d.extent;
  };
  for (const Digits &digits : layout.axes) count(digits);
  count(layout.copies);
  count(layout.parts);
  std::string text;
  std::int64_t step = 1;
  for (const Digit &d : layout.axes.at(axis)) {
    if (d.to == to) {
      std::string term = name;
      if (d.stride > 1) term += " / " + std::to_string(d.stride);
      if (d.stride * d.extent < all) term += " % " + std::to_string(d.extent);
      if (step > 1) term = std::to_string(step) + " * " + (term == name ? term : "(" + term + ")");
      text = text.empty() ? term : term + " + " + text;
    }
    step *= d.extent;
  }
  return text;
}

std::string show(const TileLayout &layout) {
  std::string text = "<";
  for (std::size_t a = 0; a < layout.axes.size(); ++a) {
    if (a > 0) text += text.back() == '<' ? "|" : " |";
    append(text, layout.axes[a]);
  }
  for (const auto &[mark, digits] : {std::pair{" ~", &layout.copies}, {" +", &layout.parts}}) {
    if (digits->empty()) continue;
    text += mark;
    append(text, *digits);
  }
  if (!layout.swizzle.empty()) text += " ^";
  for (const std::int64_t mask : layout.swizzle) text += " " + std::to_string(mask);
  return text + ">";
}

std::optional<Digit> digitOf(std::int64_t extent, const std::string &spelling) {
  const auto *const letter = std::find(letters.begin(), letters.end(), spelling.empty() ? '\0' : spelling[0]);
  if (letter == letters.end() || extent < 1) return std::nullopt;
  Digit digit{extent, static_cast<Digit::To>(letter - letters.begin()), 0};
  const char *const end = spelling.data() + spelling.size();
  const auto read = std::from_chars(spelling.data() + 1, end, digit.stride);
  if (read.ec != std::errc() || read.ptr != end || digit.stride < 1) return std::nullopt;
  return digit;
}

} // namespace polymend
