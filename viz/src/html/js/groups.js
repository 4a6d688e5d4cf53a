// Which rows there are: threads folded by name, group or kind, and locks with a row for each of their objects. What is folded
// is a row like any other behind those of the recording: its strips and stays are those of its members.

const THREADS_TOLD = THREADS.length;
const FOLDS = [
  ["each thread", null],
  ["by name", (row) => foldedName(row)],
  ["by thread group", (row) => THREADS[row].group ?? "no group"],
  ["virtual threads", (row) => (THREADS[row].virtual ? `virtual: ${foldedName(row)}` : null)],
];
const folding = { by: 0, open: new Set() };

// The name with its digits folded: threads of one pool have one.
function foldedName(row) {
  const { name } = THREADS[row];
  return name === null ? null : name.replace(/\d+/g, "#");
}

// The rows of these threads, folded as it is wanted, and where each thread is.
function foldThreads(list) {
  for (const all of [THREADS, STRIPS_OF_THREAD, LIVES, ...STAYS.map((stays) => stays.ofThread)]) all.length = THREADS_TOLD;
  forgetLanes();
  const key = FOLDS[folding.by][1], groups = new Map();
  const keyed = list.map((row) => [row, key && key(row)]);
  for (const [row, name] of keyed) {
    if (name === null) continue;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(row);
  }
  const told = [], done = new Set();
  rows.place = new Map();
  for (const [row, name] of keyed) {
    const members = groups.get(name) ?? [row];
    if (members.length < 2) addRow(told, row);
    else if (!done.has(name)) addFold(told, name, members);
    done.add(name);
  }
  return told;
}

function addRow(told, row) {
  rows.place.set(row, told.length);
  told.push(row);
}

function addFold(told, name, members) {
  const fold = makeFold(name, members);
  for (const member of members) rows.place.set(member, told.length);
  told.push(fold);
  if (folding.open.has(name)) for (const member of members) addRow(told, member);
}

// A row behind all others with what its members have together.
function makeFold(name, members) {
  const first = THREADS[members[0]];
  const life = members.map((row) => LIVES[row]).reduce(([from, to], [a, b]) => [Math.min(from, a), Math.max(to, b)]);
  THREADS.push({ ...first, name: `${name} (${many(members.length, "thread")})`, fold: name, tid: 0, alive: [], members });
  STRIPS_OF_THREAD.push(members.flatMap((row) => STRIPS_OF_THREAD[row]));
  LIVES.push(life);
  for (const stays of STAYS) {
    stays.ofThread.push(inOrder(stays, members.flatMap((row) => stays.ofThread[row].list)));
  }
  return THREADS.length - 1;
}

// The threads of a row: itself, or those that are folded into it.
function membersOf(row) {
  return THREADS[row].members ?? [row];
}

// A thread that stands below the row it is folded into.
function isUnfolded(row) {
  const key = FOLDS[folding.by][1];
  return row < THREADS_TOLD && key !== null && folding.open.has(key(row)) && rows.threads[rows.place.get(row) - 1] !== undefined;
}

function toggleFold(row) {
  const { fold } = THREADS[row];
  if (!folding.open.delete(fold)) folding.open.add(fold);
  fillRows();
}

// ---- the objects of a lock ----

const INSTANCES_MOST = 200;
const INSTANCES = [];
const unfolded = new Set();

// Objects of a lock of which stays were kept, those with the longest first.
function objectsOf(lock) {
  const times = new Map();
  for (const stays of STAYS) {
    for (const stay of keptOf(stays, lock)) times.set(stays.object[stay], (times.get(stays.object[stay]) ?? 0) + stays.to[stay] - stays.from[stay]);
  }
  return [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([object]) => object);
}

// Whether a lock can be told apart into objects.
const severals = new Map();
function isSeveral(lock) {
  if (lock >= OTHERS) return false;
  if (!severals.has(lock)) severals.set(lock, LOCKS[lock].instances > 1 && objectsOf(lock).length > 1);
  return severals.get(lock);
}

// The rows of these locks, and of the objects of those that are unfolded.
function unfoldLocks(list) {
  INSTANCES.length = 0;
  for (const stays of STAYS) stays.ofLock.length = OTHERS + 1;
  return list.flatMap((lock) => [lock, ...(unfolded.has(lock) ? objectsOf(lock).slice(0, INSTANCES_MOST).map((object) => makeInstance(lock, object)) : [])]);
}

function makeInstance(lock, object) {
  INSTANCES.push({ lock, object });
  for (const stays of STAYS) stays.ofLock.push(inOrder(stays, stays.ofLock[lock].list.filter((stay) => stays.object[stay] === object)));
  const row = OTHERS + INSTANCES.length;
  forgetSlots(row);
  return row;
}

const isInstance = (row) => row > OTHERS;
const lockOf = (row) => (isInstance(row) ? INSTANCES[row - OTHERS - 1].lock : row);

function rowName(row) {
  return isInstance(row) ? `object ${INSTANCES[row - OTHERS - 1].object}` : row === OTHERS ? lockName(row) : `#${LOCKS[row].id} ${LOCKS[row].name}`;
}

function toggleLock(lock) {
  if (!isSeveral(lock)) return;
  if (!unfolded.delete(lock)) unfolded.add(lock);
  fillRows();
}
