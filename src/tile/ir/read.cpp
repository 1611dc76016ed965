// Text -> TileProgram; the grammar is note [grammar] of write.cpp. The first failure is the result, with its line.
// A function a rule of the grammar, hence one file.
#include "tile/conversions.h"
#include "tile/text_reader.h"
#include "tile/visit.h"
#include "tile/words.h"

namespace polymend {

namespace {

using namespace tile;

class Reader : public TextReader {
public:
  using TextReader::TextReader;
  Result<TileProgram> program();

private:
  Kernel kernel();
  TileBlock block();
  TileNode node();
  TileNode loop();
  TileNode branch();
  TilePoints points();
  TileNode async();
  TileNode sync();
  TileRole role();
};

TileNode Reader::loop() {
  auto l = std::make_shared<TileLoop>();
  loopHead(*l);
  if (acceptWord("unroll")) l->kind = TileLoop::Kind::Unroll;
  if (acceptWord("shared")) l->kind = TileLoop::Kind::Shared;
  l->body = block();
  return std::shared_ptr<const TileLoop>(std::move(l));
}

TileNode Reader::branch() {
  return std::make_shared<const TileBranch>(choice<TileBranch>([&] { return block(); }));
}

TilePoints Reader::points() {
  TilePoints p;
  expectWord("points");
  p.dims = dims();
  expectMark("{");
  while (!failed() && !acceptMark("}")) p.body.push_back(assign());
  return p;
}

TileNode Reader::async() {
  TileAsync a;
  a.kind = asyncKindOf(take().text).value_or(TileAsync::Kind::Copy);
  if (!isWord("points")) a.name = name();
  a.points = points();
  return nodeOf(std::move(a));
}

TileNode Reader::sync() {
  TileSync s;
  s.kind = syncKindOf(take().text).value_or(TileSync::Kind::Get);
  s.name = name();
  return s;
}

TileNode Reader::node() {
  if (peek().kind == Token::Kind::Note) return TileNote{take().text};
  if (isWord("for")) return loop();
  if (isWord("if")) return branch();
  if (isWord("points")) return nodeOf(points());
  if (peek().kind == Token::Kind::Word && asyncKindOf(peek().text)) return async();
  if (peek().kind == Token::Kind::Word && syncKindOf(peek().text)) return sync();
  return assign();
}

TileBlock Reader::block() {
  return nodes<TileBlock>([&] { return node(); });
}

TileRole Reader::role() {
  TileRole r;
  expectWord("role");
  r.name = name();
  expectWord("groups");
  r.groups = count();
  if (acceptWord("registers")) r.registers = count();
  r.body = block();
  return r;
}

Kernel Reader::kernel() {
  Kernel k;
  expectWord("kernel");
  k.name = name();
  expectWord("grid");
  k.grid = dims();
  if (isWord("order")) k.order = order();
  k.lets = lets();
  if (acceptWord("when")) k.when = expr();
  if (acceptWord("fallback")) k.fallback = name();
  if (acceptWord("atom")) k.atom = name();
  const std::optional<int> converted = acceptWord("conversions") ? std::optional(count()) : std::nullopt;
  expectMark("{");
  while (!failed() && atArray()) k.tiles.push_back(array());
  while (!failed() && !isWord("role") && !isMark("}")) k.body.push_back(node());
  while (!failed() && isWord("role")) k.roles.push_back(role());
  if (!failed() && converted && *converted != static_cast<int>(conversions(k).size()))
    fail("the kernel has " + std::to_string(conversions(k).size()) + " conversions");
  expectMark("}");
  return k;
}

Result<TileProgram> Reader::program() {
  TileProgram p;
  expectWord("program");
  p.function = name();
  if (acceptWord("returns")) p.returns = type();
  p.arrays = interface(p.sizes, p.given, p.scalars);
  p.kernels = kernels<Kernel>([&] { return kernel(); });
  if (failure) return *failure;
  return p;
}

} // namespace

Result<TileProgram> readText(const std::string &text) {
  Result<std::vector<Token>> tokens = tokenize(text);
  if (!tokens) return tokens.refusal();
  return Reader(*std::move(tokens)).program();
}

} // namespace polymend
