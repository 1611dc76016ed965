// What the primitives' files say that other rooms say too.
#include "print/text/primitives.h"
#include "polymend/tile.h"

#include <gmock/gmock.h>

using namespace polymend;

/// Its file is a header that stands alone, so that the number is written twice.
TEST(Primitives, TellTheLeastWorkThatIsAssumedBeforePrinting) {
  EXPECT_THAT(std::string(print_room::textOf("leastWork", "cpp")),
              testing::HasSubstr("#define POLYMEND_LEAST_WORK " + std::to_string(leastWork) + "\n"));
}
