// The way to what matters: long blocks, phases of pressure, deadlocks that are possible or have happened.

// Long blocks are so many of the longest.
const LONG = 100;
// What was gone to last: what the list of its kind has in its place.
let current = null;

// By kind: what there is to go to, in the order of time, what to do when it is gone to, and what is said if there is nothing.
const JUMPS = [
  { name: "long block", all: longBlocks, middle: (stay) => middleOf(STAYS[BLOCKED].from[stay], STAYS[BLOCKED].to[stay]), go: goTo, none: "There is no blocked stay to go to." },
  { name: "pressure phase", all: allPhases, middle: ({ phase }) => middleOf(phase[0], phase[1]), go: ({ lock, phase }) => goToPhase(lock, phase[0], phase[1]), none: "No lock has a phase of pressure." },
  { name: "deadlock", all: allDeadlocks, middle: ({ from, to }) => middleOf(from, to), go: goToDeadlock, none: "No cycle of locks that could be a deadlock was seen, and none that is one." },
];

const middleOf = (from, to) => (from + to) / 2;

function longBlocks() {
  const stays = STAYS[BLOCKED];
  const all = view.lock === null ? Array.from({ length: stays.count }, (_, at) => at) : keptOf(stays, view.lock);
  const length = (stay) => stays.to[stay] - stays.from[stay];
  all.sort((a, b) => length(b) - length(a) || a - b);
  return all.slice(0, LONG).sort((a, b) => stays.from[a] - stays.from[b] || a - b);
}

// The same each time: two of one moment are told apart by which was gone to last.
let phases = { of: null, all: [] };
function allPhases() {
  if (phases.of === PRESS) return phases.all;
  const all = PRESS ? PRESS.locks.flatMap((lock) => lock.phases.map((phase) => ({ lock, phase }))) : [];
  phases = { of: PRESS, all: all.sort((a, b) => a.phase[0] - b.phase[0] || a.lock.id - b.lock.id) };
  return phases.all;
}

// Each with the stay that shows most of it.
let deadlocks = null;
function allDeadlocks() {
  if (!NEST) return [];
  deadlocks ??= [...NEST.deadlocks.map(happened), ...NEST.cycles.map(possible)].sort((a, b) => a.from - b.from);
  return deadlocks;
}

// From when the last of its threads was blocked.
function happened({ threads }) {
  const stays = STAYS[BLOCKED], names = new Set(threads.map(({ thread }) => thread));
  const open = Array.from({ length: stays.count }, (_, at) => at).filter((stay) => stays.flags[stay] & OPEN && names.has(THREADS[stays.thread[stay]].name));
  const last = open.reduce((best, stay) => (best === null || stays.from[stay] > stays.from[best] ? stay : best), null);
  const [from, to] = last === null ? [END, END] : [stays.from[last], stays.to[last]];
  return { what: `DEADLOCK of ${[...names].map(whoName).join(", ")}`, stay: last, from, to };
}

// The longest stay of one of its threads at the lock that it takes there inside another.
function possible({ nodes, edges, happened: is }) {
  const stays = STAYS[BLOCKED], wanted = new Set(edges.map(({ thread, to }) => `${LOCK_AT.get(to)} ${thread}`));
  let best = null;
  for (let stay = 0; stay < stays.count; stay++) {
    if (!wanted.has(`${stays.lock[stay]} ${THREADS[stays.thread[stay]].name}`)) continue;
    if (best === null || stays.to[stay] - stays.from[stay] > stays.to[best] - stays.from[best]) best = stay;
  }
  const [from, to] = best === null ? [0, END] : [stays.from[best], stays.to[best]];
  return { what: `${is ? "Deadlock" : "Possible deadlock"} ${[...nodes, nodes[0]].map(nodeName).join(" → ")}`, lock: best === null ? LOCK_AT.get(nodes[0]) : stays.lock[best], stay: best, from, to };
}

function goToDeadlock({ what, lock, stay, from, to }) {
  if (lock !== undefined) view.choose(lock);
  if (stay === null) {
    view.show(from, to);
    return say(`${what}: nobody was seen to be blocked there. Its evidence stands below, under Nesting.`);
  }
  goTo(stay, `${what}. Its evidence stands below, under Nesting. `);
}

function jump(by) {
  const { all, middle, go, none } = JUMPS[Number(byId("jump-to").value)], places = all();
  if (places.length === 0) return say(none);
  // Who sees the whole recording begins at its beginning, or its end; who sees a part goes on from there.
  const isAll = view.from <= 0 && view.to >= END, shown = isAll ? -1 : middleOf(view.from, view.to);
  const behind = places.findIndex((place) => middle(place) > shown);
  const ahead = behind < 0 ? places.length : behind;
  const here = places.indexOf(current);
  const next = here >= 0 ? here + by : by > 0 ? ahead : ahead - 1;
  const place = places[(next + places.length) % places.length];
  go(place);
  current = place;
}

// Shows a blocked stay, with as much before and behind it.
function goTo(stay, why = "") {
  const stays = STAYS[BLOCKED], length = stays.to[stay] - stays.from[stay];
  view.show(stays.from[stay] - length * 1.5, stays.to[stay] + length * 1.5);
  current = stay;
  const at = rows.place.get(stays.thread[stay]);
  const box = byId("threads-box");
  if (at !== undefined) box.scrollTop = at * THREAD_ROW - box.clientHeight / 2;
  const row = rows.locks.indexOf(stays.lock[stay]), locks = byId("locks-box");
  if (row >= 0 && (row * LOCK_ROW < locks.scrollTop || (row + 1) * LOCK_ROW > locks.scrollTop + locks.clientHeight)) locks.scrollTop = row * LOCK_ROW;
  say(`${why}${threadName(stays.thread[stay])} blocked on ${lockName(stays.lock[stay])} for ${time(length)} from ${moment(stays.from[stay], 1000)}.`);
}
