// Files are replaced whole or not at all: text goes to a temporary beside the target, which is then renamed over it.
#include "polymend/run.h"

#include "temporary.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace polymend {

namespace fs = std::filesystem;

namespace {

/// The file that a path stands for: what a symbolic link leads to, else the path itself.
fs::path target(const std::string &path) {
  std::error_code error;
  fs::path whole = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : whole;
}

/// The directory that a file stands in, never empty.
fs::path directoryOf(const fs::path &file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// A path that exists and is written in place: a terminal, a pipe, /dev/null.
bool isDevice(const fs::path &file) {
  std::error_code error;
  return fs::exists(file, error) && !fs::is_regular_file(file, error) && !fs::is_directory(file, error);
}

/// A refusal that names the path.
Refusal cannotWrite(const std::string &path, const std::string &why) {
  return Refusal{"cannot write '" + path + "': " + why, {}};
}

/// Gives `made` the permissions of the file it is about to replace, or those of any new file.
void copyPermissions(const fs::path &made, const fs::path &replaced) {
  std::error_code error;
  const mode_t mask = umask(0);
  umask(mask);
  const auto usual = static_cast<fs::perms>(0666 & ~mask);
  const bool exists = fs::exists(replaced, error);
  const fs::perms wanted = exists ? fs::status(replaced, error).permissions() : usual;
  fs::permissions(made, error ? usual : wanted, error);
}

} // namespace

ScratchDirectory::ScratchDirectory() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "polymend-XXXXXX").string();
  if (mkdtemp(name.data())) path = name;
  temporary = std::make_unique<Temporary>(path);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code error;
  if (!path.empty()) fs::remove_all(path, error);
}

std::string ScratchDirectory::file(const std::string &name) const { return path + "/" + name; }

Result<std::string> readFile(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return Refusal{"cannot read '" + path + "': it is a directory", {}};
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    return Refusal{"cannot read '" + path + "': it is no ordinary file", {}};
  const auto close = [](std::FILE *stream) { std::fclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rbe"), close);
  std::string text;
  char buffer[65536];
  for (std::size_t count = 0; file && (count = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;)
    text.append(buffer, count);
  if (!file || std::ferror(file.get())) return Refusal{"cannot read '" + path + "': " + std::strerror(errno), {}};
  return text;
}

std::optional<Refusal> unwritable(const std::string &path) {
  std::error_code error;
  const fs::path file = target(path);
  if (fs::is_directory(file, error)) return cannotWrite(path, "it is a directory");
  if (fs::exists(file, error) && access(file.c_str(), W_OK) != 0) return cannotWrite(path, std::strerror(errno));
  if (isDevice(file)) return std::nullopt;
  const fs::path directory = directoryOf(file);
  if (!fs::is_directory(directory, error))
    return cannotWrite(path, "there is no directory '" + directory.string() + "'");
  if (access(directory.c_str(), W_OK | X_OK) != 0) return cannotWrite(path, std::strerror(errno));
  return std::nullopt;
}

std::optional<Refusal> replaceFile(const std::string &path, const std::string &text) {
  if (auto obstacle = unwritable(path)) return obstacle;
  const fs::path file = target(path);
  std::error_code error;
  const bool direct = isDevice(file);
  std::string name = direct ? file.string() : (directoryOf(file) / ".polymend-XXXXXX").string();
  if (!direct) {
    const int handle = mkstemp(name.data());
    if (handle < 0) return cannotWrite(path, std::strerror(errno));
    close(handle);
  }
  std::optional<Temporary> unfinished;
  if (!direct) unfinished.emplace(name);
  std::ofstream stream(name, std::ios::binary);
  stream << text;
  stream.close();
  if (direct) return stream ? std::nullopt : std::optional(cannotWrite(path, "the device took no more"));
  if (!stream) {
    fs::remove(name, error);
    return cannotWrite(path, "the disk took no more");
  }
  copyPermissions(name, file);
  fs::rename(name, file, error);
  if (!error) return std::nullopt;
  const std::string why = error.message();
  fs::remove(name, error);
  return cannotWrite(path, why);
}

bool sameFile(const std::string &a, const std::string &b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

} // namespace polymend
