#include "print/target.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::print_room;

TEST(Targets, GiveABlockTheSharedMemoryOfTheLeastDevice) {
  EXPECT_EQ(tableOf(Target::Hip).sharedBytes, 65536);
  EXPECT_EQ(tableOf(Target::Cuda).sharedBytes, 163 * 1024);
}
