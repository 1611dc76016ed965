// Rows of a tile lie in a box as its copy brings them: those along the last dimension one after the other.
#include "polymend/device_roles.h"

namespace polymend {

Expr placeInBox(const DeviceChannel &channel, std::size_t dim, const Expr &row) {
  std::int64_t behind = 1;
  for (std::size_t d = dim + 1; d < channel.box.size(); ++d) behind *= channel.box[d];
  const Expr turn = Expr::make(Op::FloorDiv, Type::Int64, {row, Expr::integer(behind)});
  return Expr::make(Op::FloorMod, Type::Int64, {turn, Expr::integer(channel.box[dim])});
}

} // namespace polymend
