// parse: runs Clang in this process on one file. Errors become diagnostics of the main file (an error within a header
// stands at the line that includes it); without errors the chosen functions are read. Bodies of system headers are
// skipped where the language allows it: what they compute is known by name.
#include "call_sites.h"
#include "command.h"
#include "index_facts.h"
#include "narrow_uses.h"
#include "ranges.h"
#include "reader.h"
#include "regions.h"
#include "select.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace polymend {

namespace {

struct Job {
  const std::string &file;
  const ParseOptions &options;
  ParseOutcome outcome;
  std::vector<Region> regions;
  bool typesAlias = false; // -fno-strict-aliasing
  std::vector<IndexPragma> pragmas;
};

class Collector : public clang::DiagnosticConsumer {
public:
  Collector(std::string mainFile, std::vector<Diagnostic> &collected)
      : file(std::move(mainFile)), diagnostics(collected) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, info);
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    if (level == clang::DiagnosticsEngine::Note) {
      if (keepsNotes) diagnostics.back().notes.push_back(placed(Severity::Note, info, text.str().str()));
      return;
    }
    keepsNotes = level >= clang::DiagnosticsEngine::Error;
    if (keepsNotes) diagnostics.push_back(placed(Severity::Error, info, text.str().str()));
  }

private:
  Diagnostic placed(Severity severity, const clang::Diagnostic &info, std::string text) const {
    SourceRange where;
    where.file = file;
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return {severity, where, std::move(text), {}};
    const clang::SourceManager &manager = info.getSourceManager();
    clang::SourceLocation place = manager.getExpansionLoc(info.getLocation());
    if (!manager.isInMainFile(place))
      text = "in '" + manager.getFilename(place).str() + "', line " +
             std::to_string(manager.getSpellingLineNumber(place)) + ": " + text;
    while (place.isValid() && !manager.isInMainFile(place)) place = manager.getIncludeLoc(manager.getFileID(place));
    if (place.isInvalid()) return {severity, where, std::move(text), {}};
    where.line = where.endLine = manager.getSpellingLineNumber(place);
    where.column = manager.getSpellingColumnNumber(place);
    where.endColumn = where.column + 1;
    where.begin = manager.getFileOffset(place);
    where.end = where.begin + 1;
    return {severity, where, std::move(text), {}};
  }

  std::string file;
  std::vector<Diagnostic> &diagnostics;
  bool keepsNotes = false;
};

class Marker : public clang::PragmaHandler {
public:
  Marker(llvm::StringRef name, bool opensRegion, std::vector<Region> &marked)
      : clang::PragmaHandler(name), opens(opensRegion), regions(marked) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer, clang::Token &) override {
    const clang::SourceManager &manager = preprocessor.getSourceManager();
    if (!manager.isInMainFile(introducer.Loc)) return;
    const unsigned offset = manager.getFileOffset(introducer.Loc);
    if (opens)
      regions.push_back({offset, ~0U});
    else if (!regions.empty())
      regions.back().end = std::min(regions.back().end, offset);
  }

private:
  bool opens;
  std::vector<Region> &regions;
};

/// Where -fno-strict-aliasing says so, elements of every type may share memory.
void letAlias(Function &function, const Job &job) {
  for (Array &array : function.arrays) array.aliasesAny = array.aliasesAny || job.typesAlias;
}

/// Adds what the source declares of the function's index arrays.
void declare(clang::ASTContext &context, const clang::FunctionDecl &definition, bool isWhole, Job &job,
             Function &function) {
  if (job.pragmas.empty()) return;
  for (Diagnostic &error : declareFacts(pragmasOf(context, definition, job.pragmas), isWhole, function))
    job.outcome.diagnostics.push_back(std::move(error));
}

/// The parts of a function that `#pragma scop` marks, where they are not all of it; false: there are none.
bool readMarked(clang::ASTContext &context, const clang::FunctionDecl &definition, const std::string &name, Job &job,
                Nest &nest) {
  std::vector<Result<Function>> marked;
  for (const Region &region : job.regions)
    if (const auto statements = statementsIn(context, definition, region); !statements.empty())
      marked.push_back(readRegion(context, definition, statements, {job.file, job.options.isDevice},
                                  marked.empty() ? name : name + "_" + std::to_string(marked.size() + 1)));
  for (Result<Function> &one : marked) {
    if (one) letAlias(*one, job);
    if (one) declare(context, definition, false, job, *one);
    if (one)
      nest.functions.push_back(std::move(*one));
    else
      nest.left.push_back({name, one.refusal()});
  }
  return !marked.empty();
}

/// Reads one function into the nest. What the reader gets wrong costs this function alone: it stays as it is.
void readOne(clang::ASTContext &context, const clang::FunctionDecl &definition, const std::string &name, Job &job,
             Nest &nest) {
  try {
    if (readMarked(context, definition, name, job, nest)) return;
    const ReadFor what{job.file, job.options.isDevice};
    Result<Function> function = readFunction(context, definition, what, name);
    std::optional<Refusal> why;
    const bool isRead = function && std::none_of(function->ends.begin(), function->ends.end(),
                                                 [](const DataEnd &end) { return end.isLong; });
    for (Function &part : readParts(context, definition, what, name, isRead, &why)) {
      letAlias(part, job);
      declare(context, definition, false, job, part);
      nest.parts.emplace_back(name, std::move(part));
    }
    if (function) letAlias(*function, job);
    if (function) declare(context, definition, true, job, *function);
    if (function)
      nest.functions.push_back(std::move(*function));
    else {
      const bool isOutside = isOutsideLoops(context, definition, function.refusal().where);
      const bool isOfHead =
          function.refusal().where.begin < rangeOf(context, definition.getBody()->getSourceRange(), job.file).begin;
      const bool isOwn = why && isOutside && (isOfHead || !isOutsideLoops(context, definition, why->where));
      nest.left.push_back({name, isOwn ? *why : function.refusal(), false, !why && isOutside});
    }
  } catch (const std::exception &failure) {
    const SourceRange where = rangeOf(context, definition.getSourceRange(), job.file);
    nest.left.push_back({name, {std::string("internal error: ") + failure.what(), where}, true});
  }
}

void readAll(clang::ASTContext &context, Job &job) {
  Nest nest;
  job.outcome.diagnostics = misspelled(job.pragmas);
  const auto chosen = selectFunctions(context, job.options.entries, job.regions, job.outcome.diagnostics);
  std::map<std::string, int> sharing;
  for (const clang::FunctionDecl *definition : chosen)
    for (const clang::FunctionDecl *instance : instancesOf(*definition)) {
      const std::string name = nameOf(*instance);
      const int before = sharing[name]++;
      readOne(context, *instance, before == 0 ? name : name + "_" + std::to_string(before + 1), job, nest);
    }
  for (const clang::FunctionDecl *definition : definitions(context))
    for (CallSite &call : findCalls(context, *definition, job.file)) nest.calls.push_back(std::move(call));
  nest.typeNames = findTypeNames(context, job.file);
  if (!nest.typeNames.empty()) nest.narrowUses = findNarrowUses(context, job.file);
  job.outcome.nest = std::move(nest);
}

class Consumer : public clang::ASTConsumer {
public:
  Consumer(clang::CompilerInstance &clangInstance, Job &parseJob) : instance(clangInstance), job(parseJob) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!context.getDiagnostics().hasErrorOccurred()) readAll(context, job);
  }

  bool shouldSkipFunctionBody(clang::Decl *declared) override {
    return instance.getSourceManager().isInSystemHeader(declared->getLocation());
  }

private:
  clang::CompilerInstance &instance;
  Job &job;
};

class Action : public clang::ASTFrontendAction {
public:
  explicit Action(Job &parseJob) : job(parseJob) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance, llvm::StringRef) override {
    instance.getFrontendOpts().SkipFunctionBodies = true;
    job.typesAlias = instance.getCodeGenOpts().RelaxedAliasing;
    instance.getPreprocessor().AddPragmaHandler(new Marker("scop", true, job.regions));
    instance.getPreprocessor().AddPragmaHandler(new Marker("endscop", false, job.regions));
    instance.getPreprocessor().AddPragmaHandler(new IndexPragmas(job.file, job.pragmas));
    return std::make_unique<Consumer>(instance, job);
  }

private:
  Job &job;
};

std::optional<std::string> textOf(const std::string &file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  text << input.rdbuf();
  return input ? std::optional(text.str()) : std::nullopt;
}

/// The files as they are, but for the main one, behind which stand the instances that entries name.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> withInstances(const std::string &file, const std::string &text,
                                                              const std::vector<std::string> &entries) {
  const std::string instances = instantiations(entries);
  if (instances.empty()) return llvm::vfs::getRealFileSystem();
  const llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
  const llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> extended(new llvm::vfs::InMemoryFileSystem);
  std::error_code error;
  const std::string path = std::filesystem::absolute(file, error).string();
  extended->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text + instances + "\n"));
  all->pushOverlay(extended);
  return all;
}

ParseOutcome failure(const std::string &file, const std::string &message) {
  SourceRange where;
  where.file = file;
  return {{{Severity::Error, where, message, {}}}, std::nullopt};
}

} // namespace

ParseOutcome parse(const std::string &file, const ParseOptions &options) {
  const auto text = textOf(file);
  if (!text) return failure(file, "cannot read '" + file + "'");
  const Result<CompileCommand> database = databaseFlags(file, options);
  if (!database) return failure(file, database.refusal().reason);
  Job job{file, options, {}, {}, false, {}};
  Collector collector(file, job.outcome.diagnostics);
  clang::FileSystemOptions system;
  system.WorkingDir = database->directory;
  const llvm::IntrusiveRefCntPtr<clang::FileManager> files(
      new clang::FileManager(system, withInstances(file, *text, options.entries)));
  clang::tooling::ToolInvocation invocation(commandLine(file, options, *database), std::make_unique<Action>(job),
                                            files.get());
  invocation.setDiagnosticConsumer(&collector);
  const bool ran = invocation.run();
  if (!ran && job.outcome.diagnostics.empty()) return failure(file, "Clang could not be run on this file");
  if (!job.outcome.diagnostics.empty()) job.outcome.nest.reset();
  if (job.outcome.nest) {
    job.outcome.nest->file = file;
    job.outcome.nest->source = *text;
  }
  return std::move(job.outcome);
}

} // namespace polymend
