// A chunk of a kernel with roles, by what runs when.
#pragma once

#include "role_tiles.h"

#include <map>

namespace polymend {

/// A chunk's regions by what they are.
struct Chunk {
  TileBlock copies;             // in order
  TileBlock first, early, late; // element-wise: before stage 0, between the stages, after stage 1
  TileBlock stage0, stage1;     // contractions
  std::vector<std::string> channels0, channels1;
  std::vector<std::string> read; // channels that element-wise regions read, and stage 0 perhaps
};

struct Stages {
  Chunk full, masked;                       // with the same channels
  bool inTurn = false;                      // a chunk's stage 1 ends it, where it would be in the way of the next one's
                                            // beginning
  std::map<std::string, std::string> twins; // of operands that are computed during their last use: where to
};

/// Splits the chunks of a loop into stages: contractions of two copied tiles are stage 0, those that need this chunk's
/// element-wise results are stage 1. Twins become tiles of `roles`. Refused: a region that fits no stage.
Result<Stages> stagesOf(RoleTiles &roles);

/// A region that runs beside the threads.
TileNode asyncOf(TileAsync::Kind kind, const std::string &name, const TileNode &region);

} // namespace polymend
