// The panels below the timelines: tabs, of which one is open, or none. What several of them need stands here, too.

const PANELS = DATA.panels;
// In their order: what each is called, and what fills it when it is opened first.
const TABS = [
  { id: "tree", name: "Who blocked whom", fill: fillTree },
  { id: "flame", name: "Flame graphs", fill: fillFlames },
  { id: "nesting", name: PANELS?.nesting.cycles.length > 0 ? `Nesting ↻ ${PANELS.nesting.cycles.length + PANELS.nesting.cycles_left_out}` : "Nesting", fill: fillNesting },
  { id: "pressure", name: "Pressure", fill: fillPressure },
  { id: "ticks", name: "Record exactly", fill: fillTicks },
];
let openTab = null;

function buildPanels() {
  if (!PANELS) return;
  buildTicks();
  const tabs = make("div", { class: "bar", role: "tablist", "aria-label": "Panels", id: "tabs" });
  const panes = [];
  for (const tab of TABS) {
    const open = () => showTab(openTab === tab.id ? null : tab.id);
    tab.button = make("button", { type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`, "aria-selected": "false", tabindex: "-1", onclick: open }, tab.name);
    tab.pane = make("div", { class: "panel", role: "tabpanel", id: `panel-${tab.id}`, "aria-labelledby": `tab-${tab.id}`, hidden: "" });
    tabs.append(tab.button);
    panes.push(tab.pane);
  }
  TABS[0].button.tabIndex = 0;
  tabs.addEventListener("keydown", tabKeys);
  byId("panels").append(tabs, ...panes);
  byId("panels").hidden = false;
}

// Opens one of them, or none, and closes the others.
function showTab(id) {
  openTab = TABS.some((tab) => tab.id === id) ? id : null;
  for (const tab of TABS) {
    const is = tab.id === openTab;
    tab.button.setAttribute("aria-selected", String(is));
    tab.pane.hidden = !is;
    if (is || openTab === null) tab.button.tabIndex = is || tab === TABS[0] ? 0 : -1;
    else tab.button.tabIndex = -1;
    if (is && !tab.filled) {
      tab.filled = true;
      tab.fill(tab.pane);
    }
    if (is) {
      tab.again?.();
      byId("panels").scrollIntoView({ block: "nearest" });
    }
  }
  keepLink();
}

function tabNamed(id) {
  return TABS.find((tab) => tab.id === id);
}

// Has a panel draw itself again whenever one of these changes, if it is open; else when it is opened.
function follows(id, what, act) {
  const tab = tabNamed(id);
  tab.again = act;
  for (const each of what) view.on(each, () => openTab === id && act());
}

function tabKeys(event) {
  const at = TABS.findIndex((tab) => tab.button === event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  const next = TABS[(to + TABS.length) % TABS.length];
  for (const tab of TABS) tab.button.tabIndex = tab === next ? 0 : -1;
  next.button.focus();
  event.preventDefault();
  event.stopPropagation();
}

// ---- what panels have in common ----

// Frames of a chain of the panels, innermost first.
function panelFrames(chain) {
  const [cut, frames] = PANELS.chains[chain];
  return frames.map((text) => PANELS.texts[text]).concat(cut ? ["…"] : []);
}

const LOCK_AT = new Map(LOCKS.map((lock, at) => [lock.id, at]));

// Lines of text beside the pointer, or beside an element that has the focus; nothing for none.
function tell(place, lines) {
  const tip = byId("tip");
  tip.hidden = lines.length === 0;
  tip.replaceChildren(...lines);
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(place.x + 14, innerWidth - width - 6)) + "px";
  tip.style.top = (place.y + 18 + height > innerHeight ? Math.max(4, place.y - height - 12) : place.y + 18) + "px";
}

function untell() {
  byId("tip").hidden = true;
}

// A box that is ticked or not.
function tickBox(text, ticked, act) {
  const box = make("input", { type: "checkbox" });
  box.checked = ticked;
  box.addEventListener("change", () => act(box.checked));
  return make("label", { class: "tick" }, box, text);
}

// A choice among options: [value, text].
function choice(label, options, act) {
  const select = make("select", { "aria-label": label }, ...options.map(([value, text]) => make("option", { value }, text)));
  select.addEventListener("change", () => act(select.value));
  return select;
}

// A line to copy, with a button that does.
function copyLine(text) {
  const field = make("input", { type: "text", readonly: "", class: "command", "aria-label": "Command", value: text });
  const button = make("button", { type: "button", onclick: () => copy(field, button) }, "Copy");
  return { line: make("div", { class: "copy" }, field, button), field };
}

// Where the browser lets no page copy, the text stays selected for who copies by hand.
async function copy(field, button) {
  button.textContent = (await wasCopied(field)) ? "Copied" : "Not copied: press Ctrl+C";
  later(1500, () => (button.textContent = "Copy"))();
}

async function wasCopied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

// Up, down and the like among elements of which one can be reached by Tab.
function rove(from, to) {
  if (!to) return;
  if (from) from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}
