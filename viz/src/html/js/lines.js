// Lines between threads: from who held a lock to who was blocked on it, and from who notified or unparked to whose stay
// that ended. Giver and taker are told apart by shape: a line begins with a dot or a square, and ends with an arrow.

// Stays that are narrower than this have no lines, and there are no more than so many: the longest.
const LINE_FROM = 4, LINES_MOST = 400;
// How many lines there are in the part that is shown, and how many are drawn.
const lines = { all: 0, drawn: 0 };

// All lines of stays in sight: { deed, index, kind, from: thread, to: thread, begin, end, dashed }.
function linesOf(threads, shortest) {
  const found = new Map();
  for (const deed of [BLOCKED, WAITING]) {
    const stays = STAYS[deed];
    const take = (index) => {
      if (stays.to[index] - stays.from[index] >= shortest || isHovered(deed, index)) addLines(found, deed, index);
    };
    for (const thread of threads) {
      for (const lists of [stays.ofThread, stays.ofOwner, stays.ofWaker]) {
        if (lists[thread]) touching(stays, lists[thread], view.from, view.to, take);
      }
    }
  }
  return [...found.values()];
}

function isHovered(deed, index) {
  return hover.stay !== null && hover.stay.deed === deed && hover.stay.index === index;
}

function addLines(found, deed, index) {
  const stays = STAYS[deed], to = stays.thread[index], owner = stays.owner[index], waker = stays.wokenBy[index];
  const length = stays.to[index] - stays.from[index];
  if (deed === BLOCKED && owner >= 0 && owner !== to) {
    found.set(`owner ${index}`, { deed, index, kind: "owner", from: owner, to, begin: stays.from[index], end: stays.from[index], length, dashed: false });
  }
  if (waker >= 0 && waker !== to) {
    const dashed = Boolean(stays.flags[index] & INFERRED);
    found.set(`woken ${deed} ${index}`, { deed, index, kind: "woken", from: waker, to, begin: stays.wokenAt[index], end: stays.to[index], length, dashed });
  }
}

// Draws them over the rows of threads in sight. A line to a row that is not in sight goes to the edge.
function drawLines({ pen, width, height }, first, last) {
  const box = byId("threads-box");
  lines.all = lines.drawn = 0;
  if (!isFine((view.to - view.from) / timeWidth(width))) return;
  const threads = rows.threads.slice(first, last).flatMap((row) => membersOf(row));
  const shortest = (LINE_FROM * (view.to - view.from)) / timeWidth(width);
  const all = linesOf(threads, shortest).filter(({ begin, end }) => end >= view.from && begin <= view.to);
  all.sort((a, b) => b.length - a.length || a.deed - b.deed || a.index - b.index);
  lines.all = all.length;
  const drawn = all.filter((line, at) => at < LINES_MOST || isHovered(line.deed, line.index));
  lines.drawn = drawn.length;
  const place = { top: (thread) => (rows.place.has(thread) ? rows.place.get(thread) * THREAD_ROW - box.scrollTop : null), width, height };
  pen.save();
  pen.beginPath();
  pen.rect(GUTTER, 0, width - GUTTER, height);
  pen.clip();
  // The one under the pointer last, over all others.
  for (const line of [...drawn.filter((one) => !isHovered(one.deed, one.index)), ...drawn.filter((one) => isHovered(one.deed, one.index))]) drawLine(pen, line, place);
  pen.restore();
}

// From the pipe of one to the pipe of the other, from the side where the other is.
function ends(line, { top, width, height }) {
  const [one, other] = [top(line.from), top(line.to)];
  if (one === null && other === null) return null;
  const hidden = -THREAD_ROW;
  const down = (one ?? hidden) < (other ?? hidden);
  const edge = (y, isLow) => (y === null ? -6 : y + (isLow ? 18 : 1));
  return { x1: xOf(line.begin, width), y1: edge(one, down), x2: xOf(line.end, width), y2: edge(other, !down), height };
}

function drawLine(pen, line, place) {
  const at = ends(line, place);
  if (at === null || Math.max(at.y1, at.y2) < 0 || Math.min(at.y1, at.y2) > at.height) return;
  const strong = isHovered(line.deed, line.index), other = view.lock !== null && STAYS[line.deed].lock[line.index] !== view.lock;
  const colour = line.deed === BLOCKED ? colours.blockedLine : colours.waitingLine;
  pen.globalAlpha = strong ? 1 : hover.stay !== null || other ? 0.3 : 0.85;
  pen.strokeStyle = pen.fillStyle = colours.back;
  pen.lineWidth = strong ? 5 : 3;
  pen.setLineDash([]);
  stroke(pen, at);
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = strong ? 2.5 : 1.25;
  pen.setLineDash(line.dashed ? [5, 3] : []);
  stroke(pen, at);
  pen.setLineDash([]);
  drawGiver(pen, at, line.kind);
  drawTaker(pen, at);
}

function stroke(pen, { x1, y1, x2, y2 }) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

// A dot for who holds, a square for who notifies.
function drawGiver(pen, { x1, y1 }, kind) {
  if (kind === "woken") return pen.fillRect(x1 - 3, y1 - 3, 6, 6);
  pen.beginPath();
  pen.arc(x1, y1, 3, 0, 7);
  pen.fill();
}

// An arrow; where its row is out of sight, one at the edge.
function drawTaker(pen, { x1, y1, x2, y2, height }) {
  const y = Math.max(0, Math.min(height, y2));
  const x = y2 === y1 ? x2 : x1 + ((x2 - x1) * (y - y1)) / (y2 - y1);
  const way = Math.atan2(y2 - y1, x2 - x1);
  pen.beginPath();
  pen.moveTo(x, y);
  for (const turn of [-0.42, 0.42]) pen.lineTo(x - 8 * Math.cos(way + turn), y - 8 * Math.sin(way + turn));
  pen.fill();
}

// What a stay's lines say, in words.
function lineTexts(deed, index) {
  const stays = STAYS[deed], by = stays.wokenBy[index];
  if (by < 0) return [];
  const before = stays.to[index] - stays.wokenAt[index];
  const sure = stays.flags[index] & INFERRED ? ", as is inferred: others waited there as well" : "";
  return [`Ended by ${threadName(by)}, ${time(Math.max(0, before))} before${sure}.`];
}
