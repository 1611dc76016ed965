"use strict";
// Shows what the data of the page say: nothing is computed here that the tool did not compute. Every text of the input
// is set as text, never as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const state = { index: 0, off: new Set(), mends: new Set(), reorder: false };
const byId = (id) => document.getElementById(id);

/** An element: el("button", {type: "button", onclick: f}, "text", other elements...). */
function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const svgSpace = "http://www.w3.org/2000/svg";
function svgEl(name, attributes = {}) {
  const made = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const shown = () => data.functions[state.index];
const replaysOf = (f) => f.replays || [];
const trialOf = (f, mended) => (f.trials || []).find((trial) => trial.mended === mended);
const indexOf = (f, id) => f.statements.findIndex((statement) => statement.id === id);
const format = (value) => (value === null ? "none" : Number(value.toPrecision(6)).toString());

const manyStatements = 20;
const nestOf = (f, s) => (f.statements[s].loops.length ? f.statements[s].loops[0] : -1 - s);
/** Statements by outermost loop, each with a title: a list of many is folded so. Few are one list without one. */
function byNest(f) {
  const all = f.statements.map((_, s) => s);
  if (all.length < manyStatements) return [["", all]];
  const nests = new Map();
  for (const s of all) nests.set(nestOf(f, s), [...(nests.get(nestOf(f, s)) || []), s]);
  return [...nests.values()].map((own) => {
    const [first, last] = [f.statements[own[0]], f.statements[own[own.length - 1]]];
    return [`nest at line ${first.where.line}: ${own.length > 1 ? first.id + " to " + last.id : first.id}`, own];
  });
}

/** What lies in the file that is shown; a place in another file names that one. */
const here = (where) => (where && where.file === undefined ? where : null);

/** Where so many bytes of the text end: places count bytes, JavaScript does not. */
function afterBytes(text, bytes) {
  let at = 0;
  for (const letter of text) {
    if (bytes <= 0) break;
    bytes -= new TextEncoder().encode(letter).length;
    at += letter.length;
  }
  return at;
}

/** The text of a line in three parts: before, within and after a place; null where nothing of the place is in it. */
function partsOf(text, line, where) {
  if (!where || !where.col || !where.endCol || line < where.line || line > where.endLine) return null;
  const begin = line === where.line ? afterBytes(text, where.col - 1) : text.search(/\S|$/);
  const end = line === where.endLine ? afterBytes(text, where.endCol - 1) : text.length;
  return begin < end ? [text.slice(0, begin), text.slice(begin, end), text.slice(end)] : null;
}

/** The ids of statements: all of them, and short where they are many ("S0–S11", "S0, S2 +5"). */
function idsOf(f, statements) {
  const ids = statements.map((s) => f.statements[s].id);
  const all = ids.join(" ");
  const inTurn = statements.every((s, k) => s === statements[0] + k);
  if (ids.length > 2 && inTurn) return { all, short: `${ids[0]}–${ids[ids.length - 1]}` };
  return { all, short: ids.length > 3 ? `${ids[0]}, ${ids[1]} +${ids.length - 2}` : all };
}

/** A numbered line that lights its statements; `content` is what stands for its text. */
function lineRow(number, text, statements, content = [text || " "]) {
  const ids = idsOf(shown(), statements);
  const parts = [
    el("span", { class: "number", "aria-hidden": "true" }, String(number)),
    el("span", { class: "ids", title: ids.short === ids.all ? null : ids.all }, ids.short),
    el("span", {}, ...content),
  ];
  if (!statements.length) return el("div", { class: "row" }, ...parts);
  const label = `line ${number}, ${ids.all}: ${text.trim()}`;
  const row = el("button", { type: "button", class: "row", "aria-label": label }, ...parts);
  row.dataset.statements = statements.join(" ");
  lights(
    row,
    () => highlight(statements, [], row),
    () => showStatements(statements, row),
  );
  return row;
}

/** Fills a pane with rows; all of them leave the same room for ids. One in which nothing takes the focus takes it. */
function fill(pane, rows) {
  const widths = rows.map((row) => row.querySelector(".ids").textContent.length);
  pane.style.setProperty("--ids", `${Math.max(2, ...widths)}ch`);
  if (rows.some((row) => row.matches("button"))) pane.removeAttribute("tabindex");
  else pane.tabIndex = 0;
  pane.replaceChildren(...rows);
}

/** Brings a row of a pane near its top; the page itself stays. */
function showRow(pane, row) {
  pane.scrollTop += row.getBoundingClientRect().top - pane.getBoundingClientRect().top - 20;
}

function showSource() {
  const f = shown();
  const lines = data.source.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const blocked = f.reason ? here(f.reasonAt) : null;
  const rows = lines.map((line, k) => {
    const text = line.replace(/\r$/, "");
    const statements = f.statements.flatMap(({ where }, s) =>
      here(where) && where.line <= k + 1 && k + 1 <= where.endLine ? [s] : [],
    );
    const parts = partsOf(text, k + 1, blocked);
    const content = parts
      ? [parts[0], el("mark", { class: "blocked", title: f.reason }, parts[1]), parts[2]]
      : [text || " "];
    const row = lineRow(k + 1, text, statements, content);
    row.dataset.line = k + 1;
    if (blocked && k + 1 === blocked.line) row.classList.add("bad");
    return row;
  });
  fill(byId("source"), rows);
  const first = here(f.where) ? rows[f.where.line - 1] : null;
  byId("source").scrollTop = 0;
  if (first) showRow(byId("source"), first);
}

/** The statements of the shown function that a printed line computes, by the line's number: the tool says which. */
function printedStatements() {
  const lines = new Map();
  for (const { line, function: index, statements } of data.printedLines || [])
    if (index === state.index) lines.set(line, [...(lines.get(line) || []), ...statements]);
  return (line) => [...new Set(lines.get(line))].sort((a, b) => a - b);
}

function showResult() {
  const f = shown();
  const parts = [];
  if (f.plan.length) {
    const plan = el("div", { class: "code", id: "plan", role: "group", "aria-label": "corrected program" });
    fill(
      plan,
      f.plan.map((line, k) => lineRow(k + 1, "  ".repeat(line.depth) + line.text, line.statements)),
    );
    parts.push(el("h3", {}, "Corrected program"), plan);
  }
  const printed = el("div", { class: "code", id: "printed", role: "group", "aria-label": "printed code" });
  if (data.printed && f.outcome === "transformed") {
    const ofLine = printedStatements();
    const lines = data.printed.replace(/\n$/, "").split("\n");
    const copies = new Set((data.printedLines || []).filter((one) => one.copy).map((one) => one.line));
    fill(
      printed,
      lines.map((text, k) => {
        const row = lineRow(k + 1, text, ofLine(k + 1));
        row.classList.toggle("copy", copies.has(k + 1));
        return row;
      }),
    );
    parts.push(el("h3", {}, "Printed code"));
    if (data.printedLines) parts.push(el("p", {}, "Lines are marked with the statements that they compute."));
    parts.push(printed);
  }
  if (!parts.length) parts.push(el("p", {}, "Nothing is printed for this function: it stays as it is."));
  byId("result").replaceChildren(...parts);
  const first = printed.querySelector("button.row:not(.copy)") || printed.querySelector("button.row");
  if (first) showRow(printed, first);
}

/** Where the pointer is, and where it was when a card was brought into view: what the page then moves under a pointer
 * that rests was not pointed at. */
const pointer = { at: null, resting: null };
const placeOf = (event) => `${event.clientX} ${event.clientY}`;
function watchPointer() {
  const watch = (kind, act) => document.addEventListener(kind, act, { capture: true, passive: true });
  for (const kind of ["pointermove", "pointerdown"]) watch(kind, (event) => (pointer.at = placeOf(event)));
  watch("wheel", () => (pointer.resting = null));
}

/** Lets a part of the page light what belongs to it when it is pointed at or has the focus, and act on a click. */
function lights(part, light, act) {
  part.addEventListener("mouseenter", (event) => {
    if (placeOf(event) === pointer.resting) return;
    pointer.resting = null;
    light();
  });
  part.addEventListener("focus", light);
  part.addEventListener("click", act);
}

/**
 * Scrolls a pane, never the page, to the first of its parts that are lit, unless one of them is to be seen. Lines that
 * copy the source's are the last choice.
 */
function reveal(pane) {
  const own = [...pane.querySelectorAll(".lit:not(.copy)")];
  const lit = own.length ? own : [...pane.querySelectorAll(".lit")];
  const seen = lit.map((part) => part.getBoundingClientRect()).filter((part) => part.height);
  const box = pane.getBoundingClientRect();
  let [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  if (bottom - top < 40) [top, bottom] = [box.top, box.bottom];
  if (!seen.length || seen.some((part) => part.top >= top && part.bottom <= bottom)) return;
  pane.scrollTop += seen[0].top - top - (bottom - top) / 3;
}

/** Lights what belongs to statements and dependences; `from`: the part that was pointed at, whose pane does not move. */
function highlight(statements, edges = [], from = null) {
  const wanted = new Set(statements.map(String));
  for (const row of document.querySelectorAll("button.row")) {
    const own = row.dataset.statements.split(" ");
    row.classList.toggle(
      "lit",
      own.some((s) => wanted.has(s)),
    );
  }
  for (const node of document.querySelectorAll(".drawing .node")) {
    node.classList.toggle(
      "lit",
      statements.some((s) => node.classList.contains("s" + s)),
    );
  }
  for (const edge of document.querySelectorAll(".drawing .edge")) {
    edge.classList.toggle(
      "lit",
      edges.some((e) => (edge.standsFor || []).includes(e)),
    );
  }
  for (const pane of document.querySelectorAll("#source, #graph, #plan, #printed"))
    if (!pane.contains(from) && !pane.matches(":hover")) reveal(pane);
}

const sameArrow = (a, b) =>
  a.from === b.from &&
  a.to === b.to &&
  a.kind === b.kind &&
  a.verdict === b.verdict &&
  a.privatised === b.privatised &&
  (a.kind !== "flow" || a.verdict !== "kept" || a.privatised || a.reduction === b.reduction);

const sameNests = (f, a, b) =>
  ["from", "to"].every((end) => nestOf(f, indexOf(f, a[end])) === nestOf(f, indexOf(f, b[end])));

/** Makes nodes and arrows of the drawing answer the pointer and the keyboard. */
function wireDrawing(drawing) {
  const f = data.functions[drawing.dataset.function];
  const svg = drawing.querySelector("svg");
  if (!svg) return;
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", `statement graph of ${f.name}`);
  for (const title of svg.querySelectorAll("title")) title.remove();
  const button = (g, label, light, act) => {
    g.setAttribute("role", "button");
    g.setAttribute("tabindex", "0");
    g.setAttribute("aria-label", label);
    lights(g, light, act);
    g.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    });
  };
  for (const g of svg.querySelectorAll(".node")) {
    const nest = [...g.classList].find((name) => /^n-?\d+$/.test(name));
    const one = [...g.classList].find((name) => /^s\d+$/.test(name));
    const statements = one
      ? [Number(one.slice(1))]
      : nest
        ? f.statements.flatMap((s, k) => (String(s.loops.length ? s.loops[0] : -1 - k) === nest.slice(1) ? [k] : []))
        : [];
    if (!statements.length) continue;
    const first = f.statements[statements[0]];
    const label = one ? `${first.id}: ${first.text}` : `nest of ${statements.length} statements from ${first.id}`;
    button(
      g,
      label,
      () => highlight(statements, [], g),
      () => showStatements(statements, g),
    );
  }
  for (const g of svg.querySelectorAll(".edge")) {
    const name = [...g.classList].find((c) => /^g\d+$/.test(c));
    if (!name) continue;
    const first = f.dependences[Number(name.slice(1))];
    const folded = drawing.dataset.view === "folded";
    const alike = folded ? (e) => e.kind === first.kind && sameNests(f, first, e) : (e) => sameArrow(first, e);
    g.standsFor = f.dependences.filter(alike).map((e) => e.id);
    g.members = folded ? [first.id] : g.standsFor;
    const ends = [indexOf(f, first.from), indexOf(f, first.to)];
    const label = `${first.kind} dependence on ${first.array} from ${first.from} to ${first.to}, ${first.verdict}`;
    button(
      g,
      label,
      () => highlight(ends, g.members, g),
      () => showEdges(g.members, g),
    );
  }
}

const viewNames = { flow: "flow", all: "all kinds", folded: "folded by nest" };
function showGraph() {
  const own = [...document.querySelectorAll(`.drawing[data-function="${state.index}"]`)];
  const select = byId("view");
  const options = own.map((d) => el("option", { value: d.dataset.view }, viewNames[d.dataset.view]));
  select.replaceChildren(...options);
  select.parentElement.hidden = !own.length;
  const reasons = shown().reasonEdges || [];
  for (const edge of own.flatMap((d) => [...d.querySelectorAll(".edge")])) {
    const isReason = reasons.some((e) => (edge.standsFor || []).includes(e));
    edge.classList.toggle("blocks", isReason);
  }
  const folded = own.find((d) => d.dataset.view === "folded");
  const first = folded || own.find((d) => d.querySelector(".blocks")) || own[0];
  if (first) select.value = first.dataset.view;
  chooseView();
  if (!own.length) byId("graph").dataset.empty = "true";
}

function chooseView() {
  for (const drawing of document.querySelectorAll(".drawing"))
    drawing.hidden = Number(drawing.dataset.function) !== state.index || drawing.dataset.view !== byId("view").value;
}

function showOutcome() {
  const f = shown();
  const blocks = f.dependences.filter((e) => e.verdict === "refused" || (f.reasonEdges || []).includes(e.id));
  const words = f.outcome === "transformed" ? "was transformed" : "stays as it is";
  const parts = [`${f.name} ${words}${f.reason ? ": " + f.reason : ""}.`];
  if (blocks.length)
    parts.push(
      f.outcome === "transformed" ? " What keeps its loops apart: " : " What blocks it: ",
      ...blocks.flatMap((e) => [edgeButton(e), " ", el("span", { class: "bad" }, e.reason || ""), " "]),
    );
  byId("outcome").replaceChildren(...parts);
}

/** A link past the rest of the page is there where its target is. */
function showSkipLinks() {
  for (const link of document.querySelectorAll(".skip a")) link.hidden = document.querySelector(link.hash).hidden;
}

function choose(index) {
  state.index = index;
  state.off.clear();
  state.mends.clear();
  state.chosen = new Set();
  showOutcome();
  showSource();
  showResult();
  showGraph();
  showCard(el("p", {}, "Choose a statement or a dependence: with the pointer, or with Tab and Enter."));
  showTable();
  startReplay();
  showWhatIf();
  showSkipLinks();
}

function start() {
  const select = byId("function");
  select.replaceChildren(...data.functions.map((f, k) => el("option", { value: k }, f.name)));
  select.parentElement.hidden = data.functions.length < 2;
  select.addEventListener("change", () => choose(Number(select.value)));
  byId("view").addEventListener("change", chooseView);
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.style.colorScheme
      ? root.style.colorScheme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.style.colorScheme = dark ? "light" : "dark";
  });
  watchPointer();
  document.querySelectorAll(".drawing").forEach(wireDrawing);
  if (data.functions.length) choose(0);
  else byId("outcome").textContent = "No function here has a body.";
}

document.addEventListener("DOMContentLoaded", start);
