// Files are replaced whole or not at all, and dependency rules are what make reads.
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace polymend;
namespace fs = std::filesystem;

TEST(Files, AreReplacedWithoutATrace) {
  const ScratchDirectory scratch;
  EXPECT_FALSE(replaceFile(scratch.file("a"), "one"));
  EXPECT_EQ(*readFile(scratch.file("a")), "one");
  EXPECT_FALSE(replaceFile(scratch.file("a"), "two"));
  EXPECT_EQ(*readFile(scratch.file("a")), "two");
  const auto entries = fs::directory_iterator(fs::path(scratch.file("a")).parent_path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(Files, KeepTheirPermissionsAndLinks) {
  const ScratchDirectory scratch;
  ASSERT_FALSE(replaceFile(scratch.file("a"), "one"));
  fs::permissions(scratch.file("a"), fs::perms(0640));
  fs::create_symlink(scratch.file("a"), scratch.file("link"));
  ASSERT_FALSE(replaceFile(scratch.file("link"), "two"));
  EXPECT_TRUE(fs::is_symlink(scratch.file("link")));
  EXPECT_EQ(*readFile(scratch.file("a")), "two");
  EXPECT_EQ(fs::status(scratch.file("a")).permissions(), fs::perms(0640));
}

TEST(Files, RefuseADirectoryAndAMissingOne) {
  const ScratchDirectory scratch;
  const auto directory = replaceFile(scratch.file(""), "x");
  ASSERT_TRUE(directory);
  EXPECT_NE(directory->reason.find("it is a directory"), std::string::npos);
  const auto missing = replaceFile(scratch.file("no/such/place"), "x");
  ASSERT_TRUE(missing);
  EXPECT_NE(missing->reason.find("there is no directory"), std::string::npos);
}

TEST(Files, MayBeDevices) {
  EXPECT_FALSE(replaceFile("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(Files, ThatCannotBeReadSayWhy) {
  const auto text = readFile("/no/such/file.cpp");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.refusal().reason, "cannot read '/no/such/file.cpp': No such file or directory");
  EXPECT_FALSE(readFile("/"));
}

TEST(Files, MayBeEmpty) {
  const ScratchDirectory scratch;
  ASSERT_FALSE(replaceFile(scratch.file("a"), ""));
  const auto text = readFile(scratch.file("a"));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "");
}

TEST(Files, AreTheSameUnderTwoNames) {
  const ScratchDirectory scratch;
  ASSERT_FALSE(replaceFile(scratch.file("a"), ""));
  ASSERT_FALSE(replaceFile(scratch.file("b"), ""));
  fs::create_hard_link(scratch.file("a"), scratch.file("c"));
  EXPECT_TRUE(sameFile(scratch.file("a"), scratch.file("./a")));
  EXPECT_TRUE(sameFile(scratch.file("a"), scratch.file("c")));
  EXPECT_FALSE(sameFile(scratch.file("a"), scratch.file("b")));
  EXPECT_FALSE(sameFile(scratch.file("a"), scratch.file("missing")));
}

TEST(Includes, AreFollowed) {
  const ScratchDirectory scratch, other;
  ASSERT_FALSE(replaceFile(scratch.file("a.cpp"),
                           "#include <cmath>\n  # include \"b.h\"\n#include \"far.h\"\n#include \"no.h\"\n"));
  ASSERT_FALSE(replaceFile(scratch.file("b.h"), "#include \"c.h\"\n#include \"b.h\"\n"));
  ASSERT_FALSE(replaceFile(scratch.file("c.h"), "\n"));
  ASSERT_FALSE(replaceFile(other.file("far.h"), "\n"));
  const std::vector<std::string> expected{scratch.file("a.cpp"), scratch.file("b.h"), other.file("far.h"),
                                          scratch.file("c.h")};
  EXPECT_EQ(includedFiles(scratch.file("a.cpp"), {other.file("")}), expected);
}

TEST(Includes, BecomeARule) {
  EXPECT_EQ(dependencyRule("out file", {"a.cpp", "b$.h"}), "out\\ file: \\\n  a.cpp \\\n  b$$.h\n");
}
