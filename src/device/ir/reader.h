// The device program's reader: see note [grammar] of write.cpp.
#pragma once

#include "words.h"

#include "tile/text_reader.h"
#include "tile/words.h"

namespace polymend::device_room {

class DeviceReader : public tile::TextReader {
public:
  using TextReader::TextReader;
  Result<DeviceProgram> program();

private:
  template <class Value, std::size_t N> Value word(const std::array<Word<Value>, N> &table, Value otherwise);
  /// Is `text` here the first word of a statement? As the name of an array a subscript or an update would follow.
  [[nodiscard]] bool begins(std::string_view text) const;
  bool accept(std::string_view text);
  DeviceEntry entry(std::vector<std::string> &declared);
  EntryTest test();
  DeviceQueue queue();
  DeviceCopy copy();
  DeviceInOrder inOrder();
  DeviceSharing sharing();
  DeviceKernel kernel();
  DeviceBlock block();
  DeviceNode node();
  DeviceNode let();
  DeviceNode loop();
  DeviceNode branch();
  DeviceNode fold();
  DeviceNode multiply();
  DeviceNode transpose();
  DeviceNode deal();
  void share(DeviceDeal &d);
  bool part(DeviceDeal &d);
  DeviceNode one();
  DeviceNode ahead();
  DeviceNode launch();
  DeviceTeam team(DeviceKernel &k);
  std::vector<DeviceTile> tiles();
  DeviceStep step();
  std::size_t dimOf(const TilePoints &points);
  std::vector<std::string> names();
  Ref ref();
  std::optional<DeviceNode> ofRoles();
  DeviceNode fill();
  DeviceNode issue();
  DeviceNode await();
  DeviceNode vote();
  DeviceNode registers();
  DeviceNode shares();
  DeviceChannel channel();
  void roles(DeviceKernel &k);
};

template <class Value, std::size_t N>
Value DeviceReader::word(const std::array<Word<Value>, N> &table, Value otherwise) {
  const std::optional<Value> found = valueOf(table, peek().text);
  if (!found) fail("'" + peek().text + "' is not expected here");
  take();
  return found.value_or(otherwise);
}

} // namespace polymend::device_room
