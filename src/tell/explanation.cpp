// What `explain` says, for programs and for a browser.
#include "polymend/tell.h"

#include <boost/json.hpp>

#include <sstream>

namespace polymend {

namespace json = boost::json;

namespace {

std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text) switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    default: out += c;
    }
  return out;
}

const char *const head = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 0 auto; padding: 1em; }
pre { font: 14px/1.4 monospace; overflow-x: auto; border-left: 3px solid #8888; padding-left: 1em; }
pre span::before { content: attr(data-line); display: inline-block; width: 3em; opacity: .7; }
</style>
)";

} // namespace

std::string explanationJson(const std::string &report, const std::vector<Explained> &functions) {
  json::object all = report.empty() ? json::object() : json::parse(report).as_object();
  json::array told;
  for (const Explained &function : functions)
    told.push_back({{"name", function.name},
                    {"text", function.text},
                    {"plan", json::array(function.plan.begin(), function.plan.end())}});
  all["explanations"] = told;
  return json::serialize(all) + "\n";
}

std::string explanationPage(const std::string &file, const std::string &source,
                            const std::vector<Explained> &functions) {
  std::string page = head;
  page += "<title>" + escaped(file) + "</title>\n<main>\n<h1>" + escaped(file) + "</h1>\n";
  for (const Explained &function : functions) {
    page += "<h2>" + escaped(function.name) + "</h2>\n";
    if (!function.plan.empty()) {
      page += "<h3>The plan</h3>\n<ul>\n";
      for (const std::string &sentence : function.plan) page += "<li>" + escaped(sentence) + "</li>\n";
      page += "</ul>\n";
    }
    page += "<h3>The decisions</h3>\n<pre tabindex=\"0\">" + escaped(function.text) + "</pre>\n";
  }
  page += "<h2>The source</h2>\n<pre tabindex=\"0\">";
  std::istringstream lines(source);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = std::to_string(++number);
    page += "<span id=\"L" + name + "\" data-line=\"" + name + "\">" + escaped(line) + "</span>\n";
  }
  return page + "</pre>\n</main>\n</html>\n";
}

} // namespace polymend
