#include "polymend/tile.h"

namespace polymend {

Op operationOf(Update update) {
  switch (update) {
  case Update::Product: return Op::Mul;
  case Update::Max: return Op::Max;
  case Update::Min: return Op::Min;
  case Update::FMax: return Op::FMax;
  case Update::FMin: return Op::FMin;
  default: return Op::Add;
  }
}

} // namespace polymend
