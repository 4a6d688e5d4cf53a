// Puts it together: what stands above the pictures, which rows there are, what is said of the part shown.

function fillHeader() {
  document.title = `${DATA.title.split(",")[0]} – locks`;
  byId("title").textContent = DATA.title;
  byId("facts").textContent = DATA.facts.join(" · ");
  byId("notes").querySelector("ul").replaceChildren(...DATA.notes.map((note) => make("li", null, note)));
  byId("warning").textContent = DATA.warnings.join(" ");
  byId("warning").hidden = DATA.warnings.length === 0;
  byId("advice").textContent = DATA.advice.join(" ");
  byId("advice").hidden = DATA.advice.length === 0;
  byId("stuck").querySelector("pre").textContent = DATA.stuck.slice(1).join("\n");
  byId("stuck").querySelector("summary").textContent = DATA.stuck[0] ?? "";
  byId("stuck").open = DATA.stuck.some((line) => line.startsWith("DEADLOCK"));
  byId("stuck").hidden = DATA.stuck.length === 0;
  byId("empty").textContent = DATA.empty.join("\n");
  byId("empty").hidden = DATA.empty.length === 0;
}

function fillLegend() {
  const entry = (name, text) => {
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = `var(--${name})`;
    return make("span", null, swatch, text);
  };
  byId("legend").replaceChildren(entry("blocked", "blocked"), entry("waiting", "waiting"), entry("holding", "holding"), entry("alive", "neither"), entry("heat", "pressure"));
}

const HELD_UP = THREADS.map((_, row) => STRIPS_OF_THREAD[row].filter((strip) => STRIPS.deed[strip] !== HOLDING).reduce((sum, strip) => sum + within(strip, 0, END), 0));
const BLOCKED_ALL = THREADS.map((_, row) => STRIPS_OF_THREAD[row].filter((strip) => STRIPS.deed[strip] === BLOCKED).reduce((sum, strip) => sum + within(strip, 0, END), 0));
const natural = new Intl.Collator("en", { numeric: true });
const ORDERS = [
  ["by blocked time", (a, b) => BLOCKED_ALL[b] - BLOCKED_ALL[a] || HELD_UP[b] - HELD_UP[a] || a - b],
  ["by name", (a, b) => natural.compare(threadName(a), threadName(b)) || a - b],
  ["by number", (a, b) => a - b],
];

function fillRows() {
  const words = byId("thread-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const passes = (row) => words.every((word) => `${threadName(row)}\n${THREADS[row].group ?? ""}`.toLowerCase().includes(word));
  const order = ORDERS[Number(byId("thread-order").value)][1];
  rows.threads = foldThreads(Array.from({ length: THREADS_TOLD }, (_, row) => row).filter(passes).sort(order));
  rows.locks = unfoldLocks(Array.from({ length: OTHERS + 1 }, (_, lock) => lock).filter((lock) => STRIPS_OF_LOCK[lock].length > 0));
  fitTimelines();
  redraw();
}

let said = "";

// What happened, beside what is shown.
function say(text) {
  said = text;
  summarize();
}

// The part that is shown, in words: for those who do not see the picture.
const summarize = later(250, () => {
  const all = sums(view.from, view.to);
  const parts = [`Shown: ${moment(view.from, (view.to - view.from) / 100)} to ${moment(view.to, (view.to - view.from) / 100)} of ${time(END)}; ${many(rows.place.size, "thread")}, ${locksShown()}.`];
  for (const [deed, word] of [[BLOCKED, "Blocked"], [WAITING, "Waiting"], [HOLDING, "Holding"]]) {
    const total = all.reduce((sum, lock) => sum + lock[deed], 0);
    const most = all.reduce((best, lock, at) => (lock[deed] > all[best][deed] ? at : best), 0);
    const about = isExact(deed, view.from, view.to) ? "" : "about ";
    if (total > 0) parts.push(`${word} ${about}${time(total)}, most on ${lockName(most)} (${time(all[most][deed])}).`);
  }
  if (DATA.unmeasured > 0) parts.push(`${many(DATA.unmeasured, "stay")} of unknown length (an end is missing, or events between) are not in the picture.`);
  else if (parts.length === 1) parts.push("Nobody was blocked or waited.");
  byId("summary").textContent = [said, ...parts].filter(Boolean).join(" ");
  said = "";
  byId("resolution").textContent = resolution();
});

// Locks with which nobody spent any time that is known have no row.
function locksShown() {
  const shown = rows.locks.length - INSTANCES.length, all = LOCKS.length + (rows.locks.includes(OTHERS) ? 1 : 0);
  return shown < all ? `${count(shown)} of ${many(all, "lock")} (of the others no time is known)` : many(shown, "lock");
}

// How fine the picture is, and how fine it can be.
function resolution() {
  const step = (view.to - view.from) / timeWidth(paneWidth());
  const width = time(WIDTH);
  if (ALL_KEPT && DATA.unmeasured > 0) return `${isFine(step) ? "Exact" : `Sums over intervals of ${width} and more`}: every stay of known length is in this page; ${many(DATA.unmeasured, "stay")} of unknown length are not.`;
  if (ALL_KEPT) return isFine(step) ? "Exact: every stay is in this page." : `Sums over intervals of ${width} and more; every stay is in this page.`;
  if (isFine(step) && STAYS.every((_, deed) => isWhole(deed))) return `Exact: every stay of this part ${DATA.unmeasured > 0 ? "whose length is known " : ""}is here, as the trace has it.`;
  const cuts = STAYS.map((stays, deed) => stays.leftOut > 0 && `${DEEDS[deed]} of more than ${time(stays.cut)}`).filter(Boolean);
  const kept = `of stays one by one, this page keeps the longest: ${cuts.join(", ")}`;
  return isFine(step) ? `Finer than the intervals of ${width} of this page: what is pale is their average; ${kept}. ${part.said}`.trim() : `Sums over intervals of ${width} and more; ${kept}.`;
}

function start() {
  readColours();
  fillHeader();
  fillLegend();
  buildTable();
  byId("thread-order").replaceChildren(...ORDERS.map(([name], at) => make("option", { value: at }, name)));
  byId("thread-order").addEventListener("change", fillRows);
  byId("thread-folds").replaceChildren(...FOLDS.map(([name], at) => make("option", { value: at }, name)));
  byId("thread-folds").addEventListener("change", () => {
    folding.by = Number(byId("thread-folds").value);
    fillRows();
  });
  byId("thread-filter").addEventListener("input", fillRows);
  byId("jump-to").replaceChildren(...JUMPS.map(({ name }, at) => make("option", { value: at }, name)));
  const middle = () => (view.from + view.to) / 2;
  const buttons = {
    "zoom-all": () => view.show(0, END),
    "zoom-in": () => view.zoom(0.5, middle()),
    "zoom-out": () => view.zoom(2, middle()),
    "long-before": () => jump(-1),
    "long-next": () => jump(1),
    "help-open": () => byId("help").showModal(),
  };
  for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
  fillRows();
  takeHands();
  view.on("part", () => {
    current = null;
    redraw();
    summarize();
  });
  view.on("span", redraw);
  view.on("lock", redraw);
  view.on("lock", fitTable);
  buildPanels();
  followLink();
  addEventListener("hashchange", () => {
    if (location.hash !== linked) followLink();
  });
  fitTable();
  const sizes = new ResizeObserver(() => {
    fitTimelines();
    redraw();
  });
  for (const box of document.querySelectorAll(".rows")) sizes.observe(box);
  watchColours();
}

// Light or dark as the system has it; on paper light.
function watchColours() {
  const again = () => {
    readColours();
    drawAll();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  matchMedia("print").addEventListener("change", again);
}

start();
