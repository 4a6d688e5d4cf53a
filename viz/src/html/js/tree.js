// The contention tree: blocked time by any aspects in any order, and both call chains of the row that is selected.

const CELLS = PANELS && readCells(PANELS.tree);
// Stands for a value of what is left out.
const LEFT_OUT = -1;
// Rows below one row that are shown at once.
const ROWS_SHOWN = 100;

const ASPECT_NAMES = {
  "group": "kind", "lock-class": "lock class", "lock": "lock", "type": "type",
  "waiter-thread": "waiter: thread", "waiter-group": "waiter: group", "waiter-method": "waiter: method", "waiter-site": "waiter: line", "waiter-stack": "waiter: chain",
  "owner-thread": "owner: thread", "owner-group": "owner: group", "owner-method": "owner: method", "owner-site": "owner: line", "owner-stack": "owner: chain",
};
const USUAL = [
  ["lock", "owner-method", "waiter-method"],
  ["group", "lock-class", "lock", "owner-method", "owner-stack"],
  ["owner-thread", "lock", "waiter-thread"],
  ["waiter-group", "owner-group", "lock"],
  ["waiter-stack", "lock", "owner-stack"],
  ["owner-stack"],
];
const tree = { keys: USUAL[0], root: null, chosen: null, pair: 0, onlyChosen: true };

function readCells(told) {
  const keys = told.keys, width = keys.length + 4, count = told.cells.length / width;
  const column = (at) => Float64Array.from({ length: count + 1 }, (_, cell) => (cell < count ? told.cells[cell * width + at] : told.rest[at - keys.length]));
  const at = {};
  keys.forEach((key, aspect) => (at[key] = Int32Array.from({ length: count }, (_, cell) => told.cells[cell * width + aspect])));
  const values = Object.fromEntries(keys.map((key, aspect) => [key, told.values[aspect]]));
  const [ns, estimated, alone, loose] = [0, 1, 2, 3].map((extra) => column(keys.length + extra));
  return { count, at, values, ns, estimated, alone, loose, shared: told.shared, keys };
}

// How many stays a lock has, and in how many cells.
const LOCK_STAYS = new Map(PANELS ? PANELS.tree.stays : []);
const LOCK_CELLS = new Map();
for (let cell = 0; CELLS && cell < CELLS.count; cell++) LOCK_CELLS.set(idOfCell(cell), (LOCK_CELLS.get(idOfCell(cell)) ?? 0) + 1);

function idOfCell(cell) {
  return cell === CELLS.count ? null : CELLS.values.lock[CELLS.at.lock[cell]].lock;
}

// The lock that all of these cells are of; null of several.
function lockOfCells(cells) {
  const id = cells.length > 0 ? idOfCell(cells[0]) : null;
  return cells.every((cell) => idOfCell(cell) === id) ? id : null;
}

// How many stays all cells have, or all of one lock; null of others.
function countOfAll(cells) {
  if (cells.length === CELLS.count + 1) return PANELS.tree.count;
  const lock = lockOfCells(cells);
  return PANELS.tree.left_out === 0 && cells.length === LOCK_CELLS.get(lock) ? (LOCK_STAYS.get(lock) ?? null) : null;
}

function valueOf(key, cell) {
  return cell === CELLS.count ? LEFT_OUT : CELLS.at[key][cell];
}

// What a value of an aspect is called.
function valueName(key, value) {
  if (value === LEFT_OUT) return `others: ${count(PANELS.tree.left_out)} or more combinations that have least`;
  const told = CELLS.values[key][value];
  if (typeof told === "string") return key.endsWith("-thread") || key.endsWith("-group") ? whoName(told) : told || "unknown";
  if (told.lock !== undefined) return `#${told.lock} ${lockName(LOCK_AT.get(told.lock) ?? OTHERS)}`;
  if (told.chain !== undefined) return folded(panelFrames(told.chain));
  return { nobody: "nobody held it", empty: "nobody: nothing to take", deadlock: "deadlock" }[told.is] ?? "unknown";
}

// A chain in a line: where it is in the program, and how many frames are folded.
function folded(frames) {
  if (frames.length === 0) return "no frames";
  const own = frames.findIndex((frame) => !/^(java|javax|jdk|sun)\./.test(frame));
  const first = own < 0 ? 0 : own, shown = frames.slice(first, first + 2);
  const rest = frames.length - shown.length;
  return (first > 0 ? "… ← " : "") + shown.join(" ← ") + (rest > 0 ? ` [+${rest}]` : "");
}

const wantedLock = (onlyChosen) => (onlyChosen ? view.lock : null);

// The cells of a lock, or all of them.
function wantedCells(lock) {
  const all = Array.from({ length: CELLS.count + 1 }, (_, cell) => cell);
  if (lock === null) return all;
  const id = LOCKS[lock].id;
  return all.filter((cell) => cell < CELLS.count && CELLS.values.lock[CELLS.at.lock[cell]].lock === id);
}

// ---- rows ----

function rootRow(cells) {
  const wanted = new Set(cells);
  const shared = CELLS.shared.filter(([, touched]) => touched.some((cell) => wanted.has(cell)));
  return rowOf(null, null, LEFT_OUT, cells, shared);
}

// A row has no more stays than the one above it, nor than its lock; if it is all of a lock, as many.
function rowOf(parent, key, value, cells, shared) {
  const sum = (numbers) => cells.reduce((all, cell) => all + numbers[cell], 0);
  const stays = shared.reduce((all, [times]) => all + times, 0);
  const bound = sum(CELLS.alone) + sum(CELLS.loose) + stays, all = countOfAll(cells), lock = lockOfCells(cells);
  const count = all ?? Math.min(bound, parent?.count ?? Infinity, LOCK_STAYS.get(lock) ?? Infinity);
  return { parent, key, value, cells, shared, depth: parent ? parent.depth + 1 : 0, ns: sum(CELLS.ns), estimated: sum(CELLS.estimated), count, atMost: all === null && sum(CELLS.loose) > 0, children: null, open: false, shown: ROWS_SHOWN };
}

// The rows below a row, most time first.
function below(row) {
  if (row.children) return row.children;
  const key = tree.keys[row.depth];
  if (key === undefined || (row.value === LEFT_OUT && row.depth > 0)) return (row.children = []);
  const groups = new Map(), groupOf = new Map();
  for (const cell of row.cells) {
    const value = valueOf(key, cell);
    if (!groups.has(value)) groups.set(value, { cells: [], shared: [] });
    groups.get(value).cells.push(cell);
    groupOf.set(cell, groups.get(value));
  }
  for (const stays of row.shared) for (const group of new Set(stays[1].map((cell) => groupOf.get(cell)))) group?.shared.push(stays);
  row.children = [...groups].map(([value, { cells, shared }]) => rowOf(row, key, value, cells, shared)).filter((child) => child.ns > 0 || child.count > 0);
  row.children.sort((a, b) => b.ns - a.ns || b.count - a.count || a.value - b.value);
  return row.children;
}

// ---- the panel ----

function fillTree(pane) {
  const aspects = make("div", { class: "bar aspects", id: "aspects", role: "group", "aria-label": "Aspects, the outermost first" });
  const rows = make("div", { class: "tree-rows", id: "tree-rows", role: "tree", "aria-label": "Blocked time" });
  const head = make("div", { class: "tree-head", "aria-hidden": "true" }, make("span", null, "Divided by"), make("span", null, "Time"), make("span", null, "Share"), make("span", null, "Stays"));
  const sum = make("p", { id: "tree-sum", class: "faint" });
  pane.append(aspects, sum, make("div", { class: "split" }, make("div", { class: "tree-box" }, head, rows), make("aside", { id: "tree-pane", class: "side", "aria-label": "Call chains of the selected row" })));
  rows.addEventListener("keydown", treeKeys);
  follows("tree", ["lock"], () => {
    if (!tree.root || tree.grownFor !== wantedLock(tree.onlyChosen)) growTree();
  });
}

// Divides it anew.
function growTree() {
  tree.grownFor = wantedLock(tree.onlyChosen);
  tree.root = rootRow(wantedCells(tree.grownFor));
  const first = below(tree.root)[0];
  if (first) {
    first.open = true;
    const next = below(first)[0];
    if (next && below(next).length > 0) next.open = true;
  }
  tree.chosen = first ?? null;
  tree.pair = 0;
  showAspects();
  showSum();
  showRows();
  showChains();
}

function setAspects(keys) {
  tree.keys = keys;
  growTree();
  keepLink();
}

// The aspects as a link has them, where they are not those that are usual.
const aspectsOfLink = () => (PANELS && tree.keys !== USUAL[0] ? tree.keys.join(",") : "");

// Takes them from a link; what is no aspect in it is left out.
function takeAspects(words) {
  if (!PANELS) return;
  const keys = [...new Set((words ?? "").split(","))].filter((key) => CELLS.keys.includes(key));
  tree.keys = keys.length > 0 ? keys : USUAL[0];
  if (tree.root) growTree();
}

function showAspects() {
  const keys = tree.keys;
  const moved = (at, by) => keys.map((key, i) => (i === at ? keys[at + by] : i === at + by ? keys[at] : key));
  const chip = (key, at) => {
    const name = ASPECT_NAMES[key];
    const button = (text, label, act, off) => make("button", { type: "button", "aria-label": `${label}: ${name}`, title: label, onclick: act, ...(off ? { disabled: "" } : {}) }, text);
    return make("span", { class: "chip" }, make("b", null, name),
      button("‹", "further out", () => setAspects(moved(at, -1)), at === 0),
      button("›", "further in", () => setAspects(moved(at, 1)), at === keys.length - 1),
      button("×", "without", () => setAspects(keys.filter((other) => other !== key)), keys.length === 1));
  };
  const unused = CELLS.keys.filter((key) => !keys.includes(key)).map((key) => [key, ASPECT_NAMES[key]]);
  const add = choice("Add an aspect", [["", "Add aspect …"], ...unused], (key) => key && setAspects([...keys, key]));
  const usual = USUAL.map((usual, at) => [String(at), usual.map((key) => ASPECT_NAMES[key]).join(" › ")]);
  const preset = choice("Aspects that are often asked for", [["", "Often asked for …"], ...usual], (at) => at && setAspects(USUAL[Number(at)]));
  const only = tickBox("selected lock only", tree.onlyChosen, (on) => {
    tree.onlyChosen = on;
    growTree();
  });
  byId("aspects").replaceChildren(...keys.map(chip), add, preset, only);
}

function showSum() {
  const { blocked_ns: all, unknown_ns: unknown, unmeasured } = PANELS.tree;
  const unknownAll = Object.values(unknown).reduce((sum, ns) => sum + ns, 0);
  const parts = [`Blocked ${all > 0 ? time(all) : "0"} in ${many(PANELS.tree.count, "stay")}`];
  if (unknownAll > 0) parts.push(`of ${percent(unknownAll / all)} it is not known who held the lock (${Object.entries(unknown).map(([why, ns]) => `${why} ${time(ns)}`).join(", ")})`);
  const { without_chain_ns: nowhere, untested_ns: untested } = PANELS.tree;
  if (nowhere > 0) parts.push(`of ${percent(nowhere / all)} it is known who held it (owner: thread), and not where that thread was (owner: method unknown)`);
  if (untested > 0) parts.push(`of ${percent(untested / all)} who held it is inferred from contention, and too few looks at owners have tested that`);
  if (PANELS.tree.estimated_ns > 0) parts.push(`${time(PANELS.tree.estimated_ns)} are estimates (~)`);
  const built = builtNs();
  if (built > 0) parts.push(`${time(built)} of it are waits inside locks that the program has built (for a permit, a turn, an item), which the table has as waits`);
  if (unmeasured > 0) parts.push(`${many(unmeasured, "stay")} of unknown length count, and are in no time`);
  const of = tree.grownFor !== null ? ` Shown: lock #${LOCKS[tree.grownFor].id}, ${tree.root.ns > 0 ? time(tree.root.ns) : "0"}.` : "";
  byId("tree-sum").textContent = `${parts.join("; ")}.${of} The whole recording, as: locklens contention FILE --by ${tree.keys.join(",")}`;
}

// Of what is in the tree, the waits in Object.wait.
function builtNs() {
  const groups = CELLS.values.group.map((value) => value === "lock of the program");
  return CELLS.ns.reduce((sum, ns, cell) => sum + (cell < CELLS.count && groups[CELLS.at.group[cell]] ? ns : 0), 0);
}

function showRows() {
  const elements = [];
  const add = (row) => {
    const children = below(row);
    for (const child of children.slice(0, row.shown)) {
      elements.push(rowElement(child));
      if (child.open) add(child);
    }
    if (children.length > row.shown) elements.push(moreElement(row));
  };
  add(tree.root);
  if (elements.length === 0) elements.push(make("p", { class: "faint none" }, tree.grownFor !== null ? "Nobody was blocked on the selected lock." : PANELS.tree.unmeasured > 0 ? `Blocked for a time that is not known: ${many(PANELS.tree.unmeasured, "stay")} of unknown length.` : "Nobody was blocked."));
  byId("tree-rows").replaceChildren(...elements);
}

function rowElement(row) {
  const canOpen = below(row).length > 0, share = tree.root.ns > 0 ? row.ns / tree.root.ns : 0;
  const name = valueName(row.key, row.value);
  const mark = make("span", { class: "twist", "aria-hidden": "true" }, canOpen ? (row.open ? "▾" : "▸") : "");
  const label = make("span", { class: "what", title: name }, mark, make("span", { class: "faint" }, ASPECT_NAMES[row.key] + " "), name);
  label.style.paddingLeft = (row.depth - 1) * 18 + "px";
  const bar = make("i");
  bar.style.width = share * 100 + "%";
  const about = row.estimated > 0 ? "~ " : "";
  const element = make("div", { class: "tree-row", role: "treeitem", "aria-level": row.depth, "aria-selected": String(row === tree.chosen), tabindex: row === tree.chosen ? "0" : "-1" },
    label, make("span", { class: "number" }, about + (row.ns > 0 ? time(row.ns) : "0")), make("span", { class: "number" }, percent(share), make("span", { class: "share", "aria-hidden": "true" }, bar)),
    make("span", { class: "number" }, (row.atMost ? "≤ " : about) + count(row.count)));
  if (canOpen) element.setAttribute("aria-expanded", String(row.open));
  element.row = row;
  element.addEventListener("click", () => {
    const again = tree.chosen === row;
    if (canOpen && (again || !row.open)) row.open = !row.open;
    chooseRow(row);
  });
  return element;
}

function moreElement(row) {
  const left = below(row).length - row.shown;
  const element = make("button", { type: "button", class: "more", onclick: () => {
    row.shown += ROWS_SHOWN;
    showRows();
  } }, `${many(left, "more row")} …`);
  element.style.marginLeft = row.depth * 18 + 20 + "px";
  return element;
}

function chooseRow(row) {
  const focused = document.activeElement?.closest?.("#tree-rows") !== null;
  tree.chosen = row;
  tree.pair = 0;
  showRows();
  showChains();
  const element = [...byId("tree-rows").children].find((element) => element.row === row);
  if (focused) element?.focus();
  element?.scrollIntoView({ block: "nearest" });
}

function treeKeys(event) {
  const element = event.target.closest(".tree-row");
  if (!element) return;
  const row = element.row, items = [...byId("tree-rows").querySelectorAll(".tree-row")], at = items.indexOf(element);
  const open = (is) => {
    row.open = is;
    chooseRow(row);
  };
  const acts = {
    ArrowDown: () => items[at + 1] && chooseRow(items[at + 1].row),
    ArrowUp: () => items[at - 1] && chooseRow(items[at - 1].row),
    ArrowRight: () => (row.open ? below(row)[0] && chooseRow(below(row)[0]) : below(row).length > 0 && open(true)),
    ArrowLeft: () => (row.open ? open(false) : row.parent.parent && chooseRow(row.parent)),
    Home: () => chooseRow(items[0].row),
    End: () => chooseRow(items[items.length - 1].row),
    Enter: () => below(row).length > 0 && open(!row.open),
    " ": () => below(row).length > 0 && open(!row.open),
  };
  if (!acts[event.key]) return;
  acts[event.key]();
  event.preventDefault();
  event.stopPropagation();
}

// ---- both chains of a row ----

// Pairs of chains in a row, most time first: [waiter's, owner's, time, one of its cells].
function pairsOf(row) {
  const pairs = new Map();
  for (const cell of row.cells) {
    if (cell === CELLS.count) continue;
    const [waiter, owner] = [valueOf("waiter-stack", cell), valueOf("owner-stack", cell)];
    const method = valueOf("owner-method", cell), key = `${waiter} ${owner} ${method}`;
    const pair = pairs.get(key) ?? { waiter, owner, ns: 0, cell };
    pair.ns += CELLS.ns[cell];
    pairs.set(key, pair);
  }
  return [...pairs.values()].sort((a, b) => b.ns - a.ns || a.cell - b.cell);
}

function showChains() {
  const row = tree.chosen, pane = byId("tree-pane");
  if (!row) return pane.replaceChildren(make("p", { class: "faint" }, "Both call chains of a row that is selected stand here."));
  const pairs = pairsOf(row), pair = pairs[tree.pair];
  const path = [];
  for (let at = row; at.parent; at = at.parent) path.unshift(valueName(at.key, at.value));
  const parts = [make("h3", null, path.join(" › ")), make("p", null, `${row.ns > 0 ? time(row.ns) : "0"}, ${percent(tree.root.ns > 0 ? row.ns / tree.root.ns : 0)} of what is shown, ${percent(row.parent.ns > 0 ? row.ns / row.parent.ns : 0)} of the row above; ${row.atMost ? "at most " : ""}${many(row.count, "stay")}.`)];
  parts.push(lockButton(row), pair ? pairHead(pairs, row) : null);
  if (pair) parts.push(...chainParts("Blocked: the waiter's call chain", "waiter", pair), ...chainParts("Held meanwhile: the owner's call chain", "owner", pair));
  pane.replaceChildren(...parts.filter(Boolean));
}

function lockButton(row) {
  const id = lockOfCells(row.cells), at = LOCK_AT.get(id);
  if (at === undefined || at === view.lock) return null;
  return make("button", { type: "button", onclick: () => {
    tree.onlyChosen = false;
    view.choose(at);
    showAspects();
    showChains();
  } }, `Select lock #${id}`);
}

function pairHead(pairs, row) {
  const go = (by) => () => {
    tree.pair = (tree.pair + by + pairs.length) % pairs.length;
    showChains();
    byId("tree-pane").querySelector(by < 0 ? ".before" : ".after")?.focus();
  };
  const share = row.ns > 0 ? ` (${percent(pairs[tree.pair].ns / row.ns)} of the row)` : "";
  if (pairs.length === 1) return make("p", { class: "faint" }, "All of it has these two chains.");
  return make("p", { class: "faint pair" }, make("button", { type: "button", class: "before", "aria-label": "Pair of chains before", onclick: go(-1) }, "‹"), ` pair ${tree.pair + 1} of ${count(pairs.length)}${share} `, make("button", { type: "button", class: "after", "aria-label": "Next pair of chains", onclick: go(1) }, "›"));
}

function chainParts(title, side, { [side]: value, cell }) {
  const told = CELLS.values[`${side}-stack`][value], name = valueName(`${side}-thread`, valueOf(`${side}-thread`, cell));
  const who = make("p", { class: "faint" }, `for instance ${name}`);
  if (told.chain !== undefined) return [make("h3", null, title), who, make("ol", { class: "frames" }, ...panelFrames(told.chain).map((frame) => make("li", null, frame)))];
  const method = CELLS.values[`${side}-method`][valueOf(`${side}-method`, cell)];
  const text = typeof method === "string" ? `Only its method is known: ${method}` : told.is === "empty" ? "Nobody: there was nothing to take, and who waits for work is idle." : told.is === "nobody" ? "Nobody: it was free, or what was waited for is nobody's to give." : told.is === "deadlock" ? "Threads that hold each other up." : "Unknown: the recording can't tell.";
  return [make("h3", null, title), typeof method === "string" || side === "waiter" ? who : null, make("p", null, text)];
}
