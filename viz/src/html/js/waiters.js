// Who waits for a lock, one by one: a band of its own for each stay, coloured by thread and patterned by the type of the
// lock. What is above the line where types call for the same: waiters by region, time left, what a join waits for.

const THREAD_COLOURS = 8;
const threadColour = (row) => (THREADS[row]?.tid ?? 0) % THREAD_COLOURS;

// Which pixels of a band are full; the others are paler. The same type has the same pattern everywhere.
const PATTERNS = {
  "READ-WRITE": (x, y) => (x + y) % 6 < 3,
  "PRODUCER-CONSUMER": (x) => x % 5 < 3,
  SEMAPHORE: (x, y) => (x % 4 < 2) !== (y % 4 < 2),
  BARRIER: (_, y) => y % 4 < 2,
  LATCH: (x, y) => x % 6 < 2 || y % 6 < 2,
  CONDITION: (x, y) => (x - y + 600) % 6 < 3,
  JOIN: (x, y) => (x + y) % 10 < 5,
  DELAY: (x, y) => x % 4 < 2 && y % 4 < 2,
};
const SOLID = () => true;

const typeOfRow = (row) => (lockOf(row) === OTHERS ? "" : typesOf(LOCKS[lockOf(row)])[0]);
const patternOf = (row) => PATTERNS[typeOfRow(row)] ?? SOLID;

// Types of which something else than the holder stands above the line, too.
const ABOVE = new Set(["CONDITION", "DELAY", "JOIN"]);

// The band of each stay: stays that overlap have different ones, and there are as few as can be.
const slots = new Map();

function forgetSlots(row) {
  slots.delete(row);
  for (const key of mosts.keys()) if (key.startsWith(`${row} `)) mosts.delete(key);
}

function slotsOf(row) {
  if (!slots.has(row)) slots.set(row, makeSlots(row));
  return slots.get(row);
}

function makeSlots(row) {
  const all = [BLOCKED, WAITING].flatMap((deed) => STAYS[deed].ofLock[row].list.map((stay) => [deed, stay]));
  all.sort(([d, a], [e, b]) => STAYS[d].from[a] - STAYS[e].from[b] || d - e || a - b);
  const ends = [], bands = [new Map(), new Map()];
  for (const [deed, stay] of all) {
    const free = ends.findIndex((end) => end <= STAYS[deed].from[stay]);
    const band = free < 0 ? ends.length : free;
    ends[band] = STAYS[deed].to[stay];
    bands[deed].set(stay, band);
  }
  return { bands, count: ends.length };
}

// The stays of a row that are in sight; none if some of them are too narrow to stand for themselves.
function waitersInSight(row, n) {
  const step = stepOf(n), found = [];
  let narrow = false;
  for (const deed of [BLOCKED, WAITING]) {
    const stays = STAYS[deed];
    touching(stays, stays.ofLock[row], view.from, view.to, (stay) => {
      narrow ||= stays.to[stay] - stays.from[stay] < 2 * step;
      found.push([deed, stay]);
    });
  }
  return narrow ? null : found;
}

// Whether bands of so many have room.
function bandOf(row, room, most) {
  const { count } = slotsOf(row);
  return count > 0 && room / Math.max(most, count) >= 3 ? room / Math.max(most, count) : 0;
}

function paintWaiters({ w, scale }, pixels, top, row, n, left, found, most) {
  const room = Math.round(15 * scale), unit = bandOf(row, room, most), step = stepOf(n), pattern = patternOf(row), { bands } = slotsOf(row);
  for (const [deed, stay] of found) {
    const stays = STAYS[deed], band = bands[deed].get(stay);
    const y = top + Math.round(21 * scale) + Math.round(band * unit), height = Math.max(2, Math.round((band + 1) * unit) - Math.round(band * unit));
    const from = (stays.from[stay] - view.from) / step, [x0, x1] = [Math.max(0, Math.floor(from)), Math.min(n, Math.ceil((stays.to[stay] - view.from) / step))];
    const shades = colours.threads[threadColour(stays.thread[stay])], edge = Math.max(1, Math.min(Math.round(2 * scale), height - 2));
    for (let c = x0; c < x1; c++) {
      fill(pixels, w, left + c, y, edge, colours.deeds[deed][0]);
      for (let line = edge; line < height; line++) fill(pixels, w, left + c, y + line, 1, shades[pattern(c - Math.floor(from), line) ? 0 : 1]);
    }
  }
}

// Above the line: of conditions who waits in which region, of delays the time that is left.
function paintAbove({ w, scale }, pixels, top, row, n, left, found, most) {
  const type = typeOfRow(row), step = stepOf(n), low = top + Math.round(19 * scale), room = Math.round(15 * scale);
  const unit = bandOf(row, room, most), { bands } = slotsOf(row);
  for (const [deed, stay] of found) {
    const stays = STAYS[deed], length = stays.to[stay] - stays.from[stay], limit = stays.limit[stay];
    if (deed !== WAITING || (type !== "CONDITION" && !(type === "DELAY" && limit > 0))) continue;
    const from = (stays.from[stay] - view.from) / step, to = from + length / step, band = bands[deed].get(stay);
    for (let c = Math.max(0, Math.floor(from)); c < Math.min(n, Math.ceil(to)); c++) {
      if (type === "CONDITION") fill(pixels, w, left + c, low - Math.round((band + 1) * unit), Math.max(1, Math.round(unit) - 1), colours.regions[stays.region[stay] % colours.regions.length]);
      else fill(pixels, w, left + c, low - tall(1 - ((c - from) * step) / limit, room), tall(1 - ((c - from) * step) / limit, room), colours.stock[1]);
    }
  }
}

// Who holds a lock stands in its band, where there is room: several threads share a colour.
function labelHolders(pen, y, row, width) {
  const stays = STAYS[HOLDING];
  let free = -Infinity;
  touching(stays, stays.ofLock[row], view.from, view.to, (stay) => {
    const x = Math.max(GUTTER, free, xOf(stays.from[stay], width)) + 4, room = Math.min(width, xOf(stays.to[stay], width)) - x - 4;
    if (room < 24) return;
    const text = clipped(pen, threadName(stays.thread[stay]), Math.floor(room / 8) * 8);
    pen.fillStyle = colours.back;
    pen.fillText(text, x, y + 12);
    free = x + pen.measureText(text).width;
  });
}

// What a join waits for stands above the line as a name.
function labelTargets(pen, y, row, width) {
  const stays = STAYS[WAITING], step = (view.to - view.from) / timeWidth(width);
  let free = -Infinity;
  touching(stays, stays.ofLock[row], view.from, view.to, (stay) => {
    const target = TARGETS.get(stays.object[stay]), x = Math.max(GUTTER + 3, xOf(stays.from[stay], width));
    if (target === undefined || (stays.to[stay] - Math.max(view.from, stays.from[stay])) / step < 40 || x < free) return;
    const text = clipped(pen, `→ ${threadName(target)}`, 160);
    pen.fillStyle = colours.ink;
    pen.fillText(text, x, y + 12);
    free = x + pen.measureText(text).width + 8;
  });
}
