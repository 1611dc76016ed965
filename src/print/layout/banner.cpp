#include "polymend/banner.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/SHA256.h>

namespace polymend {

namespace {

constexpr std::string_view maker = "// Made by polymend ";

} // namespace

std::string bannerOf(const std::string &file, const std::string &source, const std::string &words, bool inPlace) {
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(source.data());
  const auto digest = llvm::SHA256::hash(llvm::ArrayRef<std::uint8_t>(bytes, source.size()));
  return std::string(maker) + POLYMEND_VERSION " from " + llvm::sys::path::filename(file).str() + " (SHA-256 " +
         llvm::toHex(digest, true).substr(0, 16) + ")" + (words.empty() ? "" : " with " + words) +
         (inPlace ? ", in whose place it stands.\n" : ". Do not edit: make it again.\n");
}

bool isResult(const std::string &text) { return text.starts_with(maker); }

} // namespace polymend
