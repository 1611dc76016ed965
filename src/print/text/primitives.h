// The files under primitives/, as the build embeds them, and what each says of itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polymend::print_room {

/// One header: the target it is for ("cpp", "cuda", "hip"), its name in that target's folder, its text.
struct PrimitiveFile {
  std::string_view target, name, text;
};

extern const std::vector<PrimitiveFile> primitiveFiles; // written by cmake/embed_primitives.cmake

/// What printed code can ask for by name: the function copyTile stands in copy_tile.cuh, the class Buffer in buffer.h.
struct Primitive {
  std::string_view file;
  std::string guard;
  std::vector<std::string> needs;   // files of the same target
  std::vector<std::string> headers; // of the language and the makers
  std::string_view body;            // what stands between its includes and the end of its guard, without the namespace
  bool isMacro = false;             // it stands outside the namespace
};

/// Those of a target, each after what it needs.
const std::vector<Primitive> &primitivesOf(std::string_view target);
/// The file that holds a primitive, without its extension: words in lower case with underscores.
std::string fileOf(std::string_view primitive);
/// The text of a primitive alone. Throws std::logic_error where the target has none of that name.
std::string_view textOf(std::string_view primitive, std::string_view target);

} // namespace polymend::print_room
