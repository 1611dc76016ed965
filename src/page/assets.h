// The files of src/page/assets, as they stand.
#pragma once

#include <string>
#include <vector>

namespace polymend::page_room {

struct Asset {
  std::string name, text;
};

extern const std::vector<Asset> assets;

} // namespace polymend::page_room
