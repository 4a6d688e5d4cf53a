// Of a recording that is under way this is one page of many. Every second it asks how that stands, and when there is a newer page it
// changes to it, with everything that was chosen here; but not while somebody is in the middle of something.

const EVERY = 1000, IDLE = 1500;
const CARRIED = `locklens ${location.pathname}`;
// When somebody did something last, and how old this page was at what time. Once the command is gone there is no other page to
// change to, whatever it last said of one: who asked for it would lose this one.
const now = { touched: -IDLE, age: 0, at: performance.now(), newest: DATA.live, over: null, paused: false, gone: false, leaving: false };
const CHOSEN = ["filter", "types", "thread-filter", "thread-order", "thread-folds", "jump-to"];
const SCROLLED = ["table-box", "threads-box", "locks-box"];
const lockNamed = (name) => LOCKS.findIndex((lock) => lock.name === name);
const namesOf = (all) => [...all].filter((at) => at < OTHERS).map((at) => LOCKS[at].name);

// What the link does not say. Locks go by their names: another page may number them otherwise.
function carry() {
  const state = {
    chosen: CHOSEN.map((id) => byId(id).value),
    scrolled: SCROLLED.map((id) => [byId(id).scrollLeft, byId(id).scrollTop]),
    place: [scrollX, scrollY],
    sorted: [sorting.column.name, sorting.down],
    ticked: namesOf(ticked),
    unfolded: namesOf(unfolded),
    folds: [...folding.open],
    lock: view.lock === null ? null : LOCKS[view.lock].name,
    length: view.to - view.from,
    ends: view.to >= END && view.from > 0,
    focus: document.activeElement?.id ?? "",
    paused: now.paused,
    exact: DATA.exact,
    asked: unfinished(),
  };
  sessionStorage.setItem(CARRIED, JSON.stringify(state));
}

function takeUp() {
  const state = JSON.parse(sessionStorage.getItem(CARRIED));
  sessionStorage.removeItem(CARRIED);
  if (!state) return;
  CHOSEN.forEach((id, at) => {
    byId(id).value = state.chosen[at];
  });
  // A type that no lock has any more.
  if (byId("types").selectedIndex < 0) byId("types").value = "";
  sorting.column = COLUMNS.find(({ name }) => name === state.sorted[0]) ?? sorting.column;
  sorting.down = state.sorted[1];
  folding.by = Number(byId("thread-folds").value);
  for (const name of state.folds) folding.open.add(name);
  for (const at of state.unfolded.map(lockNamed)) if (at >= 0) unfolded.add(at);
  fillTable();
  fillRows();
  for (const at of state.ticked.map(lockNamed)) if (at >= 0) tick(at, true);
  const lock = state.lock === null ? -1 : lockNamed(state.lock);
  view.choose(lock < 0 ? null : lock);
  // What is recorded exactly begins anew. Who looks at the end looks at the end.
  if (state.exact !== DATA.exact) view.show(0, END);
  else if (state.ends) view.show(END - state.length, END);
  now.paused = state.paused;
  goesOn(state.asked);
  byId(state.focus)?.focus({ preventScroll: true });
  // Rows have their places with the first picture.
  requestAnimationFrame(() => {
    SCROLLED.forEach((id, at) => byId(id).scrollTo(...state.scrolled[at]));
    scrollTo(...state.place);
  });
}

function sayHowOld() {
  const age = now.age + performance.now() - now.at;
  const newer = isNewer() ? "; there is newer data" : "";
  byId("live-said").textContent = now.over ?? `Recording: shown as it was ${count(age / 1000)} s ago${newer}.`;
  byId("live-hold").textContent = now.paused ? "Go on" : "Hold";
  byId("live-hold").hidden = now.over !== null;
  byId("live-newest").hidden = !isNewer();
}

const isNewer = () => now.newest !== DATA.live && !now.gone;

// The command may have ended since it was last heard of, and then this page is all there is. So it is asked first.
async function change() {
  if (now.gone) return;
  if (await answered("now")) goToNewest();
  else commandIsGone();
}

function goToNewest() {
  now.leaving = true;
  location.reload();
}

function commandIsGone() {
  now.gone = true;
  now.over = "The command that recorded this has ended: this is the last that was shown.";
  commandEnded();
  sayHowOld();
}

const isBusy = () => performance.now() - now.touched < IDLE || document.hidden || isAsking() || byId("help").open || !getSelection().isCollapsed;

async function look() {
  const told = await answered("now");
  if (told === null) return commandIsGone();
  now.newest = told.generation;
  if (told.generation === DATA.live) Object.assign(now, { age: told.age_ms, at: performance.now(), over: told.over });
  standsSo(told.recording);
  sayHowOld();
  // It has just answered, and nobody has begun anything since.
  if (isNewer() && !now.paused && !isBusy()) return goToNewest();
  if (now.over === null) setTimeout(look, EVERY);
}

function follow() {
  history.scrollRestoration = "manual";
  const hold = make("button", { type: "button", id: "live-hold", title: "Stay with what is shown" });
  hold.addEventListener("click", () => {
    now.paused = !now.paused;
    sayHowOld();
  });
  const newest = make("button", { type: "button", id: "live-newest", title: "Show the newest data (r)", onclick: change }, "Show it");
  document.querySelector("header").append(make("p", { id: "live", class: "bar" }, make("span", { id: "live-said" }), hold, newest));
  for (const kind of ["pointermove", "pointerdown", "wheel", "keydown", "scroll"]) {
    addEventListener(kind, () => { now.touched = performance.now(); }, { capture: true, passive: true });
  }
  addEventListener("keydown", (event) => {
    const isText = event.target.matches?.("input, select, textarea");
    if (event.key === "r" && !isText && !event.ctrlKey && !event.metaKey && isNewer()) change();
  });
  // At the very last: until the other page is there, this one can be used.
  addEventListener("pagehide", carry);
  offer();
  takeUp();
  sayHowOld();
  look();
}

follow();
