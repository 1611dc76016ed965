// A product takes place at a drawn time between its issue by the last of the 128 threads and the first wait for it.
// Its sums hold poison from a thread's issue to its wait; whoever writes one meanwhile is found out, whoever reads one
// gets NaN. Factors are read when the product takes place: too early a change of them is seen.
#include "products.h"

#include "block.h"
#include "matrix.h"
#include "meet.h"
#include "ptx.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace emulated {

namespace {

constexpr std::uint32_t inFlight = 0x7fedcba9; // a NaN that no arithmetic makes

/// The sums of one run of products, from the first issue to the wait.
struct Sums {
  std::vector<float> values; // [64][columns]
  std::vector<std::vector<float *>> registers{128};
};

struct Product {
  Shape shape{};
  std::uint64_t left = 0, right = 0;
  bool accumulate = false, registers = false, done = false, late = false;
  std::shared_ptr<Sums> sums;
  std::vector<std::array<const std::uint32_t *, 4>> words;
  int issued = 0, retired = 0;
};

} // namespace

struct Warpgroup {
  std::deque<Product> products;
  std::uint64_t first = 0, next = 0; // the numbers of the front and of the next to take place
  Waiters waiters;
  Product &at(std::uint64_t number) { return products[number - first]; }
};

namespace {

/// What is .sync.aligned has all lanes of a warp come together.
constexpr std::uint32_t wholeWarp = 0xffffffffu;

int rank() { return current->number % 128; }

std::uint16_t half(std::uint32_t word, int which) { return static_cast<std::uint16_t>(word >> 16 * which); }

/// A factor of `lines` times 16 elements, [k][lines]; memory holds it in runs of eight elements.
void read(Block &block, const Descriptor &matrix, Element element, bool transposed, int lines, float *to) {
  if (matrix.base != 0) fail("a matrix descriptor with a base offset");
  for (int line = 0; line < lines; line += transposed ? 8 : 1)
    for (int k = 0; k < 16; k += transposed ? 1 : 8) {
      const std::uint32_t at = elementAddress(matrix, transposed, line, k);
      std::uint16_t bits[8];
      std::memcpy(bits, sharedBytes(block, block.proxy, at, sizeof bits, "a product's factor"), sizeof bits);
      for (int i = 0; i < 8; ++i)
        to[transposed ? k * lines + line + i : (k + i) * lines + line] = toFloat(element, bits[i]);
    }
}

void readLeft(const Product &product, Block &block, float *left) {
  if (!product.registers)
    return read(block, descriptorOf(product.left), product.shape.element, product.shape.leftTransposed, 64, left);
  for (int t = 0; t < 128; ++t)
    for (int word = 0; word < 4; ++word)
      for (int h = 0; h < 2; ++h) {
        const Place place = leftAt(t, word, h);
        left[place.column * 64 + place.row] =
            toFloat(product.shape.element,
                    half(*product.words[static_cast<std::size_t>(t)][static_cast<std::size_t>(word)], h));
      }
}

void takePlace(Product &product, Block &block) {
  const int columns = product.shape.columns;
  float left[16 * 64], right[16 * 256];
  readLeft(product, block, left);
  read(block, descriptorOf(product.right), product.shape.element, product.shape.rightTransposed, columns, right);
  float *const sums = product.sums->values.data();
  if (!product.accumulate) std::fill_n(sums, 64 * columns, 0.0f);
  for (int row = 0; row < 64; ++row)
    for (int k = 0; k < 16; ++k) {
      const float factor = left[k * 64 + row];
      float *const __restrict__ to = sums + row * columns;
      const float *const from = right + k * columns;
      for (int column = 0; column < columns; ++column) to[column] += factor * from[column];
    }
  product.done = true;
}

/// All products before number `limit` take place.
void advance(Warpgroup &group, Block &block, std::uint64_t limit) {
  for (; group.next < limit; ++group.next) takePlace(group.at(group.next), block);
}

/// That for the current thread's group, some time; by then the block may have ended.
std::function<void()> advancing(std::uint64_t limit) {
  Block *const block = current->block;
  const std::weak_ptr<Warpgroup> group = block->warpgroups[static_cast<std::size_t>(current->number / 128)];
  return [block, group, limit] {
    const auto alive = group.lock();
    if (!alive) return;
    advance(*alive, *block, limit);
    wake(alive->waiters);
  };
}

/// The sums in flight that this thread's register belongs to.
std::shared_ptr<Sums> flying(Warpgroup &group, const float *const *sums) {
  for (std::uint64_t number = current->issued; number > current->retired; --number) {
    const auto &known = group.at(number - 1).sums;
    const auto &registers = known->registers[static_cast<std::size_t>(rank())];
    if (std::find(registers.begin(), registers.end(), sums[0]) != registers.end()) return known;
  }
  return nullptr;
}

void takeOff(Sums &flight, float *const *sums, int columns) {
  const auto count = static_cast<std::size_t>(columns / 2);
  auto &registers = flight.registers[static_cast<std::size_t>(rank())];
  registers.assign(sums, sums + count);
  flight.values.resize(static_cast<std::size_t>(64 * columns));
  for (std::size_t i = 0; i < count; ++i) {
    const Place place = sumAt(rank(), static_cast<int>(i));
    flight.values[static_cast<std::size_t>(place.row * columns + place.column)] = *sums[i];
    *sums[i] = std::bit_cast<float>(inFlight);
  }
}

void land(const Product &product) {
  const auto &registers = product.sums->registers[static_cast<std::size_t>(rank())];
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(*registers[i]) != inFlight) fail("a sum was written while its product ran");
    const Place place = sumAt(rank(), static_cast<int>(i));
    *registers[i] = product.sums->values[static_cast<std::size_t>(place.row * product.shape.columns + place.column)];
  }
}

/// This thread sees the products before number `limit` done: their registers are its own again.
void retire(Warpgroup &group, std::uint64_t limit) {
  for (std::uint64_t number = current->retired; number < limit; ++number) {
    bool last = true;
    for (std::uint64_t other = number + 1; other < current->issued; ++other)
      last = last && group.at(other).sums != group.at(number).sums;
    if (last) land(group.at(number));
  }
  for (; current->retired < limit; ++current->retired) ++group.at(current->retired).retired;
  for (; !group.products.empty() && group.products.front().retired == 128; ++group.first) group.products.pop_front();
}

Warpgroup &groupOfCurrent() {
  if (!current->warpgroup) fail("products need warpgroups of 128 threads");
  return *current->warpgroup;
}

} // namespace

void multiply(const Shape &shape, float *const *sums, const std::uint32_t *const *registers, std::uint64_t left,
              std::uint64_t right, bool accumulate) {
  Warpgroup &group = groupOfCurrent();
  auto flight = flying(group, sums);
  if (!flight && !current->fenced) fail("a product without wgmma.fence since the last wait");
  if (current->issued == group.first + group.products.size()) {
    Product &fresh = group.products.emplace_back();
    fresh.shape = shape;
    fresh.left = left;
    fresh.right = right;
    fresh.accumulate = accumulate;
    fresh.registers = registers != nullptr;
    fresh.words.resize(128);
    fresh.sums = flight ? flight : std::make_shared<Sums>();
  }
  Product &product = group.at(current->issued);
  if (!(product.shape == shape) || product.left != left || product.right != right || product.accumulate != accumulate ||
      product.registers != (registers != nullptr))
    fail("threads of a warpgroup issue different products");
  if (flight && flight != product.sums) fail("threads of a warpgroup disagree about the sums of a product");
  if (registers) std::copy_n(registers, 4, product.words[static_cast<std::size_t>(rank())].begin());
  if (!flight) takeOff(*product.sums, sums, shape.columns);
  const std::uint64_t number = current->issued++;
  if (++product.issued < 128) return;
  if (drawn(3))
    advance(group, *current->block, number + 1);
  else if (drawn(2))
    later(advancing(number + 1));
  else
    product.late = true;
  wake(group.waiters);
}

void wgmma_fence() {
  groupOfCurrent();
  meet("wgmma.fence", wholeWarp, 0);
  current->fenced = true;
  pause();
}

void wgmma_commit_group() {
  groupOfCurrent();
  meet("wgmma.commit_group", wholeWarp, 0);
  current->groups.push_back(current->issued);
  pause();
}

void wgmma_wait_group(int pending) {
  Warpgroup &group = groupOfCurrent();
  meet("wgmma.wait_group", wholeWarp, 0);
  auto &groups = current->groups;
  if (groups.size() > static_cast<std::size_t>(pending)) {
    const std::uint64_t limit = groups[groups.size() - static_cast<std::size_t>(pending) - 1];
    while (limit > group.first && limit > current->retired && group.at(limit - 1).issued < 128)
      sleep(group.waiters, [] { return std::string("the other threads of the warpgroup to issue a product"); });
    if (group.next < limit && group.at(limit - 1).late) {
      last(advancing(limit));
      while (group.next < limit) sleep(group.waiters, [] { return std::string("products to take place"); });
    }
    advance(group, *current->block, limit);
    retire(group, limit);
    groups.erase(groups.begin(), groups.end() - pending);
  }
  current->fenced = false;
}

void productsEnd() {
  if (current->retired != current->issued) fail("the thread ended while its products ran");
}

void fence_proxy_async() {
  Block &block = *current->block;
  std::memcpy(block.proxy + dynamicOffset(), block.shared + dynamicOffset(), launched->dynamicBytes);
  pause();
}

void setmaxnreg(bool more, int count) {
  Block &block = *current->block;
  meet(more ? "setmaxnreg.inc" : "setmaxnreg.dec", wholeWarp, 0);
  if (count < 24 || count > 256 || count % 8 != 0) fail("setmaxnreg of " + std::to_string(count));
  if (!more && count > current->registers) fail("setmaxnreg.dec to more registers than the thread has");
  while (block.freeRegisters < count - current->registers)
    sleep(block.registers, [&block, missing = count - current->registers] {
      return "registers: " + std::to_string(missing) + " a thread, " + std::to_string(block.freeRegisters) +
             " are free";
    });
  block.freeRegisters -= count - current->registers;
  current->registers = count;
  wake(block.registers);
}

void bar_sync(unsigned number, unsigned threads) { namedBarrier(number, threads); }

std::shared_ptr<Warpgroup> newWarpgroup() { return std::make_shared<Warpgroup>(); }

} // namespace emulated
