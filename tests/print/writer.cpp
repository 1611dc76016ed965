// Long lines of a text: where they break.
#include "print/writer.h"

#include <gtest/gtest.h>

using namespace polymend::print_room;

namespace {

/// Where a line breaks that has one place to do so.
std::string broken(const std::string &at) {
  Writer writer;
  writer.line(std::string(90, 'a') + at + " " + std::string(90, 'b'));
  const std::string text = writer.text();
  return text.substr(90, text.find('\n') - 90);
}

} // namespace

TEST(Writer, BreaksAfterACommaOrAnOperator) {
  for (const char *const at : {",", ";", " &&", " ||", " ?", " +", " *", " /", " =", " -"}) EXPECT_EQ(broken(at), at);
  for (const char *const at : {"", "(", " :", "a-"}) EXPECT_EQ(broken(at), at + (" " + std::string(90, 'b')));
}
