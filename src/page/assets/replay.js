// The iteration space: points in the order in which they run. Which arrows an order violates was found by isl.

const replay = { size: 0, at: 0, order: "source", colour: "done", hidden: new Set(), timer: null, tile: 1 };
const tileColours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#6e7781"];
const current = () => replaysOf(shown())[replay.size];
const storedTiles = (r) => r.tiled.filter((order) => order.planned.length);
/** The tiles that can be shown: those whose order is stored. Where no order is planned they are colours alone. */
const tilesOf = (r) => (r.planned.length ? [1, ...storedTiles(r).map((order) => order.tile)] : [1, 2, 3]);
/** The planned order in tiles of as many elements as the viewer chose, or null: those of one element. */
const tiledOf = (r) =>
  (replay.order === "planned" && storedTiles(r).find((order) => order.tile === replay.tile)) || null;
function orderOf(r) {
  const tiled = tiledOf(r);
  if (tiled) return tiled.planned;
  return replay.order === "planned" && r.planned.length ? r.planned : r.points.map((_, k) => k);
}

/** Which arrows the order that is shown violates, by their index. */
function violatedBy(r) {
  if (replay.order !== "planned") return new Set();
  const tiled = tiledOf(r);
  return new Set(tiled ? tiled.violated : r.arrows.flatMap((arrow, k) => (arrow[3] ? [k] : [])));
}

/** Names of sizes by slider: sizes that are the same in all replays share one, a size that never varies has none. */
function sizeGroups(all) {
  const groups = [];
  for (const name of Object.keys(all[0].sizes)) {
    const same = groups.find((group) => all.every((r) => r.sizes[group[0]] === r.sizes[name]));
    same ? same.push(name) : groups.push([name]);
  }
  return groups.filter(([name]) => new Set(all.map((r) => r.sizes[name])).size > 1);
}

/** The stored replay with a size as it is wanted, and the others as near as can be to those that are shown. */
function nearestReplay(all, groups, name, wanted) {
  const now = all[replay.size].sizes;
  const away = (r) =>
    groups.reduce((sum, [other]) => sum + (other === name ? 0 : Math.abs(r.sizes[other] - now[other])), 0);
  const fitting = all.filter((r) => r.sizes[name] === wanted);
  return all.indexOf(fitting.reduce((best, r) => (away(r) < away(best) ? r : best)));
}

/** A slider for each size that can be moved; moving one may move the others to what is stored. */
function sizeSliders(all) {
  const groups = sizeGroups(all);
  return groups.map((names, k) => {
    const name = names[0];
    const values = [...new Set(all.map((r) => r.sizes[name]))].sort((a, b) => a - b);
    const label = names.length > 3 ? "sizes" : names.join(", ");
    const input = el("input", { type: "range", min: 0, max: values.length - 1, step: 1, class: "size" });
    input.id = k ? `size-${k}` : "size";
    input.setAttribute("aria-label", `size ${label}`);
    input.showSize = (r) => (input.value = values.indexOf(r.sizes[name]));
    input.addEventListener("input", () => {
      replay.size = nearestReplay(all, groups, name, values[Number(input.value)]);
      replay.at = 0;
      drawReplay();
    });
    return el("label", { class: "choice" }, label, input);
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
  if (current().planned.length) order.append(el("option", { value: "planned" }, f.orderName));
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
  const tile = el("input", { type: "number", id: "tile", min: 1, value: replay.tile });
  tile.addEventListener("input", () => {
    if (!(Number(tile.value) >= 1)) return;
    replay.tile = Number(tile.value);
    drawReplay();
  });
  tile.addEventListener("change", () => (tile.value = replay.tile));
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
        : `In ${f.orderName} a tile has as many elements along each loop as Tile says.`,
    ),
    el("p", { id: "colours" }),
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
      places[k] = { x: x0 + column * gap, y: y0 + row * gap, axes: axes[s] };
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

/** The colour of each point's tile. Loops may show only some of their iterations, so that the tiles that are shown are
 * numbered in turn: then tiles beside each other, or at a corner, never have one colour. */
function tileColoursOf(r, places) {
  const tileAt = (value) => Math.floor(value / replay.tile);
  const numbers = [];
  for (const point of r.points)
    point.slice(1).forEach((value, d) => (numbers[d] = numbers[d] || new Set()).add(tileAt(value)));
  const inTurn = numbers.map((own) => [...own].sort((a, b) => a - b));
  const number = (point, d) => (d < 0 ? 0 : inTurn[d].indexOf(tileAt(point[d + 1])));
  return r.points.map((point, k) => {
    if (!places[k]) return "";
    const [row, column] = places[k].axes.map((d) => number(point, d));
    return tileColours[(row + 3 * column) % tileColours.length];
  });
}

/** What the colours mean. */
function coloursText() {
  if (replay.colour === "done") return "A point is filled when it has run, and ringed when it ran last.";
  if (replay.colour === "wave")
    return "Points of one colour and number are one wavefront: none of them waits for another, they may run at once.";
  const size = replay.tile;
  return size === 1
    ? "A tile is one point; points beside each other differ in colour, further away a colour comes back."
    : `A tile is ${size} iterations long along each axis: points are in one where the values of their loops divided by ${size}, rounded down, are the same. Tiles beside each other differ in colour, further away a colour comes back.`;
}

function drawReplay() {
  const r = current();
  const space = byId("space");
  if (!r || !space) return;
  const f = shown();
  const tiles = tilesOf(r);
  const tileBox = byId("tile");
  tileBox.max = Math.max(...tiles);
  const fitting = Math.max(...tiles.filter((tile) => tile <= replay.tile));
  if (fitting !== replay.tile) tileBox.value = replay.tile = fitting;
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
  const ownTile = tileColoursOf(r, places);
  r.points.forEach((point, k) => {
    if (!places[k]) return;
    const done = rank[k] < replay.at;
    const circle = svgEl("circle", {
      cx: places[k].x,
      cy: places[k].y,
      r: 7,
      class: `point${done ? " done" : ""}${rank[k] === replay.at - 1 ? " now" : ""}`,
    });
    if (replay.colour !== "done") {
      circle.style.fill = replay.colour === "tile" ? ownTile[k] : tileColours[r.waves[k] % tileColours.length];
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
  for (const slider of document.querySelectorAll("input.size")) {
    slider.showSize(r);
    slider.setAttribute("aria-valuetext", byId("sizes").textContent);
  }
  byId("colours").textContent = coloursText();
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
