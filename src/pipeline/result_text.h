// result_text: the file that a run prints, with its banner and its lines.
#pragma once

#include "compilation.h"

namespace polymend {

PrintOptions printing(const PipelineOptions &options);
/// What of the options shapes a text, as words of a command line.
std::string wordsOf(const PipelineOptions &options);
/// A printed file, laid out and below its banner; the source where nothing of it was replaced.
Result<Printed> wholeFile(const Printed &printed, const Nest &nest, const PipelineOptions &options);
/// Its text, with `#line` where they are asked for.
Result<std::string> laidOut(const Printed &printed, const Nest &nest, const PipelineOptions &options);
/// What a function's result rests on, for the printed file: without the directory that the source lies in.
std::vector<std::string> assumedIn(const PipelineOptions &options, const FunctionTrace &trace);
/// Declarations of what was transformed, and of what was read and is left: its original is in the text.
std::string headerOf(const Compilation &compilation, const PipelineOptions &options);

} // namespace polymend
