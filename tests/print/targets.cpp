#include "polymend/map.h"
#include "print/target.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::print_room;

TEST(Targets, GiveABlockTheSharedMemoryOfTheLeastDevice) {
  EXPECT_EQ(gpuFacts(Target::Hip, FloatMode::Algebraic).sharedBytes, 65536);
  EXPECT_EQ(gpuFacts(Target::Cuda, FloatMode::Algebraic).sharedBytes, 163 * 1024);
}
