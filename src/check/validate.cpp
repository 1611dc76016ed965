// The plan's structure: what runs when, recomputed from the seats of its members. A reduction reads another of the same
// loop only if its correction watches that one, aligned as the blocking pair says; everything else it reads is
// finished.
#include "polymend/validate.h"

#include "check/validate_run.h"

#include <algorithm>

namespace polymend {
namespace {

struct Seat {
  int kernel = -1, phase = -1, position = -1;
  const Member *member = nullptr;
};

class Structure {
public:
  Structure(const Relaxed &source, const Schedule &plan) : relaxed(source), schedule(plan) {
    seats.resize(relaxed.system->equations.size());
    for (std::size_t k = 0; k < schedule.kernels.size(); ++k)
      for (std::size_t p = 0; p < schedule.kernels[k].phases.size(); ++p)
        seat(static_cast<int>(k), static_cast<int>(p));
  }

  std::vector<std::string> run() {
    for (std::size_t e = 0; e < seats.size(); ++e) {
      if (!seats[e].member)
        complain(e, "is computed nowhere");
      else
        check(e);
    }
    return found;
  }

private:
  const Relaxed &relaxed;
  const Schedule &schedule;
  std::vector<Seat> seats;
  std::vector<std::string> found;

  [[nodiscard]] const Equation &at(std::size_t e) const { return relaxed.system->equations[e]; }
  void complain(std::size_t e, const std::string &what) { found.push_back("'" + at(e).name + "' " + what); }

  void seat(int kernel, int phase) {
    const auto &members =
        schedule.kernels[static_cast<std::size_t>(kernel)].phases[static_cast<std::size_t>(phase)].members;
    for (std::size_t m = 0; m < members.size(); ++m) {
      Seat &own = seats[static_cast<std::size_t>(members[m].equation)];
      if (own.member) complain(static_cast<std::size_t>(members[m].equation), "is computed twice");
      own = {kernel, phase, static_cast<int>(m), &members[m]};
    }
  }

  [[nodiscard]] bool watches(const Member &member, int producer) const {
    if (member.mended < 0) return false;
    const std::vector<int> &producers = relaxed.mended[static_cast<std::size_t>(member.mended)].producers;
    return std::find(producers.begin(), producers.end(), producer) != producers.end();
  }

  void check(std::size_t e) {
    const Seat &own = seats[e];
    for (const Operand &operand : at(e).operands) {
      if (operand.equation < 0) continue;
      const Seat &from = seats[static_cast<std::size_t>(operand.equation)];
      if (!from.member) continue;
      const bool sameLoop = from.kernel == own.kernel && from.phase == own.phase;
      const bool finished = from.kernel != own.kernel ? from.kernel < own.kernel : from.phase < own.phase;
      if (finished) continue;
      const std::string name = "'" + at(static_cast<std::size_t>(operand.equation)).name + "'";
      if (!sameLoop || from.position >= own.position)
        complain(e, "reads " + name + " before it is computed");
      else if (from.member->role == Member::Role::Reduce && !watches(*own.member, operand.equation))
        complain(e, "reads the running value of " + name + " without a correction");
    }
    if (own.member->mended >= 0) checkMended(e);
  }

  void checkMended(std::size_t e) {
    const Seat &own = seats[e];
    const Mended &mended = relaxed.mended[static_cast<std::size_t>(own.member->mended)];
    if (mended.consumer != static_cast<int>(e)) complain(e, "is carried by another reduction's correction");
    for (int producer : mended.producers) {
      const Seat &from = seats[static_cast<std::size_t>(producer)];
      if (!from.member || from.kernel != own.kernel || from.phase != own.phase || from.position >= own.position)
        complain(e, "does not run after '" + at(static_cast<std::size_t>(producer)).name + "' in its loop");
      else if (!aligned(e, producer, *own.member, *from.member))
        complain(e, "does not run at the positions of '" + at(static_cast<std::size_t>(producer)).name + "'");
    }
  }

  [[nodiscard]] bool aligned(std::size_t e, int producer, const Member &own, const Member &from) const {
    const auto pair = std::find_if(relaxed.fused.begin(), relaxed.fused.end(), [&](const Blocking &b) {
      return b.consumer == static_cast<int>(e) && b.producer == producer;
    });
    if (pair == relaxed.fused.end() || own.rows.size() != from.rows.size() || own.rolled.size() != from.rolled.size())
      return false;
    const unsigned keys = at(static_cast<std::size_t>(producer)).keys, ownKeys = at(e).keys;
    for (std::size_t r = 0; r < own.rows.size(); ++r)
      if (own.rows[r] != pair->rows[static_cast<std::size_t>(from.rows[r])]) return false;
    for (std::size_t k = 0; k < own.rolled.size(); ++k)
      if (pair->alignment[static_cast<std::size_t>(own.rolled[k]) - ownKeys] !=
          static_cast<unsigned>(from.rolled[k]) - keys)
        return false;
    return true;
  }
};

} // namespace

std::vector<std::string> validate(const Passage &passage, const TileProgram &program, const Effort &effort) {
  if (!passage.relaxed || !passage.schedule || !passage.relaxed->system || passage.schedule->order) return {};
  std::vector<std::string> found = Structure(*passage.relaxed, *passage.schedule).run();
  const std::vector<std::string> more = validateByRunning(passage, program, effort);
  found.insert(found.end(), more.begin(), more.end());
  return found;
}

} // namespace polymend
