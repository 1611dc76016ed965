// Device programs of tile programs that are given as text, for tests.
#pragma once

#include "polymend/map.h"
#include "polymend/verify_device.h"

#include <gtest/gtest.h>

namespace polymend::tests {

inline DeviceProgram mapped(const std::string &text, bool strict = false) {
  const Result<TileProgram> program = readText(text);
  EXPECT_TRUE(program) << program.refusal().reason;
  const Result<DeviceProgram> result = mapToCpu({}, program ? *program : TileProgram(), strict);
  EXPECT_TRUE(result);
  return result ? *result : DeviceProgram();
}

/// The lines of a kernel's body in the text form, without their indents.
inline std::string bodyOf(const std::string &text, bool strict = false) {
  const std::string all = writeText(mapped(text, strict));
  std::string body;
  std::size_t at = all.find("kernel ");
  at = at == std::string::npos ? all.size() : all.find('\n', at) + 1;
  while (at < all.size() && all[at] != '}') {
    const std::size_t end = all.find('\n', at), begin = all.find_first_not_of(' ', at);
    if (all.find(" on ", begin) > end) body += all.substr(begin, end - begin + 1);
    at = end + 1;
  }
  return body;
}

} // namespace polymend::tests
