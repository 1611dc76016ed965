// Cards of statements and dependences, and the table of all of them.

function showCard(...parts) {
  byId("card").replaceChildren(...parts);
}

/** Shows a card and brings it into view. */
function openCard(...parts) {
  showCard(...parts);
  pointer.resting = pointer.at;
  byId("card").parentElement.scrollIntoView({ block: "nearest" });
}

function edgeButton(e) {
  return el(
    "button",
    {
      type: "button",
      onclick: () => showEdges([e.id]),
      onfocus: () => highlight([indexOf(shown(), e.from), indexOf(shown(), e.to)], [e.id]),
    },
    `${e.from} → ${e.to} ${e.array} (${e.kind})`,
  );
}

function showStatements(statements, from = null) {
  const f = shown();
  const parts = statements.flatMap((s) => {
    const one = f.statements[s];
    const edges = f.dependences.filter((e) => !e.privatised && (e.from === one.id || e.to === one.id));
    return [
      el("h3", {}, `${one.id}, line ${one.where.line}`),
      el("p", { class: "formula" }, one.text),
      el("dl", {}, el("dt", {}, "instances, in isl's notation"), el("dd", { class: "formula" }, one.domain)),
      el("p", {}, ...edges.flatMap((e) => [edgeButton(e), " "])),
    ];
  });
  openCard(...parts);
  highlight(statements, [], from);
}

const loopName = (f, k) => `${f.loops[k].name} (line ${f.loops[k].where ? f.loops[k].where.line : "?"})`;
function changeText(f, change) {
  const loops = change.loops.map((k) => loopName(f, k)).join(", ");
  if (change.change === "fuse") return `fuse the loops ${loops}`;
  return change.change === "parallel" ? `run loop ${loops} in parallel` : `tile the loops ${loops}`;
}

const excerpt = (where) => {
  const line = (data.source.split("\n")[where.line - 1] || "").replace(/\r$/, "");
  const parts = partsOf(line, where.line, where);
  return parts ? parts[1] : "";
};

function accesses(list) {
  return list
    .filter(Boolean)
    .flatMap((where, k) =>
      here(where)
        ? [k ? "; " : "", `line ${where.line}: `, el("code", {}, excerpt(where))]
        : [k ? "; " : "", `${where.file}, line ${where.line}`],
    );
}

/** What the marks in a mend's formulas mean, of those that occur. */
function marksOf(mend) {
  const meanings = [
    ["'", "'", "the value after this element"],
    ["#", "#k", "the k-th number that is carried (the first is #0)"],
  ].filter(([sign]) => mend.includes(sign));
  const words = meanings.map(([, mark, meaning], k) => `${mark} ${k ? "" : "marks "}${meaning}`).join(", ");
  return words ? el("p", { class: "quiet" }, `${words}.`) : null;
}

function correctionParts(e) {
  const c = e.correction;
  if (!c) return [];
  const mend = c.mend.map((row, i) => `#${i} := ` + row.map((a, j) => `(${a}) · #${j}`).join(" + ")).join("; ");
  const rows = [
    ["carried", c.state.map((s, k) => `#${k} takes in ${s}, element by element`).join("; ")],
    ["pivot", c.pivot || "none"],
    ["mend", mend, marksOf(mend)],
    ["finish", `result = ${c.final}`],
    ["guards", c.guards.join("; ")],
  ];
  const proof = e.proof;
  const proofRows = proof
    ? [
        ["proved", c.obligations.join("; ") || "the result is free of the pivot"],
        ["equal by normal form", proof.normal_form],
        ["60 digits, random data", proof.numeric],
        ["Z3", proof.z3],
        ["in floating point", proof.conditioning],
      ]
    : [];
  const table = (caption, all) =>
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        {},
        el("caption", {}, caption),
        el(
          "tbody",
          {},
          ...all.map(([name, value, note]) =>
            el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, el("span", { class: "formula" }, value), note)),
          ),
        ),
      ),
    );
  return [table("Correction", rows), table("Proof obligations and outcome", proofRows)];
}

function trialTable(f, mended) {
  const trial = trialOf(f, mended);
  if (!trial || trial.why) return el("p", {}, `No six numbers: ${trial ? trial.why : "its formulas are not known"}.`);
  const named = (values) =>
    Object.entries(values)
      .map(([name, value]) => `${name} = ${format(value)}`)
      .join(", ");
  const carried = [
    ["before the mend", (step) => step.before],
    ["after the mend", (step) => step.after],
    ["with the element", (step) => step.taken],
    ["never mended", (step) => step.unmended],
  ].map(([head, values]) => [head, values, Math.max(...trial.steps.map((step) => values(step).length))]);
  const isWide = carried.some(([, , count]) => count > 1);
  const cells = (step) =>
    carried.flatMap(([, values, count]) =>
      Array.from({ length: count }, (_, k) => (k < values(step).length ? format(values(step)[k]) : "")),
    );
  const rows = trial.steps.map((step, k) =>
    el(
      "tr",
      {},
      ...[String(k), named(step.elements), named(step.producers), ...cells(step)].map((text) => el("td", {}, text)),
    ),
  );
  const head = (text) => el("th", { scope: "col", rowspan: isWide ? 2 : null }, text);
  const heads = [
    ...["element", "its numbers", "running value"].map(head),
    ...carried.map(([text, , count]) =>
      count > 1 ? el("th", { scope: "colgroup", colspan: count }, text) : head(text),
    ),
  ];
  const numbers = carried.flatMap(([, , count]) =>
    count > 1 ? Array.from({ length: count }, (_, k) => el("th", { scope: "col" }, `#${k}`)) : [],
  );
  return el(
    "div",
    { class: "scroll trial" },
    el("h3", {}, `${trial.array} on six numbers`),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...heads), isWide ? el("tr", {}, ...numbers) : null),
      el("tbody", {}, ...rows),
    ),
    el(
      "p",
      {},
      `Result ${format(trial.result)}; the source computes ${format(trial.expected)}; without the mend it would be ${format(trial.unmended)}.`,
    ),
  );
}

function showEdges(ids, from = null) {
  const f = shown();
  const edges = ids.map((id) => f.dependences[id]);
  state.chosen = new Set(ids);
  openCard(...edges.flatMap((e) => edgeCard(f, e)));
  highlight([...new Set(edges.flatMap((e) => [indexOf(f, e.from), indexOf(f, e.to)]))], ids, from);
  if (typeof drawReplay === "function") drawReplay();
}

function edgeCard(f, e) {
  const forbids = f.changes.filter((change) => change.obstacles.some((chain) => chain.includes(e.id)));
  const row = (name, ...value) => [el("dt", {}, name), el("dd", {}, ...value)];
  const verdict = el(
    "span",
    { class: e.verdict === "refused" ? "bad" : e.verdict === "corrected" ? "good" : "" },
    e.decided,
  );
  return [
    el("h3", {}, `${e.from} → ${e.to}: ${e.kind} on ${e.array}`),
    el("p", {}, e.sentence),
    el(
      "dl",
      {},
      ...row(e.kind === "anti" ? "read" : "written", ...accesses(e.fromAt)),
      ...row(e.kind === "flow" ? "read" : "written", ...accesses(e.toAt)),
      ...row("relation", el("span", { class: "formula" }, e.relation)),
      ...row("distance and direction, per common loop", `${e.distanceText}, ${e.direction}`),
      ...row("carried by", e.loop ? `loop ${e.loop}` : "no loop: both ends lie in one iteration"),
      ...row(
        "forbids",
        forbids.length ? forbids.map((change) => changeText(f, change)).join("; ") : "nothing by itself",
      ),
      ...row("verdict", verdict, `, ${e.label}`),
    ),
    ...correctionParts(e),
    e.mended === null ? null : trialTable(f, e.mended),
  ].filter(Boolean);
}

/** Details whose content is made when they are first opened, or at once where they are open from the start. */
function lazily(summary, content, opened = false) {
  const details = el("details", {}, el("summary", {}, summary));
  const open = () => details.children.length > 1 || details.append(content());
  details.addEventListener("toggle", () => details.open && open());
  if (opened) open();
  details.open = opened;
  return details;
}

function edgeTable(f, edges) {
  const rows = edges.map((e) =>
    el(
      "tr",
      {},
      el("td", {}, edgeButton(e)),
      ...[e.loop || "none", `${e.distanceText} ${e.direction}`, e.decided].map((text) => el("td", {}, text)),
    ),
  );
  const heads = ["dependence", "carried by", "distance, direction", "verdict"];
  const table = el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, ...rows),
  );
  return el("div", { class: "scroll" }, table);
}

function showTable() {
  const f = shown();
  const summary = `${f.dependences.length} dependences, those of private arrays included`;
  const within = (own) => f.dependences.filter((e) => own.includes(indexOf(f, e.from)));
  const lists = byNest(f).map(([title, own]) =>
    title
      ? lazily(`from the ${title}: ${within(own).length}`, () => edgeTable(f, within(own)))
      : edgeTable(f, within(own)),
  );
  byId("table").replaceChildren(lazily(summary, () => el("div", {}, ...lists)));
}
