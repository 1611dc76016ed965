// tell: what became of a function, in a line, in a plan in words, as a header and as a page.
#pragma once

#include "polymend/account.h"
#include "polymend/remark_kinds.h"
#include "polymend/tile.h"

namespace polymend {

/// What a program is for.
enum class Processors { Threads, Gpu };

/// One line on a transformed function: which of its loops are one now, what is mended, what is parallel on which units,
/// and what that should gain.
SaidRemark passedRemark(const FunctionTrace &trace, const TileProgram &program, Processors on);

/// What the result of a transformed function should gain, by its plan: "x read once instead of twice".
std::string expectedOf(const FunctionTrace &trace, const TileProgram &program, Processors on);

/// The plan of a transformed function in words, a sentence a kernel; empty where loops keep their order.
std::vector<std::string> planInWords(const FunctionTrace &trace);

/// Which of `asked` the program lacks, as "is not parallel: ..."; absent: it has it.
std::optional<std::string> lacks(Quality asked, const FunctionTrace &trace, const TileProgram &program, Processors on);

/// A function as `explain` tells it.
struct Explained {
  std::string name;
  std::string text; // as explain() makes it
  std::vector<std::string> plan;
};
/// The report (schema 1) as one JSON object, with an array "explanations" of name, text and plan behind it.
std::string explanationJson(const std::string &report, const std::vector<Explained> &functions);
/// One page without scripts: each function's plan and explanation, and the numbered source.
std::string explanationPage(const std::string &file, const std::string &source,
                            const std::vector<Explained> &functions);

/// A header that declares the entries of a printed text: each function of `names` as the source declares it, and what
/// `text` has for callers with device pointers. Functions that a declaration cannot stand for (members, templates,
/// static ones, those of types that the source itself declares) are named in a comment. `name`: the source, in words.
std::string entryHeader(const Nest &nest, const std::vector<std::string> &names, const std::string &text,
                        const std::string &name);

} // namespace polymend
