// Who blocks whom as flame graphs: blocked time by where threads were blocked, and by where those were who held the locks.
// The outermost frame is on top, and width is time.

const SIDES = [
  { side: "waiter", key: "waiter-stack", title: "Where threads were blocked", colour: "blocked" },
  { side: "owner", key: "owner-stack", title: "Where those were who held the locks", colour: "holding" },
];
const FRAME_HEIGHT = 19, SHADES = 5;
// Narrower ones are not drawn.
const NARROWEST = 1.5;
const flames = { onlyChosen: true, grownFor: undefined };

function fillFlames(pane) {
  const bar = make("div", { class: "bar" }, tickBox("selected lock only", flames.onlyChosen, (on) => {
    flames.onlyChosen = on;
    growFlames();
  }), make("span", { class: "faint" }, "Click or Enter: zoom in; Esc or Backspace: out; arrows: from frame to frame. Width is blocked time."));
  pane.append(bar, make("div", { class: "flames" }, ...SIDES.map(sidePane)));
  follows("flame", ["lock"], () => flames.grownFor !== wantedLock(flames.onlyChosen) && growFlames());
  const again = later(50, () => openTab === "flame" && SIDES.forEach((side) => side.root && drawFlame(side)));
  new ResizeObserver(again).observe(pane);
}

function sidePane(side) {
  side.told = make("p", { class: "faint" });
  side.box = make("div", { class: `flame ${side.colour}`, role: "tree", "aria-label": side.title, id: `flame-${side.side}` });
  side.box.addEventListener("keydown", (event) => flameKeys(side, event));
  side.box.addEventListener("mouseleave", untell);
  return make("div", null, make("h3", null, side.title), side.told, side.box);
}

function growFlames() {
  flames.grownFor = wantedLock(flames.onlyChosen);
  const cells = wantedCells(flames.grownFor);
  for (const side of SIDES) {
    side.root = growFlame(side.key, cells);
    side.zoom = side.focus = side.root;
    drawFlame(side);
  }
}

// Frames as a tree: each with the time of all chains through it.
function growFlame(key, cells) {
  const root = { name: "all", ns: 0, own: 0, depth: 0, parent: null, children: new Map() };
  for (const cell of cells) {
    const ns = CELLS.ns[cell];
    if (ns === 0) continue;
    let at = root;
    at.ns += ns;
    for (const name of framesInward(key, cell)) {
      if (!at.children.has(name)) at.children.set(name, { name, ns: 0, own: 0, depth: at.depth + 1, parent: at, children: new Map() });
      at = at.children.get(name);
      at.ns += ns;
    }
    at.own += ns;
  }
  return root;
}

function framesInward(key, cell) {
  const value = valueOf(key, cell);
  if (value === LEFT_OUT) return ["[others]"];
  const told = CELLS.values[key][value];
  return told.chain === undefined ? [`[${told.is}]`] : panelFrames(told.chain).reverse();
}

const byTime = (frame) => [...frame.children.values()].sort((a, b) => b.ns - a.ns || (a.name < b.name ? -1 : 1));

function drawFlame(side) {
  const width = side.box.clientWidth, elements = [];
  let deepest = 0;
  const scale = side.zoom.ns > 0 ? width / side.zoom.ns : 0;
  const add = (frame, x, w) => {
    deepest = Math.max(deepest, frame.depth);
    elements.push(frameElement(side, frame, x, w));
    let left = x;
    for (const child of byTime(frame)) {
      const wide = child.ns * scale;
      if (wide >= NARROWEST) add(child, left, wide);
      left += wide;
    }
  };
  for (let above = side.zoom.parent; above; above = above.parent) elements.push(frameElement(side, above, 0, width));
  if (scale > 0) add(side.zoom, 0, width);
  side.box.style.height = (deepest + 1) * FRAME_HEIGHT + "px";
  // Drawn anew for another width too, meanwhile somebody may be here with the keyboard.
  const focused = side.box.contains(document.activeElement);
  side.box.replaceChildren(...elements);
  if (focused) side.box.querySelector("[tabindex='0']")?.focus();
  side.told.textContent = side.root.ns === 0 ? (PANELS.tree.unmeasured > 0 ? "For how long is not known." : "Nobody was blocked.") : side.zoom === side.root ? `${time(side.root.ns)} in all` : `${time(side.zoom.ns)} of ${time(side.root.ns)} below ${side.zoom.name}`;
}

function frameElement(side, frame, x, w) {
  const element = make("div", { class: `frame shade${shadeOf(frame.name)}${frame.depth < side.zoom.depth ? " above" : ""}`, role: "treeitem", "aria-level": frame.depth + 1, "aria-label": `${frame.name}, ${time(frame.ns)}`, tabindex: frame === side.focus ? "0" : "-1" }, w > 24 ? (frame.parent ? frame.name : `all ${time(frame.ns)}`) : "");
  element.style.left = x + "px";
  element.style.width = Math.max(1, w - 1) + "px";
  element.style.top = frame.depth * FRAME_HEIGHT + "px";
  element.frame = frame;
  element.addEventListener("click", () => zoomFlame(side, frame));
  element.addEventListener("mousemove", (event) => tell({ x: event.clientX, y: event.clientY }, frameLines(side, frame)));
  return element;
}

// The same shade for the same class, so that calls within it belong together.
function shadeOf(name) {
  let hash = 0;
  for (const letter of name.replace(/\(.*$/s, "").replace(/\.[^.]*$/, "")) hash = (hash * 31 + letter.codePointAt(0)) % 65521;
  return hash % SHADES;
}

function frameLines(side, frame) {
  const all = side.root.ns, of = { waiter: "blocked in and below it", owner: "blocked by who was in and below it" }[side.side];
  return [line(make("b", null, frame.parent ? frame.name : "all")), line(`${time(frame.ns)}, ${percent(frame.ns / all)} of all: ${of}`), ...(frame.own > 0 && frame.parent ? [line(`${time(frame.own)} of it where this frame is the innermost`)] : [])];
}

function zoomFlame(side, frame) {
  side.zoom = side.focus = frame;
  untell();
  drawFlame(side);
}

function flameKeys(side, event) {
  const from = event.target.closest(".frame");
  if (!from) return;
  const frame = from.frame, siblings = frame.parent ? byTime(frame.parent) : [frame], at = siblings.indexOf(frame);
  const go = (to) => {
    const element = [...side.box.children].find((element) => element.frame === to);
    if (!element) return;
    side.focus = to;
    rove(from, element);
    const { left, bottom } = element.getBoundingClientRect();
    tell({ x: left, y: bottom - 14 }, frameLines(side, to));
  };
  const acts = {
    ArrowUp: () => go(frame.parent),
    ArrowDown: () => go(byTime(frame)[0]),
    ArrowLeft: () => go(siblings[at - 1]),
    ArrowRight: () => go(siblings[at + 1]),
    Home: () => go(side.zoom),
    Enter: () => zoomFlame(side, frame),
    " ": () => zoomFlame(side, frame),
    Backspace: () => side.zoom.parent && zoomFlame(side, side.zoom.parent),
    Escape: () => side.zoom.parent && zoomFlame(side, side.zoom.parent),
  };
  if (!acts[event.key] || (event.key === "Escape" && !side.zoom.parent)) return;
  acts[event.key]();
  event.preventDefault();
  event.stopPropagation();
}
