// The pictures: an overview, an axis, a row for each thread and one for each lock. Bars are written pixel by pixel: each
// column of pixels shows its share of time as height.

// Of a lock's row: where its line is, and how high the bars above and below it are at most.
const THREAD_ROW = 22, LOCK_ROW = 46, LOCK_LINE = 20, LOCK_HALF = 15;
// Where names stand: less of it where there is little room.
let GUTTER = 220;
const rows = { threads: [], locks: [], place: new Map() };
// Where the pointer is in time, and the stay that it is on in the timeline by thread.
const hover = { at: null, stay: null };

// Colours of the style sheet, for elements and for pixels.
const NAMED_LOCKS = 9;
let colours = {};

function lockColour(lock) {
  return lock < NAMED_LOCKS ? `var(--lock${lock})` : "var(--lock-other)";
}

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const rgb = (name) => [1, 3, 5].map((at) => parseInt(style.getPropertyValue("--" + name).trim().slice(at, at + 2), 16));
  const back = rgb("back");
  const mixed = (name, share) => rgb(name).map((part, at) => part * share + back[at] * (1 - share));
  const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  const shades = (name) => [1, 0.4, 0.22].map((share) => pixel(mixed(name, share)));
  const text = Object.fromEntries(["back", "pane", "line", "ink", "faint", "accent", "mark", "lost", "blocked", "waiting", "holding"].map((name) => [name, style.getPropertyValue("--" + name).trim()]));
  colours = {
    ...text,
    backPixel: pixel(back),
    line_: pixel(rgb("line")),
    alive: pixel(rgb("alive")),
    // Full; where only an average is known; where another lock is selected.
    deeds: ["blocked", "waiting", "holding"].map(shades),
    blockedLine: style.getPropertyValue("--blocked-line").trim(),
    waitingLine: style.getPropertyValue("--waiting-line").trim(),
    threads: Array.from({ length: THREAD_COLOURS }, (_, at) => [1, 0.55].map((share) => pixel(mixed("thread" + at, share)))),
    threadNames: Array.from({ length: THREAD_COLOURS }, (_, at) => style.getPropertyValue("--thread" + at).trim()),
    regions: Array.from({ length: THREAD_COLOURS }, (_, at) => pixel(mixed("thread" + at, 1))),
    writer: [1, 0.72, 0.45].map((share) => pixel(mixed("heat", share))),
    stock: [1, 0.62, 0.3].map((share) => pixel(mixed("stock", share))),
    holders: [1, 0.72, 0.5].map((share) => pixel(mixed("holding", share))),
    locks: Array.from({ length: NAMED_LOCKS }, (_, lock) => shades("lock" + lock)).concat([shades("lock-other")]),
    swatches: Array.from({ length: NAMED_LOCKS + 1 }, (_, lock) => style.getPropertyValue(lockColour(lock).slice(4, -1)).trim()),
    heat: Array.from({ length: 65 }, (_, step) => pixel(mixed("heat", step / 64))),
  };
}

const pixelScale = () => Math.max(1, Math.round(devicePixelRatio * 4) / 4);

// A canvas as large as its place, in pixels of the device, with what draws on it.
function fitted(canvas, width, height) {
  const scale = pixelScale();
  const [w, h] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.height = height + "px";
    canvas.style.width = width + "px";
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.font = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
  pen.textBaseline = "middle";
  return { canvas, pen, scale, width, height, w, h };
}

// All pictures are as wide as the rows beside their scroll bar.
const paneWidth = () => byId("threads-box").clientWidth;
const timeWidth = (width) => Math.max(1, width - GUTTER);
const xOf = (at, width) => GUTTER + ((at - view.from) / (view.to - view.from)) * timeWidth(width);
const timeAt = (x, width) => view.from + ((x - GUTTER) / timeWidth(width)) * (view.to - view.from);

// Time in a pixel, and whether that is less than a bucket has.
const stepOf = (columns) => (view.to - view.from) / columns;
const isFine = (step) => step * 3 < WIDTH;

// ---- what each column of pixels has ----

const scratch = [];

function emptyColumns(n, at) {
  const columns = (scratch[at] ??= {});
  if (columns.n !== n) {
    Object.assign(columns, { n, share: [0, 1, 2].map(() => new Float32Array(n)), delay: new Int32Array(n), hold: new Int32Array(n), most: new Float32Array(n) });
  }
  return columns;
}

// Of a row, by column: the share of its time that each deed takes, and the lock or thread that has most of it.
function laneColumns(whose, row, n) {
  const columns = emptyColumns(n, 0), step = stepOf(n);
  const level = Math.max(0, Math.ceil(Math.log2(step / WIDTH)));
  const { time, delay, hold, size } = lane(whose, row, level);
  const other = whose === "thread" ? STRIPS.lock : STRIPS.thread, width = WIDTH * 2 ** level, folded = foldedInto(whose, row);
  for (let c = 0; c < n; c++) {
    const bucket = Math.min(size - 1, Math.floor((view.from + (c + 0.5) * step) / width));
    const length = Math.min(width, END - bucket * width);
    for (const deed of [BLOCKED, WAITING, HOLDING]) columns.share[deed][c] = time[deed][bucket] / length / folded;
    columns.delay[c] = delay[bucket] < 0 ? -1 : other[delay[bucket]];
    columns.hold[c] = hold[bucket] < 0 ? -1 : other[hold[bucket]];
  }
  return columns;
}

// How many threads a row stands for: what they have is shown as their mean.
function foldedInto(whose, row) {
  return whose === "thread" ? membersOf(row).length : 1;
}

// The same by the stays that were kept, one by one.
function stayColumns(whose, row, n) {
  const columns = emptyColumns(n, 1), step = stepOf(n), folded = foldedInto(whose, row);
  columns.delay.fill(-1);
  columns.hold.fill(-1);
  for (const deed of [BLOCKED, WAITING, HOLDING]) {
    const stays = STAYS[deed], share = columns.share[deed].fill(0);
    const [of, other] = whose === "thread" ? [stays.ofThread, stays.lock] : [stays.ofLock, stays.thread];
    const best = deed === HOLDING ? columns.hold : columns.delay;
    if (deed !== WAITING) columns.most.fill(0);
    touching(stays, of[row], view.from, view.to, (stay) => {
      const from = (stays.from[stay] - view.from) / step, to = (stays.to[stay] - view.from) / step;
      for (let c = Math.max(0, Math.floor(from)); c < Math.min(n, Math.ceil(to)); c++) {
        const part = Math.min(to, c + 1) - Math.max(from, c);
        share[c] += part / folded;
        if (part > columns.most[c]) {
          columns.most[c] = part;
          best[c] = other[stay];
        }
      }
    });
  }
  return columns;
}

// ---- rows of pixels ----

// Fills so many pixels of a column from y on.
function fill(pixels, w, x, y, height, colour) {
  for (let at = y * w + x, end = at + height * w; at < end; at += w) if (at >= 0 && at < pixels.length) pixels[at] = colour;
}

// How high a share is: never nothing where there is something.
const tall = (share, height) => (share > 0 ? Math.min(height, Math.max(1, Math.round(share * height))) : 0);

function paintThread({ w, scale }, pixels, top, columns, left, pale) {
  const px = (css) => Math.round(css * scale), pipe = px(11), edge = px(2);
  const [blocked, waiting, holding] = columns.share;
  for (let c = 0; c < columns.n; c++) {
    const x = left + c, lock = columns.delay[c];
    const other = view.lock !== null && lock !== view.lock;
    const shade = other ? 2 : pale ? 1 : 0;
    const low = tall(blocked[c], pipe), high = Math.min(pipe - low, tall(waiting[c], pipe));
    if (low > 0) fill(pixels, w, x, top + px(4) + pipe - low, low, colours.deeds[BLOCKED][shade]);
    if (high > 0) fill(pixels, w, x, top + px(4), high, colours.deeds[WAITING][shade]);
    if (low + high > 0) {
      // A lock that hardly matters here draws a faint line.
      const faint = pale || blocked[c] + waiting[c] < 0.1;
      const colour = colours.locks[Math.min(lock, NAMED_LOCKS)][other ? 2 : faint ? 1 : 0];
      fill(pixels, w, x, top + px(2), edge, colour);
      fill(pixels, w, x, top + px(4) + pipe, edge, colour);
    }
    const held = tall(Math.min(1, holding[c]), px(3));
    const faded = view.lock !== null && columns.hold[c] !== view.lock;
    if (held > 0) fill(pixels, w, x, top + px(21) - held, held, colours.deeds[HOLDING][faded ? 2 : pale ? 1 : 0]);
  }
}

function paintLife({ w, scale }, pixels, top, row, n, left) {
  const [first, end] = LIVES[row], step = stepOf(n), height = Math.round(11 * scale);
  const column = (at) => Math.min(n, Math.max(0, Math.round((at - view.from) / step)));
  const to = column(Math.min(end * WIDTH, END));
  for (let c = column(first * WIDTH); c < to; c++) fill(pixels, w, left + c, top + Math.round(4 * scale), height, colours.alive);
}

function paintHolders({ w, scale }, pixels, top, columns, left, pale, fine) {
  const px = (css) => Math.round(css * scale), holding = columns.share[HOLDING];
  for (let c = 0; c < columns.n; c++) {
    const held = tall(Math.min(1, holding[c]), px(14));
    const colour = pale ? colours.deeds[HOLDING][1] : fine ? colours.threads[threadColour(columns.hold[c])][0] : colours.holders[columns.hold[c] % 3];
    if (held > 0) fill(pixels, w, left + c, top + px(19) - held, held, colour);
  }
}

function paintQueue({ w, scale }, pixels, top, columns, left, pale, most) {
  const px = (css) => Math.round(css * scale), below = px(15), [blocked, waiting] = columns.share;
  for (let c = 0; c < columns.n; c++) {
    const low = tall(blocked[c] / most, below), high = Math.min(below - low, tall(waiting[c] / most, below));
    if (low > 0) fill(pixels, w, left + c, top + px(21), low, colours.deeds[BLOCKED][pale ? 1 : 0]);
    if (high > 0) fill(pixels, w, left + c, top + px(21) + low, high, colours.deeds[WAITING][pale ? 1 : 0]);
  }
}

// Blocked time by the running time of all threads, as colour.
function paintHeat({ w, scale }, pixels, top, lock, n, left) {
  const step = stepOf(n), level = Math.max(0, Math.ceil(Math.log2(step / WIDTH)));
  const { time, size } = lane("lock", lock, level), running = runningAt(level), width = WIDTH * 2 ** level;
  for (let c = 0; c < n; c++) {
    const bucket = Math.min(size - 1, Math.floor((view.from + (c + 0.5) * step) / width));
    const share = running[bucket] > 0 ? Math.min(1, time[BLOCKED][bucket] / running[bucket]) : 0;
    if (share > 0) fill(pixels, w, left + c, top + Math.round(39 * scale), Math.round(4 * scale), colours.heat[Math.max(8, Math.round(Math.sqrt(share) * 64))]);
  }
}

const runningLevels = [];

function runningAt(level) {
  return (runningLevels[level] ??= Float64Array.from({ length: ((BUCKETS - 1) >> level) + 1 }, (_, bucket) => summed(TOTAL.running, level, bucket)));
}

const mosts = new Map();

// The most threads that were blocked on a lock or waited for it: at once where stays are drawn, else on the average of a
// bucket. That is what a full bar means.
function mostAt(lock, step) {
  const level = isFine(step) ? -1 : Math.max(0, Math.ceil(Math.log2(step / WIDTH))), key = `${lock} ${level}`;
  if (!mosts.has(key)) mosts.set(key, level < 0 ? mostAtOnce(lock) : mostOnAverage(lock, level));
  return mosts.get(key);
}

function mostOnAverage(lock, level) {
  if (isInstance(lock)) return Math.max(1, slotsOf(lock).count);
  const { time, size } = lane("lock", lock, level), width = WIDTH * 2 ** level;
  let most = 0;
  for (let b = 0; b < size; b++) most = Math.max(most, (time[BLOCKED][b] + time[WAITING][b]) / Math.min(width, END - b * width));
  return most || 1;
}

function mostAtOnce(lock) {
  const ends = [];
  for (const deed of [BLOCKED, WAITING]) {
    const stays = STAYS[deed];
    for (const stay of stays.ofLock[lock].list) ends.push([stays.from[stay], 1], [stays.to[stay], -1]);
  }
  ends.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let most = mostOnAverage(lock, 0), now = 0;
  for (const [, change] of ends) most = Math.max(most, (now += change));
  return most;
}

// ---- canvases ----

const frames = {};

// Draws the rows of one pane that are in sight.
function drawRows(name, list, rowHeight, paint, label, over) {
  const box = byId(name + "-box"), canvas = box.querySelector("canvas");
  const height = Math.max(1, box.clientHeight), width = paneWidth();
  box.querySelector(".height").style.height = Math.max(0, list.length * rowHeight - height) + "px";
  const area = fitted(canvas, width, height), { pen, scale, w, h } = area;
  const frame = frames[name]?.width === w && frames[name].height === h ? frames[name] : (frames[name] = new ImageData(w, h));
  const pixels = new Uint32Array(frame.data.buffer).fill(colours.backPixel);
  const left = Math.round(GUTTER * scale), n = Math.max(1, w - left);
  const first = Math.floor(box.scrollTop / rowHeight), last = Math.min(list.length, Math.ceil((box.scrollTop + height) / rowHeight));
  for (let at = first; at < last; at++) paint(area, pixels, Math.round((at * rowHeight - box.scrollTop) * scale), list[at], n, left);
  pen.putImageData(frame, 0, 0);
  for (let at = first; at < last; at++) label(pen, at * rowHeight - box.scrollTop, list[at], n, width);
  overlays(area);
  if (over) over(area, first, last);
  canvas.setAttribute("aria-label", `Timeline by ${name === "threads" ? "thread" : "lock"}: rows ${Math.min(first + 1, last)} to ${last} of ${list.length}`);
}

// Bars of a row. Where columns are finer than buckets the stays that were kept stand before what is known on the average of
// those that were not.
function bars(whose, row, n, paint) {
  // Of the objects of a lock only stays are known.
  if (whose === "lock" && isInstance(row)) return paint(stayColumns(whose, row, n), false);
  if (!isFine(stepOf(n))) return paint(laneColumns(whose, row, n), false);
  if (!STAYS.every((_, deed) => isWhole(deed))) paint(withoutKept(laneColumns(whose, row, n)), true);
  paint(stayColumns(whose, row, n), false);
}

function withoutKept(columns) {
  for (const deed of [BLOCKED, WAITING, HOLDING]) if (isWhole(deed)) columns.share[deed].fill(0);
  return columns;
}

function drawThreads() {
  drawRows("threads", rows.threads, THREAD_ROW, (area, pixels, top, row, n, left) => {
    paintLife(area, pixels, top, row, n, left);
    bars("thread", row, n, (columns, pale) => paintThread(area, pixels, top, columns, left, pale));
  }, (pen, y, row, n) => {
    pen.fillStyle = THREADS[row].service ? colours.faint : colours.ink;
    // In the rows of locks bands have the colours of threads: there it is said which is whose.
    if (isFine(stepOf(n)) && THREADS[row].members === undefined) {
      pen.fillStyle = colours.threadNames[threadColour(row)];
      pen.fillRect(5, y + 5, 4, 12);
      pen.fillStyle = THREADS[row].service ? colours.faint : colours.ink;
    }
    const { fold } = THREADS[row], sign = fold === undefined ? "" : folding.open.has(fold) ? "▾ " : "▸ ", x = isUnfolded(row) ? 30 : 14;
    pen.fillText(clipped(pen, sign + threadName(row), GUTTER - 10 - x), x, y + 11);
  }, drawLines);
}

function drawLocks() {
  drawRows("locks", rows.locks, LOCK_ROW, (area, pixels, top, lock, n, left) => {
    for (let x = left; x < area.w; x++) fill(pixels, area.w, x, top + Math.round(20 * area.scale), 1, colours.line_);
    paintLock(area, pixels, top, lock, n, left);
    if (isInstance(lock)) return;
    if (STOCKS.has(lock)) paintStock(area, pixels, top, lock, n, left);
    paintHeat(area, pixels, top, lock, n, left);
  }, labelLock);
}

// Above the line who holds it, unless its type calls for something else; below it who waits, one by one where there is room.
function paintLock(area, pixels, top, lock, n, left) {
  const most = mostAt(lock, stepOf(n)), holders = !STOCKS.has(lock), room = Math.round(15 * area.scale);
  const found = isFine(stepOf(n)) && bandOf(lock, room, most) > 0 ? waitersInSight(lock, n) : null;
  bars("lock", lock, n, (columns, pale) => {
    const fine = isFine(stepOf(n)) && !pale;
    if (holders) paintHolders(area, pixels, top, columns, left, pale, fine);
    if (!fine || found === null) paintQueue(area, pixels, top, columns, left, pale, most);
  });
  if (found === null) return;
  paintWaiters(area, pixels, top, lock, n, left, found, most);
  if (holders) paintAbove(area, pixels, top, lock, n, left, found, most);
}

function labelLock(pen, y, row, columns, width) {
  const lock = lockOf(row), indent = isInstance(row) ? 14 : 0;
  if (lock === view.lock) {
    pen.fillStyle = colours.accent;
    pen.fillRect(0, y + 2, 4, LOCK_ROW - 4);
  }
  pen.fillStyle = colours.swatches[Math.min(lock, NAMED_LOCKS)];
  if (!indent) pen.fillRect(14, y + 8, 9, 9);
  pen.fillStyle = colours.ink;
  const several = isSeveral(row) ? (unfolded.has(row) ? "▾ " : "▸ ") : "";
  const above = aboveText(row), taken = above ? pen.measureText(above).width + 8 : 0;
  pen.fillText(clipped(pen, several + rowName(row), GUTTER - 40 - indent - Math.ceil(taken / 8) * 8), 29 + indent, y + 13);
  pen.fillStyle = colours.faint;
  if (above) pen.fillText(above, GUTTER - taken, y + 13);
  const most = `≤ ${threeDigits(mostAt(row, stepOf(columns))).replace(/\.0+$/, "")}`, room = pen.measureText(most).width;
  pen.fillText(most, GUTTER - 8 - room, y + 30);
  if (lock !== OTHERS && !indent) pen.fillText(clipped(pen, typesOf(LOCKS[lock]).join(" + "), GUTTER - 45 - Math.ceil(room / 8) * 8), 29, y + 30);
  if (!isFine(stepOf(columns))) return;
  if (TARGETS.size > 0) labelTargets(pen, y, row, width);
  if (!STOCKS.has(row) && !ABOVE.has(typeOfRow(row))) labelHolders(pen, y, row, width);
}

// What the full height above the line means.
function aboveText(row) {
  const stock = STOCKS.get(row);
  return stock ? `≤ ${count(stock.parts[0].top)}` : "";
}

// Losses, the selected span, where the pointer is, and the border of the names.
function overlays({ pen, width, height }) {
  pen.save();
  pen.beginPath();
  pen.rect(GUTTER, 0, width - GUTTER, height);
  pen.clip();
  pen.fillStyle = colours.lost;
  pen.globalAlpha = 0.3;
  for (const [from, to] of DATA.losses) if (to >= view.from && from <= view.to) pen.fillRect(xOf(from, width), 0, Math.max(2, xOf(to, width) - xOf(from, width)), height);
  if (view.span) {
    const [from, to] = view.span.map((at) => xOf(at, width));
    pen.globalAlpha = 0.12;
    pen.fillStyle = colours.mark;
    pen.fillRect(from, 0, to - from, height);
    pen.globalAlpha = 0.9;
    pen.fillRect(from - 1, 0, 1, height);
    pen.fillRect(to, 0, 1, height);
  }
  pen.restore();
  pen.fillStyle = colours.line;
  pen.fillRect(GUTTER - 1, 0, 1, height);
  if (hover.at !== null && hover.at >= view.from && hover.at <= view.to) {
    pen.fillStyle = colours.faint;
    pen.fillRect(Math.round(xOf(hover.at, width)), 0, 1, height);
  }
}

const widths = new Map();

// As much of a text as there is room for.
function clipped(pen, text, room) {
  const key = `${room} ${text}`;
  if (widths.size > 20000) widths.clear();
  if (widths.has(key)) return widths.get(key);
  let shown = text.slice(0, 200);
  if (pen.measureText(shown).width > room) {
    let low = 0, high = shown.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pen.measureText(shown.slice(0, middle) + "…").width <= room) low = middle;
      else high = middle - 1;
    }
    shown = shown.slice(0, low) + "…";
  }
  widths.set(key, shown);
  return shown;
}

function drawAxis() {
  const canvas = byId("axis"), area = fitted(canvas, paneWidth(), 22), { pen, width } = area;
  pen.fillStyle = colours.pane;
  pen.fillRect(0, 0, width, 22);
  const step = niceStep(((view.to - view.from) / timeWidth(width)) * 110);
  pen.fillStyle = colours.faint;
  pen.fillText(`1 pixel = ${time((view.to - view.from) / timeWidth(width))}`, 14, 11);
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    const x = Math.round(xOf(at, width));
    pen.fillRect(x, 14, 1, 8);
    const text = moment(at, step);
    if (x + 4 + pen.measureText(text).width <= width) pen.fillText(text, x + 4, 11);
  }
  overlays(area);
}

// 1, 2 or 5 of a power of ten, and at least so much.
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].find((factor) => factor * power >= least) * power;
}

// Blocked and waiting threads over the whole recording, and the part that is shown.
function drawOverview() {
  const canvas = byId("overview"), area = fitted(canvas, paneWidth(), 44), { pen, width } = area;
  pen.fillStyle = colours.back;
  pen.fillRect(0, 0, width, 44);
  drawTotals(pen, timeWidth(width));
  pen.fillStyle = colours.faint;
  pen.fillText(clipped(pen, "Threads blocked, waiting", GUTTER - 24), 14, 15);
  pen.fillText(clipped(pen, `whole recording: ${time(END)}`, GUTTER - 24), 14, 31);
  const x = (at) => GUTTER + (at / END) * timeWidth(width);
  pen.globalAlpha = 0.55;
  pen.fillStyle = colours.pane;
  pen.fillRect(GUTTER, 0, x(view.from) - GUTTER, 44);
  pen.fillRect(x(view.to), 0, width - x(view.to), 44);
  pen.globalAlpha = 1;
  pen.strokeStyle = colours.mark;
  pen.lineWidth = 1.5;
  pen.strokeRect(x(view.from) + 0.75, 0.75, Math.max(2, x(view.to) - x(view.from) - 1.5), 42.5);
}

function drawTotals(pen, width) {
  const columns = Math.ceil(width), values = [BLOCKED, WAITING].map(() => new Float64Array(columns));
  let most = 0;
  for (let c = 0; c < columns; c++) {
    const first = Math.floor(((c / columns) * END) / WIDTH), end = Math.max(first + 1, Math.floor((((c + 1) / columns) * END) / WIDTH));
    for (const deed of [BLOCKED, WAITING]) {
      for (let b = first; b < end && b < BUCKETS; b++) values[deed][c] += TOTAL.time[deed][b] / Math.min(WIDTH, END - b * WIDTH);
      values[deed][c] /= end - first;
    }
    most = Math.max(most, values[BLOCKED][c] + values[WAITING][c]);
  }
  for (let c = 0; c < columns && most > 0; c++) {
    const [blocked, waiting] = values.map((value) => (value[c] / most) * 40);
    pen.fillStyle = colours.waiting;
    pen.fillRect(GUTTER + c, 42 - blocked - waiting, 1, waiting);
    pen.fillStyle = colours.blocked;
    if (blocked > 0) pen.fillRect(GUTTER + c, 42 - Math.max(1, blocked), 1, Math.max(1, blocked));
  }
}

let asked = false;

// Draws everything anew, once a frame.
function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    drawAll();
  });
}

function drawAll() {
  GUTTER = innerWidth > 720 ? 220 : 130;
  drawOverview();
  drawAxis();
  drawThreads();
  drawLocks();
}
