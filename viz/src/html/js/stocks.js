// What the type of a lock calls for, above its line: readers and writer, permits left, length of a queue, arrivals, a count.
// By bucket the least, the most and the mean; where each change is known and the picture is fine, each change.

const STOCK_WIDTH = DATA.stock_bucket_ns;
const STOCK_WORDS = {
  "readers-writer": ["reading", "writing"],
  "permits-left": ["permits left"],
  "queue-length": ["in the queue"],
  arrivals: ["arrived"],
  "count-left": ["to be counted down"],
  held: ["holding it"],
};
const SURE_WORDS = { "at-least": "at least ", about: "about " };
const STOCKS = new Map(DATA.stocks.map((told) => [told.lock, { kind: told.kind, sure: told.sure, parts: told.parts.map(readPart) }]));

function readPart({ steps, changes }) {
  const size = Math.max(1, Math.ceil(END / STOCK_WIDTH));
  const part = { size, least: new Float32Array(size), most: new Float32Array(size), mean: new Float32Array(size), top: 0, at: null, value: null };
  for (let i = 0, bucket = 0; i < steps.length; i += 4) {
    for (let n = steps[i]; n > 0 && bucket < size; n--, bucket++) {
      part.least[bucket] = steps[i + 1];
      part.most[bucket] = steps[i + 2];
      part.mean[bucket] = steps[i + 3] / 1000;
    }
    part.top = Math.max(part.top, steps[i + 2]);
  }
  if (changes) readChanges(part, changes);
  return part;
}

function readChanges(part, changes) {
  const count = changes.length / 2;
  part.at = new Float64Array(count);
  part.value = new Float64Array(count);
  for (let i = 0, at = 0; i < count; i++) {
    part.at[i] = at += changes[2 * i];
    part.value[i] = changes[2 * i + 1];
  }
}

// The least, the most and the mean between two times.
function stockWithin(part, from, to) {
  if (part.at && to - from < STOCK_WIDTH) return changesWithin(part, from, to);
  const first = Math.min(part.size - 1, Math.max(0, Math.floor(from / STOCK_WIDTH)));
  const last = Math.min(part.size - 1, Math.max(first, Math.ceil(to / STOCK_WIDTH) - 1));
  let least = Infinity, most = -Infinity, sum = 0;
  for (let b = first; b <= last; b++) {
    least = Math.min(least, part.least[b]);
    most = Math.max(most, part.most[b]);
    sum += part.mean[b];
  }
  return { least, most, mean: sum / (last - first + 1) };
}

// The last change up to a time.
function changeAt({ at }, when) {
  let low = 0, high = at.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at[middle] <= when) low = middle;
    else high = middle - 1;
  }
  return low;
}

function changesWithin(part, from, to) {
  let i = changeAt(part, from), least = part.value[i], most = least, sum = 0, since = from;
  for (; i < part.at.length; i++) {
    const end = Math.min(to, part.at[i + 1] ?? Infinity);
    least = Math.min(least, part.value[i]);
    most = Math.max(most, part.value[i]);
    sum += part.value[i] * (end - since);
    since = end;
    if (end >= to) break;
  }
  return { least, most, mean: to > from ? sum / (to - from) : least };
}

// Whether a picture of so much time a pixel shows each change.
const isEachChange = (part, step) => part.at !== null && step < STOCK_WIDTH;

function paintStock({ w, scale }, pixels, top, lock, n, left) {
  const { kind, parts } = STOCKS.get(lock), step = stepOf(n), px = (css) => Math.round(css * scale);
  const apart = kind === "readers-writer", room = px(apart ? 10 : 15), low = top + px(19);
  for (let c = 0; c < n; c++) {
    const from = view.from + c * step;
    paintLevel(w, pixels, left + c, low, room, stockWithin(parts[0], from, from + step), parts[0].top);
    if (!apart) continue;
    const writes = stockWithin(parts[1], from, from + step);
    if (writes.most > 0) fill(pixels, w, left + c, top + px(3), px(5), colours.writer[writes.least > 0 ? 0 : writes.mean > 0.4 ? 1 : 2]);
  }
}

// Full up to the least, paler up to the mean and to the most.
function paintLevel(w, pixels, x, low, room, { least, most, mean }, top) {
  if (most <= 0 || top <= 0) return;
  const [a, b, c] = [least, mean, most].map((value) => Math.round((value / top) * room));
  const high = Math.max(1, c), middle = Math.min(high, Math.max(a, b));
  fill(pixels, w, x, low - high, high - middle, colours.stock[2]);
  fill(pixels, w, x, low - middle, middle - a, colours.stock[1]);
  fill(pixels, w, x, low - a, a, colours.stock[0]);
}

// What there is at a time, in words.
function stockLines(lock, at, step) {
  const stock = STOCKS.get(lock);
  if (!stock) return whyNoStock(lock);
  const told = stock.parts.map((part, which) => {
    const each = isEachChange(part, step);
    const { least, most } = each ? stockWithin(part, at, at) : stockWithin(part, at - step / 2, at + step / 2);
    return `${least === most ? count(least) : `${count(least)} to ${count(most)}`} ${STOCK_WORDS[stock.kind][which]}`;
  });
  const why = stock.sure === "about" ? " (tries in vain may be counted, or something was not seen)" : "";
  return [SURE_WORDS[stock.sure] + told.join(", ") + why];
}

// Types of which something is counted, and what.
const COUNTED = { "READ-WRITE": "who reads and writes", SEMAPHORE: "permits left", "PRODUCER-CONSUMER": "the length of the queue", BARRIER: "the number of arrivals", LATCH: "the count", LOCK: "who has the lock" };

// Why nothing stands there, where something could.
function whyNoStock(lock) {
  if (lock >= OTHERS) return [];
  const { sampled, parks } = LOCKS[lock], type = typesOf(LOCKS[lock])[0], what = COUNTED[type];
  const concurrent = Boolean(sampled || parks);
  if (!what || (type === "LOCK" && concurrent)) return [];
  if (concurrent && type === "BARRIER") return ["When threads arrive is not told apart from when they met: below is who waits."];
  if (concurrent && LOCKS[lock].operations === null) return [`${what} is not known: operations were not recorded ('locklens trace PID --juc')`];
  if (!concurrent && !DATA.exact) return [`${what} is not known: only an exact recording tells ('locklens trace PID')`];
  return [`${what} is not known: nothing was seen to change it`];
}
