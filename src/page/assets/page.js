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

/** Text with the index of its first line: highlighted lines and statements come with their ids. */
function lineRow(number, ids, text, statements, extra) {
  const label = `line ${number}${ids ? ", " + ids : ""}: ${text.trim()}`;
  const parts = [
    el("span", { class: "number", "aria-hidden": "true" }, String(number)),
    el("span", { class: "ids" }, ids),
    el("span", {}, text || " "),
  ];
  if (!statements.length) return el("div", { class: "row" }, ...parts);
  const row = el("button", { type: "button", class: "row", "aria-label": label, ...extra }, ...parts);
  row.dataset.statements = statements.join(" ");
  const light = () => highlight(statements);
  row.addEventListener("mouseenter", light);
  row.addEventListener("focus", light);
  row.addEventListener("click", () => showStatements(statements));
  return row;
}

function showSource() {
  const f = shown();
  const lines = data.source.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const blocked = f.reason && f.reasonAt ? f.reasonAt.line : 0;
  const rows = lines.map((text, k) => {
    const statements = f.statements.flatMap((statement, s) =>
      statement.where && statement.where.line <= k + 1 && k + 1 <= statement.where.endLine ? [s] : [],
    );
    const row = lineRow(
      k + 1,
      statements.map((s) => f.statements[s].id).join(" "),
      text.replace(/\r$/, ""),
      statements,
    );
    row.dataset.line = k + 1;
    if (k + 1 === blocked) row.classList.add("bad");
    return row;
  });
  byId("source").replaceChildren(...rows);
  const first = f.where ? rows[f.where.line - 1] : null;
  if (first) byId("source").scrollTop = Math.max(0, first.offsetTop - byId("source").offsetTop - 20);
}

/** Printed lines belong to the statements whose array they name. */
function printedStatements(f, text) {
  if (/^\s*(#|\/\/\/? )/.test(text) && !/mend/.test(text)) return [];
  const words = new Set(text.split(/[^A-Za-z0-9_]+/));
  const names = (array) =>
    words.has(array) || [...words].some((word) => word === array + "_next" || word === array + "_mend");
  return f.statements.flatMap((statement, s) => (names(statement.array) ? [s] : []));
}

function showResult() {
  const f = shown();
  const parts = [];
  if (f.plan.length) {
    parts.push(el("h3", {}, "Corrected program"));
    const plan = el("div", { class: "code", id: "plan" });
    f.plan.forEach((line, k) => {
      const ids = line.statements.map((s) => f.statements[s].id).join(" ");
      plan.append(lineRow(k + 1, ids, "  ".repeat(line.depth) + line.text, line.statements));
    });
    parts.push(plan);
  }
  if (data.printed && f.outcome === "transformed") {
    parts.push(el("h3", {}, "Printed code"));
    parts.push(el("p", {}, "Lines are marked with the statements whose array they name."));
    const printed = el("div", { class: "code", id: "printed" });
    data.printed
      .replace(/\n$/, "")
      .split("\n")
      .forEach((text, k) => {
        const statements = printedStatements(f, text);
        printed.append(lineRow(k + 1, statements.map((s) => f.statements[s].id).join(" "), text, statements));
      });
    parts.push(printed);
  }
  if (!parts.length) parts.push(el("p", {}, "Nothing is printed for this function: it stays as it is."));
  byId("result").replaceChildren(...parts);
}

function highlight(statements, edges = []) {
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
      edges.some((e) => (edge.members || []).includes(e)),
    );
  }
}

const sameArrow = (a, b) =>
  a.from === b.from &&
  a.to === b.to &&
  a.kind === b.kind &&
  a.verdict === b.verdict &&
  a.privatised === b.privatised &&
  (a.kind !== "flow" || a.verdict !== "kept" || a.privatised || a.reduction === b.reduction);

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
    g.addEventListener("mouseenter", light);
    g.addEventListener("focus", light);
    g.addEventListener("click", act);
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
      () => highlight(statements),
      () => showStatements(statements),
    );
  }
  for (const g of svg.querySelectorAll(".edge")) {
    const name = [...g.classList].find((c) => /^g\d+$/.test(c));
    if (!name) continue;
    const first = f.dependences[Number(name.slice(1))];
    g.members =
      drawing.dataset.view === "folded"
        ? [first.id]
        : f.dependences.filter((e) => sameArrow(first, e)).map((e) => e.id);
    const ends = [indexOf(f, first.from), indexOf(f, first.to)];
    const label = `${first.kind} dependence on ${first.array} from ${first.from} to ${first.to}, ${first.verdict}`;
    button(
      g,
      label,
      () => highlight(ends, g.members),
      () => showEdges(g.members),
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
  if (own.some((d) => d.dataset.view === "folded")) select.value = "folded";
  chooseView();
  if (!own.length) byId("graph").dataset.empty = "true";
}

function chooseView() {
  for (const drawing of document.querySelectorAll(".drawing"))
    drawing.hidden = Number(drawing.dataset.function) !== state.index || drawing.dataset.view !== byId("view").value;
}

function showOutcome() {
  const f = shown();
  const refused = f.dependences.filter((e) => e.verdict === "refused");
  const words = f.outcome === "transformed" ? "was transformed" : "stays as it is";
  const parts = [`${f.name} ${words}${f.reason ? ": " + f.reason : "."}`];
  if (refused.length)
    parts.push(
      f.outcome === "transformed" ? " What keeps its loops apart: " : " What blocks it: ",
      ...refused.flatMap((e) => [edgeButton(e), " ", el("span", { class: "bad" }, e.reason || ""), " "]),
    );
  byId("outcome").replaceChildren(...parts);
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
  document.querySelectorAll(".drawing").forEach(wireDrawing);
  if (data.functions.length) choose(0);
  else byId("outcome").textContent = "No function here has a body.";
}

document.addEventListener("DOMContentLoaded", start);
