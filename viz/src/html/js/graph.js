// The nesting graph: a box for each lock, an arrow from the lock that is held to the one that is taken inside it.

const NEST = PANELS && PANELS.nesting;
const SVG = "http://www.w3.org/2000/svg";
const nest = { placed: null, scale: 1, chosen: null };

function shape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const nodeAt = (id) => NEST.nodes.findIndex((node) => node.id === id);
const nodeName = (id) => {
  const node = NEST.nodes[nodeAt(id)];
  return node ? `#${node.id} ${node.name}` : `#${id}`;
};
const onCycle = (id) => NEST.cycles.some((cycle) => cycle.nodes.includes(id));

function fillNesting(pane) {
  const zoom = (factor) => () => scaleNesting(nest.scale * factor);
  const button = (text, label, act) => make("button", { type: "button", title: label, "aria-label": label, onclick: act }, text);
  const legend = make("span", { class: "faint" }, "An arrow leads from the lock held to the one taken inside it. Solid: every enter and exit is known; dashed: a call chain shows it. Thick, with ↻: on a cycle that nothing excludes.");
  const bar = make("div", { class: "bar" }, button("+", "Larger", zoom(1.25)), button("−", "Smaller", zoom(0.8)), button("Fit", "As large as there is room", fitNesting), legend);
  const box = make("div", { class: "nest-box", id: "nest-box" });
  pane.append(bar, make("p", { id: "nest-sum", class: "faint" }), make("div", { class: "split" }, box, make("aside", { class: "side", id: "nest-side", "aria-label": "Cycles, and what is selected" })));
  byId("nest-sum").textContent = nestingSum();
  if (NEST.nodes.length > 0) {
    box.append(drawNesting());
    box.addEventListener("keydown", nestKeys);
    fitNesting();
  } else box.append(make("p", { class: "none faint" }, emptyNesting()));
  follows("nesting", ["lock"], markNesting);
}

function nestingSum() {
  const parts = [`${many(NEST.nodes.length, "lock")}, ${many(NEST.edges.length, "nesting")}`];
  if (NEST.nodes_left_out > 0) parts.push(`${many(NEST.nodes_left_out, "lock")} that are blocked on least are left out`);
  if (NEST.edges_left_out > 0) parts.push(`${many(NEST.edges_left_out, "nesting")} not drawn`);
  if (NEST.alone > 0) parts.push(`${many(NEST.alone, "lock")} ${NEST.alone === 1 ? "neither holds others nor is" : "neither hold others nor are"} taken inside them`);
  if (!NEST.exact) parts.push("watched only: nesting in which nobody blocked or waited was not seen");
  return parts.join("; ") + ".";
}

function emptyNesting() {
  return NEST.exact ? "No lock was taken inside another." : "No lock was seen to be taken inside another. Watching sees nesting only where somebody blocks or waits; 'locklens trace' records every enter and exit.";
}

// ---- the picture ----

function drawNesting() {
  const index = new Map(NEST.nodes.map((node, at) => [node.id, at]));
  const placed = (nest.placed = laidOut(NEST.nodes.length, NEST.edges.map((edge) => [index.get(edge.from), index.get(edge.to)])));
  const svg = shape("svg", { viewBox: `0 0 ${placed.width} ${placed.height}`, role: "group", "aria-label": "Nesting of locks", id: "nest-svg" });
  svg.append(shape("defs", {}, arrow("arrow"), arrow("arrow-cycle")));
  const ports = portsOf(placed);
  // Counts stand on all lines, not below those that are drawn later.
  const counts = shape("g", { class: "counts" });
  NEST.edges.forEach((edge, at) => svg.append(edgeShape(edge, at, placed, ports, counts)));
  svg.append(counts);
  NEST.nodes.forEach((node, at) => svg.append(nodeShape(node, placed.nodes[at], at)));
  return svg;
}

function arrow(id) {
  return shape("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse", class: id }, shape("path", { d: "M 0 1 L 9 5 L 0 9 z" }));
}

// Where on the side of its node each edge begins and ends: next to each other, in the order of where they lead.
function portsOf(placed) {
  const sides = new Map();
  const note = (point, side, way, towards) => {
    const key = placed.nodes.indexOf(point) * 2 + side;
    if (!sides.has(key)) sides.set(key, []);
    sides.get(key).push({ way, y: towards.y });
  };
  placed.ways.forEach((way, at) => {
    if (way.length < 2) return;
    note(way[0], 1, at, way[1]);
    note(way[way.length - 1], 0, at, way[way.length - 2]);
  });
  const ports = placed.ways.map(() => [0, 0]);
  for (const [key, list] of sides) {
    list.sort((a, b) => a.y - b.y || a.way - b.way);
    const step = Math.min(16, (NODE_HEIGHT - 12) / list.length);
    list.forEach(({ way }, at) => (ports[way][1 - (key % 2)] = (at - (list.length - 1) / 2) * step));
  }
  return ports;
}

// From left to right; an edge that leads to the left has its arrow at the other end.
function pathOf(way, [begin, end]) {
  if (way.length === 1) {
    const { x, y } = way[0], top = y - NODE_HEIGHT / 2;
    return { d: `M ${x + 40} ${top} C ${x + 48} ${top - 34}, ${x + 92} ${top - 34}, ${x + 84} ${top}`, label: [x + 66, top - 24] };
  }
  const half = NODE_WIDTH / 2, last = way.length - 1;
  const spots = way.map((point, at) => (at === 0 ? [point.x + half, point.y + begin] : at === last ? [point.x - half, point.y + end] : [point.x, point.y]));
  let d = `M ${spots[0].join(" ")}`;
  for (let at = 1; at < spots.length; at++) {
    const [[x1, y1], [x2, y2]] = [spots[at - 1], spots[at]], middle = (x1 + x2) / 2;
    d += ` C ${middle} ${y1}, ${middle} ${y2}, ${x2} ${y2}`;
  }
  // Its count stands where fewer others begin or end.
  const few = way[0].right.length <= way[last].left.length ? 1 : last, [[x1, y1], [x2, y2]] = [spots[few - 1], spots[few]];
  return { d, label: [(x1 + x2) / 2, (y1 + y2) / 2] };
}

function edgeShape(edge, at, placed, ports, counts) {
  const { d, label } = pathOf(placed.ways[at], ports[at]);
  const marker = `url(#${edge.in_cycle ? "arrow-cycle" : "arrow"})`;
  const group = shape("g", { class: `edge ${edge.known}${edge.in_cycle ? " cycle" : ""}`, tabindex: "-1", role: "button", "aria-label": `${nodeName(edge.to)} inside ${nodeName(edge.from)}, ${count(edge.count)} times` });
  const text = shape("text", { x: label[0], y: label[1] + 4, "text-anchor": "middle" }), words = (edge.in_cycle ? "↻ " : "") + count(edge.count);
  text.textContent = words;
  // In the type that the style gives them.
  const pen = byId("axis").getContext("2d");
  pen.save();
  pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const width = pen.measureText(words).width + 8;
  pen.restore();
  counts.append(shape("rect", { x: label[0] - width / 2, y: label[1] - 7, width, height: 14 }), text);
  group.append(shape("path", { d, class: "wide" }), shape("path", { d, class: "thin", [placed.turned[at] ? "marker-start" : "marker-end"]: marker }));
  group.addEventListener("click", () => chooseNest({ edge: at }));
  group.addEventListener("mousemove", (event) => tell({ x: event.clientX, y: event.clientY }, edgeLines(edge)));
  group.addEventListener("mouseleave", untell);
  return group;
}

function edgeLines(edge) {
  const known = edge.known === "exact" ? "known exactly" : "known by a call chain";
  return [line(make("b", null, nodeName(edge.to)), " taken inside ", make("b", null, nodeName(edge.from))), line(`${count(edge.count)} ×, ${known}; by ${edge.threads.slice(0, 4).join(", ")}${edge.threads.length > 4 ? " …" : ""}`)];
}

function nodeShape(node, { x, y }, at) {
  const lock = LOCK_AT.get(node.id), isLock = node.kind === "lock" && lock !== undefined;
  const group = shape("g", { class: `node ${node.kind}${onCycle(node.id) ? " cycle" : ""}`, transform: `translate(${x - NODE_WIDTH / 2} ${y - NODE_HEIGHT / 2})`, tabindex: at === 0 ? "0" : "-1", role: "button", "aria-label": `${nodeName(node.id)}, ${nodeKind(node)}, blocked ${time(node.blocked_ns)}` });
  group.append(shape("rect", { width: NODE_WIDTH, height: NODE_HEIGHT, rx: 6 }), heatBar(node));
  const pen = byId("axis").getContext("2d");
  // The name is bold, and wider than it is measured.
  const label = (text, top, name) => {
    const element = shape("text", { x: 12, y: top, class: name });
    element.textContent = clipped(pen, text, NODE_WIDTH - (name === "name" ? 48 : 24));
    return element;
  };
  const blocked = isLock ? `blocked ${node.blocked_ns > 0 ? time(node.blocked_ns) : "0"}, ${many(node.instances, "object")}` : node.kind === "region" ? `one of ${node.candidates.map((id) => "#" + id).join(", ") || "unknown locks"}` : "no event seen on it";
  group.append(label((onCycle(node.id) ? "↻ " : "") + nodeName(node.id), 18, "name"), label(nodeKind(node), 33, "faint"), label(blocked, 48, "faint"));
  group.addEventListener("click", () => chooseNest({ node: at }));
  group.addEventListener("mousemove", (event) => tell({ x: event.clientX, y: event.clientY }, [line(make("b", null, nodeName(node.id))), line(`${nodeKind(node)}; ${blocked}`)]));
  group.addEventListener("mouseleave", untell);
  return group;
}

const nodeKind = (node) => ({ lock: node.type, unseen: "a lock that no event was seen on", region: "a region: whose lock it takes is not known" })[node.kind];

// How much of all blocked time it has.
function heatBar(node) {
  const most = Math.max(1, ...NEST.nodes.map((other) => other.blocked_ns));
  return shape("rect", { x: 0, y: NODE_HEIGHT - 4, width: (node.blocked_ns / most) * NODE_WIDTH, height: 4, class: "heat" });
}

function scaleNesting(scale) {
  if (!nest.placed) return;
  nest.scale = Math.min(2, Math.max(0.1, scale));
  const svg = byId("nest-svg");
  svg.setAttribute("width", Math.round(nest.placed.width * nest.scale));
  svg.setAttribute("height", Math.round(nest.placed.height * nest.scale));
}

function fitNesting() {
  if (!nest.placed) return;
  const box = byId("nest-box");
  scaleNesting(Math.min(1, (box.clientWidth - 4) / nest.placed.width, Math.max(0.6, (box.clientHeight - 4) / nest.placed.height)));
}

// ---- what is selected, and cycles ----

function chooseNest(chosen) {
  untell();
  nest.chosen = chosen;
  const lock = chosen.node === undefined ? undefined : LOCK_AT.get(NEST.nodes[chosen.node].id);
  if (lock !== undefined && NEST.nodes[chosen.node].kind === "lock") view.choose(lock);
  else markNesting();
}

function markNesting() {
  const id = view.lock === null ? null : LOCKS[view.lock].id, at = id === null ? -1 : NEST.nodes.findIndex((node) => node.id === id && node.kind === "lock");
  // Where another lock was selected elsewhere, what was selected here is over.
  if (nest.chosen?.node !== undefined && NEST.nodes[nest.chosen.node].kind === "lock" && nest.chosen.node !== at) nest.chosen = null;
  if (!nest.chosen && at >= 0) nest.chosen = { node: at };
  const svg = byId("nest-svg");
  if (svg) {
    svg.querySelectorAll(".node").forEach((element, index) => element.classList.toggle("chosen", index === at || index === nest.chosen?.node));
    const id = NEST.nodes[nest.chosen?.node]?.id;
    svg.querySelectorAll(".edge").forEach((element, index) => {
      element.classList.toggle("chosen", index === nest.chosen?.edge);
      element.classList.toggle("linked", id !== undefined && (NEST.edges[index].from === id || NEST.edges[index].to === id));
    });
  }
  showNestSide();
}

function showNestSide() {
  const { node, edge } = nest.chosen ?? {}, parts = [];
  if (edge !== undefined) parts.push(...edgeParts(NEST.edges[edge]));
  if (node !== undefined) parts.push(...nodeParts(NEST.nodes[node]));
  for (const deadlock of NEST.deadlocks) parts.push(...deadlockParts(deadlock));
  parts.push(make("h3", null, NEST.cycles.length > 0 ? `Cycles that nothing excludes: ${count(NEST.cycles.length + NEST.cycles_left_out)}` : "No cycle that could be a deadlock"));
  for (const cycle of NEST.cycles) parts.push(cyclePart(cycle, true));
  if (NEST.excluded.length > 0) parts.push(make("h3", null, `Cycles that something excludes: ${count(NEST.excluded.length + NEST.excluded_left_out)}`), ...NEST.excluded.map((cycle) => cyclePart(cycle, false)));
  const rings = NEST.same_lock.filter((same) => same.order === "cyclic");
  if (rings.length > 0) parts.push(make("h3", null, "Objects of one lock taken inside each other in rings"), listOf(rings.map((same) => nodeName(same.node))));
  byId("nest-side").replaceChildren(...parts);
}

function nodeParts(node) {
  const item = (edge, other, words) => make("li", null, make("button", { type: "button", class: "link", onclick: () => chooseNest({ edge: NEST.edges.indexOf(edge) }) }, `${words} ${nodeName(other)}`), ` ${count(edge.count)} ×`);
  const inside = NEST.edges.filter((edge) => edge.from === node.id).map((edge) => item(edge, edge.to, "has inside:"));
  const outside = NEST.edges.filter((edge) => edge.to === node.id && edge.from !== node.id).map((edge) => item(edge, edge.from, "is taken inside:"));
  return [make("h3", null, nodeName(node.id)), make("p", null, nodeKind(node)), make("ul", null, ...inside, ...outside)];
}

function edgeParts(edge) {
  const parts = [make("h3", null, `${nodeName(edge.to)} inside ${nodeName(edge.from)}`), make("p", null, `${count(edge.count)} ×, ${edge.known === "exact" ? "known exactly" : "known by a call chain"}, by ${edge.threads.slice(0, 8).join(", ")}${edge.threads.length > 8 ? " …" : ""}`)];
  for (const site of edge.sites) parts.push(siteParts(site, `${count(site.count)} ×, ${site.thread}, ${site.known}`));
  if (edge.more_sites > 0) parts.push(make("p", { class: "faint" }, `${many(edge.more_sites, "further place")}`));
  return parts;
}

const chainList = (frames) => (frames.length > 0 ? make("ol", { class: "frames" }, ...frames.map((frame) => make("li", null, frame))) : make("p", { class: "faint" }, "unknown"));

function siteParts(site, head) {
  return make("details", { class: "site" }, make("summary", null, head), make("p", { class: "faint" }, "Outer lock taken"), chainList(panelFrames(site.outer)), make("p", { class: "faint" }, "Inner lock taken"), chainList(panelFrames(site.inner)));
}

const REASONS = {
  shared: () => "readers do not keep each other out",
  "one-thread": () => "no two threads were seen at its edges",
  gate: (reason) => `a lock around it keeps them apart: ${reason.nodes.map(nodeName).join(", ")}${reason.inferred ? " (inferred: taken to be one object)" : ""}`,
  "start-join": (reason) => `one thread was over before the other ${reason.inferred ? "was started (inferred: who started it)" : "came to it"}`,
};

function cyclePart(cycle, stands) {
  const path = [...cycle.nodes, cycle.nodes[0]].map(nodeName).join(" → ");
  const facts = stands ? [cycle.happened ? "It happened: its threads were blocked on each other when the recording ended." : cycle.decided ? "Nothing excludes it." : "Whether anything excludes it is not decided.", { same: "The objects are the same.", unknown: "Whether the objects are the same is not known.", apart: "The objects seen were others." }[cycle.objects]] : [`Excluded: ${(cycle.reasons ?? []).map((reason) => REASONS[reason.kind]?.(reason) ?? reason.kind).join("; ")}.`];
  const show = make("button", { type: "button", onclick: () => chooseNest({ node: Math.max(0, nodeAt(cycle.nodes[0])) }) }, "Show");
  // When that was stands in the timelines, far above.
  const when = stands ? make("button", { type: "button", onclick: () => goToDeadlock(possible(cycle)) }, "Show over time") : "";
  const steps = cycle.edges.map((edge) => siteParts(edge, `${edge.thread} takes ${nodeName(edge.to)} inside ${nodeName(edge.from)} (${edge.known}${edge.blocked_at_end ? ", blocked there at the end" : ""})`));
  return make("details", { class: "cycle", ...(stands ? { open: "" } : {}) }, make("summary", null, `${stands ? "↻ " : ""}${path}`), make("p", null, facts.join(" ") + " ", nodeAt(cycle.nodes[0]) >= 0 ? show : "", " ", when), ...steps);
}

function deadlockParts(deadlock) {
  const step = ({ thread, class: name, lock, chain }) => make("details", { class: "site" }, make("summary", null, `${thread} is blocked on ${lock === null ? name : nodeName(lock)}`), chainList(chain?.frames ?? []));
  return [make("h3", { class: "alarm" }, `DEADLOCK of ${many(deadlock.threads.length, "thread")}`), ...deadlock.threads.map(step)];
}

// Along the arrows: right to what is taken inside, left to what it is taken inside of, up and down in the layer.
function nestKeys(event) {
  const element = event.target.closest(".node, .edge"), nodes = [...byId("nest-svg").querySelectorAll(".node")], at = nodes.indexOf(element);
  if (!element) return;
  if (event.key === "Enter" || event.key === " ") element.dispatchEvent(new MouseEvent("click"));
  else if (at >= 0 && event.key.startsWith("Arrow")) {
    const to = neighbour(at, event.key);
    if (to >= 0) rove(element, nodes[to]);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function neighbour(at, key) {
  const id = NEST.nodes[at].id, here = nest.placed.nodes[at];
  if (key === "ArrowRight") return nodeAt(NEST.edges.find((edge) => edge.from === id && edge.to !== id)?.to);
  if (key === "ArrowLeft") return nodeAt(NEST.edges.find((edge) => edge.to === id && edge.from !== id)?.from);
  const down = key === "ArrowDown", others = nest.placed.nodes.map((place, index) => [place, index]);
  const near = others.filter(([place]) => place.layer === here.layer && (down ? place.y > here.y : place.y < here.y)).sort(([a], [b]) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y));
  return near[0]?.[1] ?? -1;
}
