// Where a chunk begins has a name in its turn.
#include "device/named_places.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::device_room;

namespace {

Expr symbol(const std::string &name) { return Expr::symbol(name, Type::Int64); }

/// A loop whose turns fill a channel from row `at` on.
DeviceRoles filling(const Expr &at) {
  DeviceRoles roles;
  roles.lets = {{"end", symbol("n")}, {"offset", symbol("n")}};
  DeviceLoop loop;
  loop.variable = "turn";
  loop.first = Expr::integer(1);
  loop.limit = symbol("end");
  loop.body = {DeviceFill{"k_tile", {at, Expr::integer(0)}, {}}};
  roles.copies = {std::make_shared<const DeviceLoop>(loop)};
  return roles;
}

const DeviceBlock &turnOf(const DeviceRoles &roles) {
  return std::get<std::shared_ptr<const DeviceLoop>>(roles.copies.front())->body;
}

Expr chosenBy(const std::string &variable) {
  return Expr::make(Op::Select, Type::Int64,
                    {Expr::make(Op::Lt, {symbol(variable), symbol("end")}), Expr::integer(3), symbol("offset")});
}

} // namespace

TEST(NamedPlaces, AChoiceOfTheTurnHasAName) {
  DeviceRoles roles = filling(symbol("turn") + chosenBy("turn"));
  namePlaces(roles, {}, {"n"});
  ASSERT_EQ(turnOf(roles).size(), 2U);
  const auto *let = std::get_if<DeviceLet>(&turnOf(roles).front());
  ASSERT_NE(let, nullptr);
  EXPECT_TRUE(equal(let->value, chosenBy("turn")));
  EXPECT_TRUE(equal(std::get<DeviceFill>(turnOf(roles).back()).first[0], symbol("turn") + symbol(let->name)));
}

TEST(NamedPlaces, WhatIsReadForTheTurnHasAName) {
  DeviceRoles roles = filling(Expr::read("chunks", {symbol("turn")}, Type::Int32));
  namePlaces(roles, {}, {"n"});
  EXPECT_EQ(turnOf(roles).size(), 2U);
}

TEST(NamedPlaces, WhatDependsOnSomethingElseHasNone) {
  for (const Expr &at : {symbol("turn"), chosenBy("n"), chosenBy("row of a tile")}) {
    DeviceRoles roles = filling(at);
    namePlaces(roles, {}, {"n"});
    EXPECT_EQ(turnOf(roles).size(), 1U);
  }
}
