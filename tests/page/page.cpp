// The page and the picture as text: nothing of the input can become markup, and nothing is fetched.
#include "polymend/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

using namespace polymend;

namespace {

/// A function with names that would be markup.
Drawing hostile() {
  Drawing drawing;
  drawing.file = "</title><script>alert(1)</script>.cpp";
  drawing.source = "// </script><script>alert(2)</script> & \"é\"\n";
  DrawnFunction function;
  function.name = "f";
  function.outcome = "left";
  function.reason = "<img src=x onerror=alert(3)>";
  function.statements.push_back({"S0", "a[i] = b < c && \"d\" > e", "{ S0[] }", "a", {}, {}});
  drawing.functions.push_back(function);
  return drawing;
}

TEST(Page, TextOfTheInputIsNeverMarkup) {
  const auto page = writePage(hostile());
  ASSERT_TRUE(page) << page.refusal().reason;
  EXPECT_EQ(page->find("<script>alert"), std::string::npos);
  EXPECT_EQ(page->find("<img"), std::string::npos);
  EXPECT_NE(page->find("&lt;/title&gt;"), std::string::npos);
  EXPECT_NE(page->find("b &lt; c &amp;&amp;"), std::string::npos);
  const auto picture = writeSvg(hostile(), Kinds::Flow);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->find("<img"), std::string::npos);
  EXPECT_EQ(picture->find("<script"), std::string::npos);
}

TEST(Page, NothingIsFetchedAndNothingEvaluated) {
  const auto page = writePage(hostile());
  ASSERT_TRUE(page);
  for (const char *const word : {"src=\"", "@import", "eval(", "fetch(", "XMLHttpRequest", "innerHTML", "https://"})
    EXPECT_EQ(page->find(word), std::string::npos) << word;
}

TEST(Page, WithoutGraphvizTheReasonIsSaid) {
  const char *const known = std::getenv("PATH");
  const std::string path = known ? known : "";
  setenv("PATH", "/nowhere", 1);
  const auto page = writePage(hostile());
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(page);
  EXPECT_NE(page.refusal().reason.find("graphviz"), std::string::npos) << page.refusal().reason;
}

} // namespace
