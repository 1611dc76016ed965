// The fault that POLYMEND_MUTANT chooses, and which faults a run comes by: a byte each in the file POLYMEND_REACHED.
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int polymend_chosen = -1;
unsigned char *polymend_reached = nullptr;

namespace {

/// The file's bytes, which processes that are begun here share.
unsigned char *sharedBytes(const char *path) {
  const int file = open(path, O_RDWR);
  struct stat told = {};
  if (file < 0 || fstat(file, &told) != 0) return nullptr;
  void *bytes = mmap(nullptr, static_cast<std::size_t>(told.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return bytes == MAP_FAILED ? nullptr : static_cast<unsigned char *>(bytes);
}

/// Runs before the first of the values that are made before main.
__attribute__((constructor(101))) void choose() {
  if (const char *number = std::getenv("POLYMEND_MUTANT")) polymend_chosen = std::atoi(number);
  if (const char *path = std::getenv("POLYMEND_REACHED")) polymend_reached = sharedBytes(path);
}

} // namespace
