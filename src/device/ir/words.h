// The words of the text form, each beside what it stands for: the writer and the reader use the same table.
#pragma once

#include "polymend/device.h"

#include <array>
#include <string_view>

namespace polymend::device_room {

template <class Value> struct Word {
  Value value;
  std::string_view word;
};

constexpr std::array loopKinds{Word<DeviceLoop::Kind>{DeviceLoop::Kind::Unroll, "unroll"},
                               Word<DeviceLoop::Kind>{DeviceLoop::Kind::Vector, "vector"},
                               Word<DeviceLoop::Kind>{DeviceLoop::Kind::Shared, "shared"}};

constexpr std::array walks{Word<DeviceMultiply::Walk>{DeviceMultiply::Walk::Columns, "columns"},
                           Word<DeviceMultiply::Walk>{DeviceMultiply::Walk::Sums, "sums"},
                           Word<DeviceMultiply::Walk>{DeviceMultiply::Walk::Single, "single"}};

constexpr std::array orders{Word<DeviceSharing::Order>{DeviceSharing::Order::Alone, "alone"},
                            Word<DeviceSharing::Order>{DeviceSharing::Order::Static, "static"},
                            Word<DeviceSharing::Order>{DeviceSharing::Order::Guided, "guided"},
                            Word<DeviceSharing::Order>{DeviceSharing::Order::Dynamic, "dynamic"}};

constexpr std::array forms{Word<DeviceSharing::Form>{DeviceSharing::Form::Collapsed, "collapsed"},
                           Word<DeviceSharing::Form>{DeviceSharing::Form::Outermost, "outermost"},
                           Word<DeviceSharing::Form>{DeviceSharing::Form::Listed, "listed"}};

constexpr std::array places{Word<DeviceTile::Place>{DeviceTile::Place::Stack, "stack"},
                            Word<DeviceTile::Place>{DeviceTile::Place::Heap, "heap"},
                            Word<DeviceTile::Place>{DeviceTile::Place::Point, "point"},
                            Word<DeviceTile::Place>{DeviceTile::Place::Assignment, "assignment"},
                            Word<DeviceTile::Place>{DeviceTile::Place::Held, "held"},
                            Word<DeviceTile::Place>{DeviceTile::Place::Owned, "owned"},
                            Word<DeviceTile::Place>{DeviceTile::Place::Shared, "shared"},
                            Word<DeviceTile::Place>{DeviceTile::Place::Slice, "slice"}};

constexpr std::array teams{Word<DeviceTeam::Kind>{DeviceTeam::Kind::Thread, "thread"},
                           Word<DeviceTeam::Kind>{DeviceTeam::Kind::Block, "block"},
                           Word<DeviceTeam::Kind>{DeviceTeam::Kind::Group, "group"},
                           Word<DeviceTeam::Kind>{DeviceTeam::Kind::Launch, "launch"}};

constexpr std::array dealForms{Word<DeviceDeal::Form>{DeviceDeal::Form::Each, "each"},
                               Word<DeviceDeal::Form>{DeviceDeal::Form::Lanes, "lanes"},
                               Word<DeviceDeal::Form>{DeviceDeal::Form::Whole, "whole"},
                               Word<DeviceDeal::Form>{DeviceDeal::Form::Blocked, "blocked"},
                               Word<DeviceDeal::Form>{DeviceDeal::Form::Fours, "fours"}};

constexpr std::array tests{Word<EntryTest::Kind>{EntryTest::Kind::Given, "given"},
                           Word<EntryTest::Kind>{EntryTest::Kind::Unknown, "unknown"},
                           Word<EntryTest::Kind>{EntryTest::Kind::Extents, "extents"},
                           Word<EntryTest::Kind>{EntryTest::Kind::Elements, "elements"},
                           Word<EntryTest::Kind>{EntryTest::Kind::Together, "together"},
                           Word<EntryTest::Kind>{EntryTest::Kind::Numbers, "numbers"}};

constexpr std::array registerForms{Word<DeviceRegisters::Form>{DeviceRegisters::Form::Row, "row"},
                                   Word<DeviceRegisters::Form>{DeviceRegisters::Form::Element, "element"},
                                   Word<DeviceRegisters::Form>{DeviceRegisters::Form::Fours, "fours"},
                                   Word<DeviceRegisters::Form>{DeviceRegisters::Form::Moved, "moved"},
                                   Word<DeviceRegisters::Form>{DeviceRegisters::Form::Reduced, "reduced"},
                                   Word<DeviceRegisters::Form>{DeviceRegisters::Form::Stored, "stored"},
                                   Word<DeviceRegisters::Form>{DeviceRegisters::Form::Words, "words"}};

constexpr std::array markPlaces{
    Word<DeviceMarks>{DeviceMarks::Nowhere, "nowhere"}, Word<DeviceMarks>{DeviceMarks::Never, "never"},
    Word<DeviceMarks>{DeviceMarks::Word, "word"}, Word<DeviceMarks>{DeviceMarks::Chain, "chain"}};

/// The word of a value; empty: it has none.
template <class Value, std::size_t N> std::string_view wordOf(const std::array<Word<Value>, N> &table, Value value) {
  for (const auto &entry : table)
    if (entry.value == value) return entry.word;
  return {};
}

template <class Value, std::size_t N>
std::optional<Value> valueOf(const std::array<Word<Value>, N> &table, std::string_view word) {
  for (const auto &entry : table)
    if (entry.word == word) return entry.value;
  return std::nullopt;
}

} // namespace polymend::device_room
