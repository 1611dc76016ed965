// What the files of the room share.
#pragma once

#include "polymend/graph.h"

namespace polymend::graph_room {

std::vector<DrawnLoop> loopsOf(const Function &function);
/// The statement's loops by its iterators; empty where one is not among `loops`.
std::vector<int> loopsAround(const Statement &statement, const std::vector<DrawnLoop> &loops);
/// Empty where a statement has iterators that are no loops of the source.
std::vector<Change> changesOf(const DrawnFunction &function, const Scop &scop, const Dependences &dependences);
void addReplays(DrawnFunction &function, const FunctionTrace &trace, const DrawOptions &options);
/// { Statement[x] -> [time] } of a schedule of all statements, per statement.
std::vector<isl::map> timesIn(const Scop &scop, const isl::schedule &schedule);
/// { Statement[x] -> [time] } of the planned order in tiles of `tile` elements, per statement; refused: why it has no
/// such form.
Result<std::vector<isl::map>> plannedTimes(const FunctionTrace &trace, int tile);
/// What the order of plannedTimes() is called.
std::string orderName(const FunctionTrace &trace);
std::vector<Trial> trialsOf(const FunctionTrace &trace);
std::vector<OutlineLine> outlineOf(const FunctionTrace &trace);

} // namespace polymend::graph_room
