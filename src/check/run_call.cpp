// One call of one function in a loaded library. Every array stands between guard zones filled with the pattern of a
// NaN; what the call wrote there is damage. Behind them follows as much address space as the array's type declares, so
// that arrays are apart also for who takes them for whole. Written memory is read back, nothing else leaves.
#include "run.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace polymend {

namespace {

constexpr std::byte poison{0xff};

/// Address space of `used` bytes filled with the poison, and of `spare` bytes behind them that cannot be accessed.
class Region {
public:
  Region(std::size_t used, std::size_t spare) : inUse(used), whole(used + spare) {
    void *place = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED || mprotect(place, used, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    first = static_cast<std::byte *>(place);
    std::fill(begin(), end(), poison);
  }
  Region(Region &&other) noexcept
      : first(std::exchange(other.first, nullptr)), inUse(other.inUse), whole(other.whole) {}
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;
  Region &operator=(Region &&) = delete;
  ~Region() {
    if (first) munmap(first, whole);
  }
  [[nodiscard]] std::byte *begin() const { return first; }
  [[nodiscard]] std::byte *end() const { return first + inUse; }

private:
  std::byte *first = nullptr;
  std::size_t inUse, whole;
};

/// An array in memory, with its guards.
struct Block {
  Region region;
  std::size_t offset, length;
  [[nodiscard]] std::byte *data() const { return region.begin() + offset; }
};

/// Bytes of an element as this library sees it.
std::size_t widthOf(Type type, Widened widened) {
  if (widened == Widened::No || !isFloating(type)) return bytesOf(type);
  return widened == Widened::Double ? sizeof(double) : sizeof(long double); // also of a type of 113 digits
}

/// The element's type in this library; those wider than double are none of them.
Type typeIn(Type type, Widened widened) {
  return widened == Widened::Double && isFloating(type) ? Type::Float64 : type;
}

void storeAs(std::byte *place, Type type, Widened widened, long double value) {
  if (!isFloating(type) || widened == Widened::No || widened == Widened::Double)
    return store(place, typeIn(type, widened), value);
#ifdef __SIZEOF_FLOAT128__
  if (widened == Widened::Quad) {
    const __float128 wide = value;
    std::memcpy(place, &wide, sizeof wide);
    return;
  }
#endif
  std::memcpy(place, &value, sizeof value);
}

long double loadAs(const std::byte *place, Type type, Widened widened) {
  if (!isFloating(type) || widened == Widened::No || widened == Widened::Double)
    return load(place, typeIn(type, widened));
#ifdef __SIZEOF_FLOAT128__
  if (widened == Widened::Quad) {
    __float128 wide;
    std::memcpy(&wide, place, sizeof wide);
    return static_cast<long double>(wide);
  }
#endif
  long double value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

/// Lays out `values` `shift` elements beyond an aligned address, and room for `spare` more behind the guards.
Block layOut(const std::vector<long double> &values, Type type, Widened widened, std::size_t shift,
             std::int64_t spare = 0) {
  const std::size_t width = widthOf(type, widened), length = values.size() * width;
  Block block{Region(length + 2 * guardBytes + shift * width, static_cast<std::size_t>(spare) * width),
              guardBytes + shift * width, length};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] == values[i]) storeAs(block.data() + i * width, type, widened, values[i]);
  return block;
}

/// Has nothing but the array itself been written?
bool intact(const Block &block) {
  const auto clean = [](std::byte b) { return b == poison; };
  return std::all_of(block.region.begin(), block.data(), clean) &&
         std::all_of(block.data() + block.length, block.region.end(), clean);
}

std::vector<long double> readBack(const std::byte *data, std::size_t count, Type type, Widened widened) {
  std::vector<long double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = loadAs(data + i * widthOf(type, widened), type, widened);
  return values;
}

/// The address of a global array of the library.
std::byte *globalAddress(const Library &library, int index, const std::string &name) {
  const auto address =
      reinterpret_cast<void *(*)()>(library.symbol("polymend_global_" + std::to_string(index) + "_" + name));
  return address ? static_cast<std::byte *>(address()) : nullptr;
}

/// The blocks of all arrays, contents of globals that are no constants copied to where the library keeps them.
std::vector<Block> layOutAll(const Library &library, int index, const std::vector<Shape> &shapes, const Data &data,
                             Widened widened, std::size_t shift) {
  std::vector<Block> blocks;
  for (std::size_t a = 0; a < shapes.size(); ++a) {
    blocks.push_back(layOut(data.arrays[a], shapes[a].type, widened, shift, shapes[a].spare));
    if (!shapes[a].global || shapes[a].constant) continue;
    if (std::byte *place = globalAddress(library, index, shapes[a].name))
      std::memcpy(place, blocks.back().data(), blocks.back().length);
  }
  return blocks;
}

/// The scalar arguments in memory, in the order of Data::scalars.
std::vector<Block> layOutScalars(const Function &function, const Data &data, Widened widened) {
  std::vector<Block> blocks;
  for (const auto &[name, value] : data.scalars)
    for (const Parameter &parameter : function.parameters)
      if (parameter.name == name) blocks.push_back(layOut({value}, parameter.type, widened, 0));
  return blocks;
}

/// Where argument array `a` begins: in memory of its own, or in the other's.
std::byte *placeOf(std::size_t a, const std::vector<Shape> &shapes, const std::vector<Block> &blocks,
                   const DataKind &kind, Widened widened) {
  const bool shares = kind.onto >= 0 && static_cast<int>(a) == kind.array;
  const std::size_t into = shares ? static_cast<std::size_t>(kind.amount) : 0;
  const std::size_t elements = into + static_cast<std::size_t>(shapes[a].before);
  return blocks[shares ? static_cast<std::size_t>(kind.onto) : a].data() + elements * widthOf(shapes[a].type, widened);
}

/// Where each argument lies, in the function's order, then where a returned value goes, then how many elements each
/// array has from there on, then how many it has before.
std::vector<void *> arguments(const Function &function, const std::vector<Shape> &shapes, const Data &data,
                              const std::vector<Block> &blocks, const std::vector<Block> &scalars, const DataKind &kind,
                              Widened widened, const Block &returned, std::deque<std::int64_t> &counts) {
  std::vector<void *> places;
  for (const Parameter &parameter : function.parameters) {
    if (parameter.name.empty()) {
      places.push_back(parameter.isArray ? nullptr : returned.data());
      continue;
    }
    for (std::size_t a = 0; a < shapes.size(); ++a)
      if (parameter.isArray && shapes[a].name == parameter.name)
        places.push_back(placeOf(a, shapes, blocks, kind, widened));
    for (std::size_t s = 0; s < scalars.size(); ++s)
      if (!parameter.isArray && data.scalars[s].first == parameter.name) places.push_back(scalars[s].data());
  }
  places.push_back(returned.data());
  const auto ofEachArray = [&](const auto &number) {
    for (const Parameter &parameter : function.parameters)
      for (const Shape &shape : shapes)
        if (parameter.isArray && shape.name == parameter.name)
          places.push_back(static_cast<void *>(&counts.emplace_back(number(shape))));
  };
  ofEachArray([](const Shape &shape) { return shape.count() - shape.before; });
  ofEachArray([](const Shape &shape) { return shape.before; });
  return places;
}

} // namespace

Library::Library(const std::string &path) : handle(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {}

void *Library::symbol(const std::string &name) const { return handle ? dlsym(handle, name.c_str()) : nullptr; }

void takeConstants(const Library &original, int index, const std::vector<Shape> &shapes, Data &data) {
  for (std::size_t a = 0; a < shapes.size(); ++a)
    if (const std::byte *place = shapes[a].constant ? globalAddress(original, index, shapes[a].name) : nullptr)
      data.arrays[a] = readBack(place, data.arrays[a].size(), shapes[a].type, Widened::No);
}

Effect call(const Library &library, int index, const CheckedFunction &checked, const std::vector<Shape> &shapes,
            const Data &data, const DataKind &kind, Widened widened, std::size_t shift) {
  Effect effect;
  const auto entry = reinterpret_cast<void (*)(void **)>(library.symbol("polymend_run_" + std::to_string(index)));
  if (!entry) return {{}, "the library has no entry"};
  const Function &function = checked.function;
  const bool returns = function.returnType != Type::Void;
  std::vector<Block> blocks = layOutAll(library, index, shapes, data, widened, shift);
  std::vector<Block> scalars = layOutScalars(function, data, widened);
  Block returned = layOut({std::numeric_limits<long double>::quiet_NaN()},
                          returns ? function.returnType : Type::Float64, widened, 0);
  std::deque<std::int64_t> counts;
  std::vector<void *> places = arguments(function, shapes, data, blocks, scalars, kind, widened, returned, counts);
  if (places.size() != function.parameters.size() + 1 + counts.size()) return {{}, "an argument has no description"};
  entry(places.data());
  for (std::size_t a = 0; a < shapes.size(); ++a) {
    const std::byte *place = shapes[a].global ? globalAddress(library, index, shapes[a].name) : blocks[a].data();
    const bool isCompared = shapes[a].written || widened == Widened::No;
    effect.arrays.push_back(
        readBack(place ? place : blocks[a].data(), isCompared ? data.arrays[a].size() : 0, shapes[a].type, widened));
    if (effect.damage.empty() && !intact(blocks[a])) effect.damage = "writes outside '" + shapes[a].name + "'";
  }
  if (returns) effect.arrays.push_back(readBack(returned.data(), 1, function.returnType, widened));
  return effect;
}

} // namespace polymend
