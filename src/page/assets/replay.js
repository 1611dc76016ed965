// The iteration space: points in the order in which they run. Which arrows an order violates was found by isl.

const replay = { size: 0, at: 0, order: "source", colour: "done", hidden: new Set(), timer: null, tile: 1 };
const tileColours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#6e7781"];
const current = () => replaysOf(shown())[replay.size];
/** The planned order in tiles of as many elements as the viewer chose, or null. */
const tiledOf = (r) => (replay.order === "planned" && r.tiled.find((order) => order.tile === replay.tile)) || null;
function orderOf(r) {
  const tiled = tiledOf(r);
  if (tiled && tiled.planned.length) return tiled.planned;
  return replay.order === "planned" && r.planned.length ? r.planned : r.points.map((_, k) => k);
}

/** Which arrows the order that is shown violates, by their index. */
function violatedBy(r) {
  if (replay.order !== "planned") return new Set();
  const tiled = tiledOf(r);
  return new Set(tiled ? tiled.violated : r.arrows.flatMap((arrow, k) => (arrow[3] ? [k] : [])));
}

/** A slider for each size where all pairs of sizes are there, else one over what is there. */
function sizeSliders(all) {
  const names = Object.keys(all[0].sizes);
  const valuesOf = (name) => [...new Set(all.map((r) => r.sizes[name]))].sort((a, b) => a - b);
  const slider = (id, label, count, value, chosen) => {
    const input = el("input", { type: "range", id, min: 0, max: count - 1, step: 1, "aria-label": label });
    input.value = value;
    input.addEventListener("input", () => {
      chosen(Number(input.value));
      replay.at = 0;
      drawReplay();
    });
    return input;
  };
  const product = names.reduce((count, name) => count * valuesOf(name).length, 1);
  if (names.length !== 2 || product !== all.length)
    return [
      el(
        "label",
        { class: "choice" },
        "Size",
        slider("size", "size", all.length, replay.size, (k) => (replay.size = k)),
      ),
    ];
  const now = { ...current().sizes };
  return names.map((name, k) => {
    const values = valuesOf(name);
    const set = (at) => {
      now[name] = values[at];
      replay.size = all.findIndex((r) => names.every((other) => r.sizes[other] === now[other]));
    };
    return el(
      "label",
      { class: "choice" },
      name,
      slider(k ? `size-${k}` : "size", `size ${name}`, values.length, values.indexOf(now[name]), set),
    );
  });
}

function stopPlaying() {
  if (replay.timer) clearInterval(replay.timer);
  replay.timer = null;
  const button = byId("play");
  if (button) button.textContent = "Play";
}

function startReplay() {
  stopPlaying();
  const f = shown();
  const all = replaysOf(f);
  byId("replay-section").hidden = !f.statements.length;
  if (!all.length) {
    byId("replay").replaceChildren(el("p", {}, f.replayNote || "There is nothing to replay."));
    return;
  }
  Object.assign(replay, { size: all.length - 1, at: 0, order: "source", colour: "done", hidden: new Set() });
  if (f.statements.length > 12) f.statements.forEach((_, s) => s >= 12 && replay.hidden.add(s));
  const time = el("input", { type: "range", id: "time", min: 0, step: 1, "aria-label": "instances that have run" });
  time.addEventListener("input", () => goTo(Number(time.value)));
  const play = el("button", { type: "button", id: "play" }, "Play");
  play.addEventListener("click", togglePlay);
  const order = el("select", { id: "order" }, el("option", { value: "source" }, "the source's"));
  if (current().planned.length) order.append(el("option", { value: "planned" }, "the planned one"));
  order.addEventListener("change", () => {
    replay.order = order.value;
    drawReplay();
  });
  const colour = el(
    "select",
    { id: "colour" },
    ...[
      ["done", "what has run"],
      ["tile", "tiles"],
      ["wave", "wavefronts"],
    ].map(([v, t]) => el("option", { value: v }, t)),
  );
  colour.addEventListener("change", () => {
    replay.colour = colour.value;
    drawReplay();
  });
  const tile = el("input", { type: "number", id: "tile", min: 1, max: 6, value: replay.tile });
  tile.addEventListener("input", () => {
    replay.tile = Math.max(1, Number(tile.value) || 1);
    drawReplay();
  });
  const boxOf = (s) => {
    const box = el("input", { type: "checkbox" });
    box.checked = !replay.hidden.has(s);
    box.addEventListener("change", () => {
      box.checked ? replay.hidden.delete(s) : replay.hidden.add(s);
      drawReplay();
    });
    return el("label", { class: "choice" }, box, f.statements[s].id);
  };
  const boxes = byNest(f).flatMap(([title, statements]) =>
    title ? [lazily(title, () => el("div", {}, ...statements.map(boxOf)))] : statements.map(boxOf),
  );
  const step = (by) => el("button", { type: "button", onclick: () => goTo(replay.at + by) }, by > 0 ? "Step" : "Back");
  byId("replay").replaceChildren(
    el(
      "div",
      { class: "bar screen" },
      ...sizeSliders(all),
      el("span", { id: "sizes", class: "choice" }),
      el("label", { class: "choice" }, "Order", order),
      el("label", { class: "choice" }, "Colour", colour),
      el("label", { class: "choice" }, "Tile", tile),
    ),
    el("fieldset", { class: "screen" }, el("legend", {}, "Statements"), ...boxes),
    el("div", { class: "bar screen" }, play, step(-1), step(1), el("label", { class: "choice" }, "Time", time)),
    el(
      "p",
      {},
      f.replayNote
        ? `Only the source's order is shown: ${f.replayNote}.`
        : "In the planned order a tile has as many elements along each loop as Tile says, one to three.",
    ),
    el("p", { id: "now", "aria-live": "polite" }),
    el("div", {
      class: "space",
      id: "space",
      tabindex: "0",
      role: "region",
      "aria-label": "points and arrows; arrow keys step",
    }),
    el("div", { id: "violations" }),
  );
  byId("space").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -1e9, End: 1e9 }[event.key];
    if (by === undefined) {
      if (event.key === " ") {
        event.preventDefault();
        togglePlay();
      }
      return;
    }
    event.preventDefault();
    goTo(replay.at + by);
  });
  drawReplay();
}

function togglePlay() {
  if (replay.timer) return stopPlaying();
  if (replay.at >= current().points.length) replay.at = 0;
  byId("play").textContent = "Stop";
  replay.timer = setInterval(() => {
    goTo(replay.at + 1);
    if (replay.at >= current().points.length) stopPlaying();
  }, 150);
}

function goTo(position) {
  replay.at = Math.max(0, Math.min(current().points.length, position));
  drawReplay();
}

/** Where points stand: a block for each statement; its rows and columns are the values that its loops take. */
function placePoints(f, r) {
  const gap = 26,
    left = 70,
    top = 26;
  const free = f.statements.map((statement, s) => {
    const own = r.points.filter((p) => p[0] === s);
    return statement.loops
      .map((_, d) => d)
      .filter((d) => new Set(own.map((p) => p[d + 1])).size > 1)
      .slice(-2);
  });
  const two = free.some((dims) => dims.length > 1);
  const shared = (s) =>
    two &&
    free[s].length === 1 &&
    f.statements.every((o) => !o.loops.length || o.loops[free[s][0]] === f.statements[s].loops[free[s][0]]);
  const axes = free.map((dims, s) =>
    dims.length > 1 ? dims : dims.length ? (shared(s) ? [dims[0], -1] : [-1, dims[0]]) : [-1, -1],
  );
  const across =
    axes.some(([y]) => y >= 0) &&
    f.statements.every((_, s) => !free[s].length || axes[s][0] >= 0) &&
    f.statements.some((_, s) => shared(s));
  const places = new Array(r.points.length);
  const labels = [];
  let x0 = left,
    y0 = top,
    wide = left,
    high = top;
  f.statements.forEach((statement, s) => {
    if (replay.hidden.has(s)) return;
    const own = r.points.map((p, k) => [p, k]).filter(([p]) => p[0] === s);
    if (!own.length) return;
    const values = (d) => (d < 0 ? [0] : [...new Set(own.map(([p]) => p[d + 1]))].sort((a, b) => a - b));
    const [rows, columns] = axes[s].map(values);
    labels.push([across ? x0 - 6 : 4, across ? 14 : y0 + 4, statement.id]);
    if (axes[s][0] >= 0) rows.forEach((v, k) => labels.push([x0 - 24, y0 + k * gap + 4, String(v), "axis"]));
    if (axes[s][1] >= 0)
      columns.forEach((v, k) => labels.push([x0 + k * gap - 4, y0 + rows.length * gap - 6, String(v), "axis"]));
    own.forEach(([p, k]) => {
      const row = axes[s][0] < 0 ? 0 : rows.indexOf(p[axes[s][0] + 1]);
      const column = axes[s][1] < 0 ? 0 : columns.indexOf(p[axes[s][1] + 1]);
      places[k] = { x: x0 + column * gap, y: y0 + row * gap, row, column };
    });
    const w = columns.length * gap,
      h = rows.length * gap;
    if (across) {
      x0 += w + 44;
      wide = Math.max(wide, x0);
      high = Math.max(high, y0 + h + 16);
    } else {
      y0 += h + 24;
      high = y0;
      wide = Math.max(wide, x0 + w + 20);
    }
  });
  return { places, labels, wide, high };
}

function drawReplay() {
  const r = current();
  const space = byId("space");
  if (!r || !space) return;
  const f = shown();
  const order = orderOf(r);
  const rank = new Array(order.length);
  order.forEach((point, k) => (rank[point] = k));
  const { places, labels, wide, high } = placePoints(f, r);
  const svg = svgEl("svg", {
    width: wide,
    height: high,
    viewBox: `0 0 ${wide} ${high}`,
    role: "img",
    "aria-label": `iteration points of ${f.name}`,
  });
  const defs = svgEl("defs");
  for (const name of ["", "violated", "chosen"]) {
    const marker = svgEl("marker", {
      id: "tip" + name,
      class: "tip " + name,
      viewBox: "0 0 6 6",
      refX: 5,
      refY: 3,
      markerWidth: 6,
      markerHeight: 6,
      orient: "auto",
      markerUnits: "userSpaceOnUse",
    });
    marker.append(svgEl("path", { d: "M0 0L6 3L0 6z" }));
    defs.append(marker);
  }
  svg.append(defs);
  const active = new Set();
  const violated = violatedBy(r);
  r.arrows.forEach(([from, to, edge], k) => {
    const e = f.dependences[edge];
    if (!places[from] || !places[to]) return;
    const bad = violated.has(k) && rank[to] < replay.at;
    const chosen = state.chosen && state.chosen.has(edge);
    if (bad) active.add(edge);
    if (e.kind !== "flow" && !chosen) return;
    const a = places[from],
      b = places[to];
    const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const bend = a.x === b.x || a.y === b.y ? 6 + long / 8 : 0;
    const mid = {
      x: (a.x + b.x) / 2 + (bend * (b.y - a.y)) / long,
      y: (a.y + b.y) / 2 - (bend * Math.abs(b.x - a.x)) / long,
    };
    const back = 8 / (Math.hypot(b.x - mid.x, b.y - mid.y) || 1);
    const tip = { x: b.x + (mid.x - b.x) * back, y: b.y + (mid.y - b.y) * back };
    const kind = bad ? " violated" : chosen ? " chosen" : "";
    const path = svgEl("path", {
      d: `M${a.x} ${a.y}Q${mid.x} ${mid.y} ${tip.x} ${tip.y}`,
      class: `arrow${kind}`,
      "marker-end": `url(#tip${kind.trim()})`,
    });
    path.dataset.edge = edge;
    path.dataset.from = from;
    path.dataset.to = to;
    svg.append(path);
  });
  r.points.forEach((point, k) => {
    if (!places[k]) return;
    const done = rank[k] < replay.at;
    const circle = svgEl("circle", {
      cx: places[k].x,
      cy: places[k].y,
      r: 7,
      class: `point${done ? " done" : ""}${rank[k] === replay.at - 1 ? " now" : ""}`,
    });
    const cell = Math.floor(places[k].row / replay.tile) + 3 * Math.floor(places[k].column / replay.tile);
    const number = replay.colour === "tile" ? cell : r.waves[k];
    if (replay.colour !== "done") {
      circle.style.fill = tileColours[number % tileColours.length];
      circle.style.opacity = done ? 1 : 0.45;
    }
    svg.append(circle);
    if (replay.colour === "wave") labels.push([places[k].x - 4, places[k].y + 4, String(r.waves[k])]);
  });
  for (const [x, y, text] of labels) {
    const label = svgEl("text", { x, y });
    label.textContent = text;
    svg.append(label);
  }
  space.replaceChildren(svg);
  const time = byId("time");
  time.max = r.points.length;
  time.value = replay.at;
  byId("sizes").textContent = [
    ...Object.entries(r.sizes).map(([name, value]) => `${name} = ${value}`),
    ...r.fixed,
  ].join(", ");
  for (const slider of document.querySelectorAll("[id^='size'][type=range]"))
    slider.setAttribute("aria-valuetext", byId("sizes").textContent);
  showNow(f, r, order);
  showViolations(f, [...active]);
}

function showNow(f, r, order) {
  const point = replay.at ? r.points[order[replay.at - 1]] : null;
  const name = point ? `${f.statements[point[0]].id}(${point.slice(1).join(", ")})` : "nothing yet";
  byId("now").textContent = `${replay.at} of ${r.points.length} instances have run; last: ${name}.`;
}

function showViolations(f, edges) {
  const parts = edges.flatMap((id) => {
    const e = f.dependences[id];
    const trial = e.mended === null ? null : trialTable(f, e.mended);
    const words = e.reduction
      ? "runs the other way round; the terms of a reduction may come in any order"
      : e.mended === null
        ? "is violated, and nothing mends it"
        : "is violated; the mend makes up for it";
    return [el("p", { class: "bad" }, edgeButton(e), ` ${words}`), trial].filter(Boolean);
  });
  byId("violations").replaceChildren(...parts);
}
