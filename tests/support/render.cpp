// Diagnostics are rendered with the source line and a caret.
#include "polymend/support.h"

#include <gtest/gtest.h>

using namespace polymend;

namespace {

SourceRange place(unsigned line, unsigned column, unsigned endColumn) {
  SourceRange where;
  where.file = "k.cpp";
  where.line = where.endLine = line;
  where.column = column;
  where.endColumn = endColumn;
  return where;
}

TEST(Render, PutsTheCaretUnderThePlace) {
  const Diagnostic d{Severity::Remark, place(2, 3, 8), "left alone: while loop", {}};
  EXPECT_EQ(render(d, "int x;\n  while (1);\n"), "k.cpp:2:3: remark: left alone: while loop\n  while (1);\n  ^~~~~\n");
}

TEST(Render, KeepsTabsAndAddsNotes) {
  Diagnostic d{Severity::Error, place(1, 2, 3), "bad", {}};
  d.notes.push_back({Severity::Note, place(2, 1, 2), "because", {}});
  EXPECT_EQ(render(d, "\tx\ny"), "k.cpp:1:2: error: bad\n\tx\n\t^\nk.cpp:2:1: note: because\ny\n^\n");
}

TEST(Render, WithoutAPlace) {
  Diagnostic d{Severity::Error, {}, "no such file", {}};
  EXPECT_EQ(render(d, ""), "error: no such file\n");
  d.where.file = "k.cpp";
  EXPECT_EQ(render(d, ""), "k.cpp: error: no such file\n");
}

TEST(Render, SurvivesPlacesBeyondTheText) {
  const Diagnostic d{Severity::Error, place(9, 40, 50), "far", {}};
  EXPECT_EQ(render(d, "one line"), "k.cpp:9:40: error: far\n");
  const Diagnostic wide{Severity::Error, place(1, 40, 50), "wide", {}};
  EXPECT_EQ(render(wide, "ab"), "k.cpp:1:40: error: wide\nab\n  ^\n");
}

} // namespace
