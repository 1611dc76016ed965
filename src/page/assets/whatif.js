// What if a dependence did not hold, or a mend were applied: a change is legal when of each of its obstacles, which the
// tool found, at least one dependence no longer holds.

const isOff = (e) =>
  state.off.has(e.id) || (e.mended !== null && state.mends.has(e.mended)) || (e.reduction && state.reorder);

function standing(f, change) {
  return change.obstacles.filter((chain) => chain.every((id) => !isOff(f.dependences[id])));
}

function showWhatIf() {
  const f = shown();
  byId("whatif-section").hidden = !f.changes.length;
  if (!f.changes.length) return;
  const involved = [...new Set(f.changes.flatMap((change) => change.obstacles.flat()))].sort((a, b) => a - b);
  const mends = [...new Set(involved.map((id) => f.dependences[id].mended).filter((m) => m !== null))];
  const box = (label, checked, act, extra = {}) => {
    const input = el("input", { type: "checkbox", ...extra });
    input.checked = checked;
    input.addEventListener("change", () => {
      act(input.checked);
      showChanges();
    });
    return el("label", { class: "choice" }, input, label);
  };
  const flip = (set, id) => (on) => (on ? set.add(id) : set.delete(id));
  const nameOf = (m) => {
    const own = f.dependences.find((e) => e.mended === m && e.verdict === "corrected");
    return own ? own.decided.replace(/^corrected: /, "") : String(m);
  };
  const controls = [];
  if (mends.length)
    controls.push(
      el(
        "fieldset",
        {},
        el("legend", {}, "Mends that are applied"),
        ...mends.map((m) => box(nameOf(m), false, flip(state.mends, m), { "data-mend": m })),
      ),
    );
  const groups = involved.map((id) => f.dependences[id]);
  if (groups.some((e) => e.reduction))
    controls.push(
      el(
        "fieldset",
        {},
        el("legend", {}, "Reductions"),
        box("may be reordered, as over the real numbers", false, (on) => (state.reorder = on), { "data-reorder": "" }),
      ),
    );
  state.reorder = false;
  const edgeBox = (e) =>
    box(
      `${e.from} → ${e.to} ${e.array} (${e.kind}${e.loop ? ", " + e.loop : ""})`,
      true,
      (on) => flip(state.off, e.id)(!on),
      { "data-edge": e.id },
    );
  const lists = () =>
    byNest(f).flatMap(([title, own]) => {
      const within = groups.filter((e) => own.includes(indexOf(f, e.from)));
      if (!title) return within.map(edgeBox);
      return within.length
        ? [lazily(`from the ${title}: ${within.length}`, () => el("div", {}, ...within.map(edgeBox)))]
        : [];
    });
  const holding = () => el("fieldset", {}, el("legend", {}, "Dependences that hold"), ...lists());
  const many = groups.length > 80;
  controls.push(many ? lazily(`${groups.length} dependences that hold`, holding) : holding());
  byId("whatif").replaceChildren(...controls, el("div", { id: "changes", "aria-live": "polite" }));
  showChanges();
}

const isLegal = (f, change) => change.complete && !standing(f, change).length;

function changeRow(f, change) {
  const left = standing(f, change);
  const first = [...new Set(left.map((chain) => chain[0]))];
  const legal = isLegal(f, change);
  const why = legal ? [] : first.slice(0, 4).flatMap((id) => [edgeButton(f.dependences[id]), " "]);
  const chains = left.some((chain) => chain.length > 1) ? " (through statements between)" : "";
  const more = first.length > 4 ? `and ${first.length - 4} more` : "";
  const unknown = !left.length && !change.complete ? "there were too many obstacles to list them all" : "";
  return el(
    "tr",
    { "data-change": f.changes.indexOf(change), "data-legal": String(legal) },
    el("td", {}, changeText(f, change)),
    el("td", {}, el("span", { class: legal ? "good" : "bad" }, legal ? "legal" : "forbidden")),
    el("td", {}, ...why, more, chains, unknown),
  );
}

function changeTable(f, changes) {
  const heads = ["change", "verdict", "forbidden by"].map((text) => el("th", { scope: "col" }, text));
  const rows = changes.map((change) => changeRow(f, change));
  return el(
    "div",
    { class: "scroll" },
    el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)),
  );
}

const manyChanges = 30;
const changeKinds = [
  ["fuse", "fusion", "fusions"],
  ["parallel", "parallel loop", "parallel loops"],
  ["tile", "tiling", "tilings"],
];

/** The changes of a kind, folded, with how many of them are legal now. */
function changeGroup(f, [kind, one, several], opened) {
  const own = f.changes.filter((change) => change.change === kind);
  if (!own.length) return null;
  const legal = own.filter((change) => isLegal(f, change)).length;
  const title = `${own.length} ${own.length > 1 ? several : one}: ${legal} legal`;
  const details = lazily(title, () => changeTable(f, own), opened);
  details.dataset.kind = kind;
  return details;
}

function showChanges() {
  const f = shown();
  const place = byId("changes");
  if (f.changes.length <= manyChanges) return place.replaceChildren(changeTable(f, f.changes));
  const open = new Set([...place.querySelectorAll("details[open]")].map((details) => details.dataset.kind));
  const groups = changeKinds.map((kind) => changeGroup(f, kind, open.has(kind[0])));
  place.replaceChildren(...groups.filter(Boolean));
}
