"use strict";
// What was recorded, read once: rows, what threads did with locks by bucket, and the longest stays.

const DATA = JSON.parse(document.getElementById("data").textContent);
const BLOCKED = 0, WAITING = 1, HOLDING = 2;
const DEEDS = ["blocked", "waiting", "holding"];
const NOBODY = -2, OPEN = 1, ESTIMATE = 2, INFERRED = 4, SHARED = 8;
const LOCKS = DATA.locks, THREADS = DATA.threads;
// Locks that the report leaves out share a row behind the others.
const OTHERS = LOCKS.length;
const WIDTH = DATA.bucket_ns, BUCKETS = DATA.buckets;
const END = Math.max(DATA.end_ns, 1);

// Strips: of one thread, lock and deed each. Their stretches stand one after the other in three arrays.
const STRIPS = readStrips();

function readStrips() {
  const { rows, stretches, digits } = DATA.strips;
  const count = rows.reduce((sum, row) => sum + row[3], 0);
  const all = { thread: [], lock: [], deed: [], low: [], first: new Int32Array(count), end: new Int32Array(count), each: new Float64Array(count) };
  const read = { text: stretches, at: 0 };
  const next = numbersOf(read, digits);
  let at = 0;
  for (const [thread, lock, deed, many] of rows) {
    all.thread.push(thread);
    all.lock.push(lock < 0 ? OTHERS : lock);
    all.deed.push(deed);
    all.low.push(at);
    let bucket = 0;
    for (const to = at + many; at < to; at++) {
      bucket += next();
      all.first[at] = bucket;
      bucket += next();
      all.end[at] = bucket;
      all.each[at] = next();
    }
  }
  if (read.at !== stretches.length) throw new Error("the stretches of this page are not what its strips say");
  all.low.push(at);
  DATA.strips = null;
  return all;
}

// Numbers one after the other: five bits a digit, the lowest first; the sixth is set if another digit follows.
function numbersOf(read, digits) {
  const { text } = read;
  const values = new Uint8Array(128);
  [...digits].forEach((digit, value) => (values[digit.charCodeAt(0)] = value));
  return () => {
    let digit = values[text.charCodeAt(read.at++)], number = digit & 31;
    // Beyond 32 bits no shift goes.
    for (let scale = 32; digit > 31; scale *= 32) {
      digit = values[text.charCodeAt(read.at++)];
      number += (digit & 31) * scale;
    }
    return number;
  };
}

const STRIPS_OF_THREAD = listed(STRIPS.thread, THREADS.length);
const STRIPS_OF_LOCK = listed(STRIPS.lock, OTHERS + 1);

// Which indices have each value.
function listed(values, count) {
  const lists = Array.from({ length: count }, () => []);
  values.forEach((value, index) => value >= 0 && lists[value].push(index));
  return lists;
}

// How much of a strip lies between two times; a bucket that they cut counts in proportion.
function within(strip, from, to) {
  let sum = 0;
  // The last bucket ends with the recording.
  if (to >= END) to = BUCKETS * WIDTH;
  for (let i = STRIPS.low[strip]; i < STRIPS.low[strip + 1]; i++) {
    const begin = STRIPS.first[i] * WIDTH, end = STRIPS.end[i] * WIDTH;
    if (begin >= to) break;
    const common = Math.min(end, to) - Math.max(begin, from);
    if (common > 0) sum += STRIPS.each[i] * (common / WIDTH);
  }
  return sum;
}

// The longest stays of each deed, in order of their beginning.
const STAYS = DATA.stays.map(readStays);
// Every stay of every deed is there: then pictures are exact at any scale.
const ALL_KEPT = STAYS.every((stays) => stays.leftOut === 0);

function readStays(told) {
  const count = told.thread.length;
  const stays = {
    count,
    thread: told.thread,
    lock: told.lock.map((lock) => (lock < 0 ? OTHERS : lock)),
    object: told.object,
    from: new Float64Array(count),
    to: new Float64Array(count),
    chain: told.chain,
    region: told.region,
    owner: told.owner,
    // Who ended it and when, and how long it was meant to last at most: -1 where that is not known.
    wokenBy: filled(told.woken_by, count),
    wokenAt: filled(told.woken_before, count),
    limit: filled(told.limit, count),
    flags: told.flags,
    leftOut: told.left_out,
    cut: told.cut_ns,
  };
  let from = 0;
  for (let i = 0; i < count; i++) {
    from += told.since[i];
    stays.from[i] = from;
    stays.to[i] = from + told.length[i];
    if (stays.wokenBy[i] >= 0) stays.wokenAt[i] = stays.to[i] - stays.wokenAt[i];
  }
  listStays(stays, THREADS.length);
  return stays;
}

// Which stays each row has.
function listStays(stays, threads) {
  stays.ofThread = ordered(stays, stays.thread, threads);
  stays.ofLock = ordered(stays, stays.lock, OTHERS + 1);
  // Those that a thread keeps waiting, and those that it ended.
  stays.ofOwner = ordered(stays, stays.owner, threads);
  stays.ofWaker = ordered(stays, stays.wokenBy, threads);
}

// Where the page is served with its trace: the part of which there are more stays than the page keeps, behind the `count` that
// it does; of which deeds there are all; and what is said of that.
const part = { from: 0, to: -1, whole: [false, false, false], said: "" };

// Every stay of a deed between two times is here.
const isWhole = (deed, from = view.from, to = view.to) => STAYS[deed].leftOut === 0 || (part.whole[deed] && part.from <= from && to <= part.to);

// By lock, what all threads did with it between two times: [blocked, waiting, holding]. Exact where every stay is here, and
// else of whole buckets.
function sums(from, to) {
  const all = Array.from({ length: OTHERS + 1 }, () => [0, 0, 0]), whole = STAYS.map((_, deed) => isWhole(deed, from, to));
  for (let strip = 0; strip < STRIPS.lock.length; strip++) if (!whole[STRIPS.deed[strip]]) all[STRIPS.lock[strip]][STRIPS.deed[strip]] += within(strip, from, to);
  STAYS.forEach((stays, deed) => {
    for (let i = 0; whole[deed] && i < stays.from.length; i++) all[stays.lock[i]][deed] += Math.max(0, Math.min(stays.to[i], to) - Math.max(stays.from[i], from));
  });
  return all;
}

// Whether sums between two times are exact: a bucket that they cut counts in proportion.
const isExact = (deed, from, to) => isWhole(deed, from, to) || [from, to].every((at) => at % WIDTH === 0 || at >= END);

function filled(column, count) {
  return column.length > 0 ? column : new Int32Array(count).fill(-1);
}

// Of each row the stays in order, with the latest end of all up to each.
function ordered(stays, rows, count) {
  return listed(rows, count).map((list) => inOrder(stays, list));
}

function inOrder(stays, list) {
  let latest = 0;
  list.sort((a, b) => stays.from[a] - stays.from[b] || a - b);
  return { list, latest: list.map((stay) => (latest = Math.max(latest, stays.to[stay]))) };
}

// The stays of a lock that the page keeps.
const keptOf = (stays, lock) => stays.ofLock[lock].list.filter((stay) => stay < stays.count);

// Calls `see` with each stay of a row that touches the time between two.
function touching(stays, { list, latest }, from, to, see) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (latest[middle] < from) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < list.length && stays.from[list[i]] <= to; i++) if (stays.to[list[i]] >= from) see(list[i]);
}

// Lock objects that are threads: the rows of those.
const TARGETS = new Map(DATA.targets);

function lockName(lock) {
  return lock === OTHERS ? "locks that the report leaves out" : LOCKS[lock].name;
}

function typesOf(lock) {
  return lock.types.map((type) => type.type);
}

function threadName(row) {
  const { name } = THREADS[row];
  return name === null ? `${count(DATA.further)} further threads` : whoName(name);
}

// A name of threads, in quotes where it could be taken for a word for no thread.
function whoName(name) {
  return /^(unknown|nobody|nobody held it|nobody: nothing to take|deadlock|others)$|^["(\[]/.test(name) ? `"${name}"` : name;
}

// Frames of a call chain, innermost first.
function framesOf(chain) {
  if (chain === 0) return [];
  const [cut, frames] = DATA.chains[chain - 1];
  return frames.map((text) => DATA.texts[text]).concat(cut ? ["…"] : []);
}
