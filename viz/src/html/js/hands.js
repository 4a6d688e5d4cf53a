// Mouse, wheel and keys; what the pointer is on.

const PANES = [
  { name: "threads", height: THREAD_ROW, whose: "thread" },
  { name: "locks", height: LOCK_ROW, whose: "lock" },
];

// The row and the time under the pointer.
function under(pane, event) {
  const box = byId(pane.name + "-box"), place = box.getBoundingClientRect();
  const x = event.clientX - place.left, y = event.clientY - place.top + box.scrollTop;
  return { row: rows[pane.name][Math.floor(y / pane.height)], at: timeAt(x, paneWidth()), y: y % pane.height, isName: x < GUTTER, width: paneWidth() };
}

function wheel(event, width, place) {
  const at = timeAt(event.clientX - place.left, width);
  if (event.ctrlKey || event.metaKey) view.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), at);
  else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) view.move(((event.deltaX || event.deltaY) / timeWidth(width)) * (view.to - view.from));
  else return;
  event.preventDefault();
}

// Follows the pointer from where it is pressed until it is released; `end` learns whether it was moved.
function drag(element, event, move, end) {
  const from = event.clientX;
  let moved = false;
  element.setPointerCapture(event.pointerId);
  const follow = (event) => {
    moved ||= Math.abs(event.clientX - from) > 3;
    if (moved) move(event.clientX - from, event);
  };
  const stop = (event) => {
    element.removeEventListener("pointermove", follow);
    element.removeEventListener("pointerup", stop);
    element.removeEventListener("pointercancel", stop);
    end(moved, event);
  };
  element.addEventListener("pointermove", follow);
  element.addEventListener("pointerup", stop);
  element.addEventListener("pointercancel", stop);
}

function takeHands() {
  for (const pane of PANES) takePane(pane);
  takeOverview();
  takeAxis();
  takeDivider();
  document.addEventListener("keydown", keys);
  for (const id of ["filter", "thread-filter"]) byId(id).addEventListener("keydown", leaveFilter);
}

function takePane(pane) {
  const box = byId(pane.name + "-box"), canvas = box.querySelector("canvas");
  box.addEventListener("wheel", (event) => wheel(event, paneWidth(), box.getBoundingClientRect()), { passive: false });
  box.addEventListener("scroll", redraw);
  canvas.addEventListener("pointermove", (event) => point(pane, event));
  canvas.addEventListener("pointerleave", () => point(pane, null));
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const start = under(pane, event), { from, to } = view;
    if (event.shiftKey) return selecting(canvas, event, start.at);
    box.classList.add("moving");
    drag(canvas, event, (by) => {
      const shift = (-by / timeWidth(paneWidth())) * (to - from);
      view.show(from + shift, to + shift);
    }, (moved) => {
      box.classList.remove("moving");
      if (!moved) clicked(pane, start);
    });
  });
  canvas.addEventListener("dblclick", (event) => view.zoom(0.25, under(pane, event).at));
}

function selecting(element, event, from) {
  drag(element, event, (_, event) => view.select([from, timeAt(event.clientX - element.getBoundingClientRect().left, paneWidth())]), (moved) => {
    if (!moved) view.select(null);
  });
}

// The lock of what is under the pointer; the name of what is folded unfolds it.
function clicked(pane, { row, at, width, isName }) {
  if (row === undefined) return;
  if (isName && pane.whose === "thread" && THREADS[row].members) return toggleFold(row);
  if (isName && pane.whose === "lock" && isSeveral(row)) return toggleLock(row);
  let lock = pane.whose === "lock" ? lockOf(row) : null;
  if (pane.whose === "thread" && !isName) {
    const stay = stayAt(row, at, width);
    lock = stay ? STAYS[stay.deed].lock[stay.index] : mostDelaying(row, at);
  }
  view.choose(lock === null || lock === OTHERS || lock === view.lock ? null : lock);
}

function bucketAt(at) {
  return Math.min(BUCKETS - 1, Math.max(0, Math.floor(at / WIDTH)));
}

function mostDelaying(row, at) {
  const { delay, hold } = lane("thread", row, 0), bucket = bucketAt(at);
  const strip = delay[bucket] >= 0 ? delay[bucket] : hold[bucket];
  return strip < 0 ? null : STRIPS.lock[strip];
}

function takeOverview() {
  const canvas = byId("overview");
  const at = (event) => {
    const place = canvas.getBoundingClientRect();
    return ((event.clientX - place.left - GUTTER) / timeWidth(paneWidth())) * END;
  };
  canvas.addEventListener("wheel", (event) => {
    view.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), Math.min(view.to, Math.max(view.from, at(event))));
    event.preventDefault();
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    const from = at(event), length = view.to - view.from;
    drag(canvas, event, (_, event) => view.show(Math.min(from, at(event)), Math.max(from, at(event))), (moved) => {
      if (!moved) view.show(from - length / 2, from + length / 2);
    });
  });
}

function takeAxis() {
  const canvas = byId("axis");
  canvas.addEventListener("wheel", (event) => {
    view.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), timeAt(event.clientX - canvas.getBoundingClientRect().left, paneWidth()));
    event.preventDefault();
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => selecting(canvas, event, timeAt(event.clientX - canvas.getBoundingClientRect().left, paneWidth())));
}

// How the room is divided between the two timelines.
function takeDivider() {
  const divider = byId("divider"), box = byId("locks-box");
  const set = (height) => {
    room.divided = true;
    box.style.flexBasis = Math.max(40, Math.min(innerHeight * 0.6, height)) + "px";
    redraw();
  };
  divider.addEventListener("pointerdown", (event) => {
    const { bottom } = box.getBoundingClientRect();
    drag(divider, event, (_, event) => set(bottom - event.clientY), () => {});
  });
  divider.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 20, ArrowDown: -20 }[event.key];
    if (by) {
      set(box.clientHeight + by);
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

// ---- what the pointer is on ----

function point(pane, event) {
  const tip = byId("tip");
  hover.stay = null;
  if (!event || event.buttons !== 0) {
    tip.hidden = true;
    if (!event) hover.at = null;
    return redraw();
  }
  const spot = under(pane, event);
  hover.at = spot.isName ? null : spot.at;
  if (pane.whose === "thread" && spot.row !== undefined && !spot.isName) hover.stay = stayAt(spot.row, spot.at, spot.width);
  const lines = spot.row === undefined ? [] : spot.isName ? nameLines(pane, spot.row) : spotLines(pane, spot);
  tip.hidden = lines.length === 0;
  tip.replaceChildren(...lines);
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 6)) + "px";
  tip.style.top = (event.clientY + 18 + height > innerHeight ? Math.max(4, event.clientY - height - 12) : event.clientY + 18) + "px";
  redraw();
}

function nameLines(pane, row) {
  if (pane.whose === "lock") return lockLines(row);
  if (THREADS[row].members) return foldLines(THREADS[row]);
  const { tid, group, virtual, service, name } = THREADS[row];
  if (name === null) return [line(make("b", null, threadName(row)), ": those that were held up least share this row")];
  const facts = [`thread ${tid}`, group && `group ${group}`, virtual && "virtual", service && "of the JVM's own"].filter(Boolean);
  return [line(make("b", null, name)), line(facts.join(", "))];
}

function lockLines(row) {
  if (isInstance(row)) return [line(make("b", null, lockName(lockOf(row)))), line(`${rowName(row)}: stays that this page keeps one by one`)];
  const lines = [line(make("b", null, lockName(row)))];
  if (isSeveral(row)) lines.push(line(`${many(LOCKS[row].instances, "object")}: click to ${unfolded.has(row) ? "fold" : "tell them apart"}`));
  return lines.concat(scaleLines(row), (STOCKS.has(row) ? [] : whyNoStock(row)).map((text) => line(text)));
}

function foldLines({ name, members }) {
  const names = members.slice(0, 8).map(threadName).join(", ");
  return [line(make("b", null, name)), line(names + (members.length > 8 ? ", …" : "")), line("What is shown is their mean. Click to unfold, or to fold.")];
}

// What the figures beside the name of a lock say: how much a full bar is.
function scaleLines(row) {
  const stock = STOCKS.get(row), lines = [];
  if (stock) lines.push(line(`Above the line: ${SURE_WORDS[stock.sure] ?? ""}${count(stock.parts[0].top)} ${STOCK_WORDS[stock.kind][0]} where the bar is full.`));
  lines.push(line(`Below it: ${threeDigits(mostAt(row, stepOf(timeWidth(paneWidth())))).replace(/\.0+$/, "")} blocked or waiting where the bar is full.`));
  return lines;
}

const line = (...parts) => make("div", null, ...parts);

// The stay of a thread under the pointer, or next to it: the shortest of those that touch two pixels around it.
function stayAt(row, at, width) {
  for (const deed of [BLOCKED, WAITING, HOLDING]) {
    const found = shortestOf(staysNear("thread", row, [deed], at, width));
    if (found) return found;
  }
  return null;
}

const lengthOf = ({ deed, index }) => STAYS[deed].to[index] - STAYS[deed].from[index];
const shortestOf = (all) => all.reduce((best, stay) => (best === null || lengthOf(stay) < lengthOf(best) ? stay : best), null);

// The stays of a row that touch two pixels around a time. What is less than a pixel wide is one of many.
function staysNear(whose, row, deeds, at, width) {
  const reach = (2 * (view.to - view.from)) / timeWidth(width), found = [];
  for (const deed of deeds) {
    const stays = STAYS[deed], of = whose === "thread" ? stays.ofThread : stays.ofLock;
    touching(stays, of[row], at - reach, at + reach, (index) => {
      if (stays.to[index] - stays.from[index] >= reach / 2) found.push({ deed, index });
    });
  }
  // Those that the pointer is on come before those next to it.
  const on = found.filter(({ deed, index }) => STAYS[deed].from[index] <= at && at <= STAYS[deed].to[index]);
  return on.length > 0 ? on : found;
}

// What stands in the row of a lock at that height: above the line who holds it, below it one of those who wait, as they are
// stacked there.
function stayOfLock({ row, at, y, width }) {
  if (y <= LOCK_LINE) return STOCKS.has(row) ? null : shortestOf(staysNear("lock", row, [HOLDING], at, width)) ?? waiterAbove(row, at, y, width);
  const all = staysNear("lock", row, [BLOCKED, WAITING], at, width), { bands, count } = slotsOf(row), most = mostAt(row, stepOf(timeWidth(width)));
  const level = (of) => Math.floor(((y - LOCK_LINE - 1) / LOCK_HALF) * of);
  if (bandsDrawn(row, width)) {
    const away = ({ deed, index }) => Math.abs(bands[deed].get(index) - level(Math.max(most, count)));
    return all.reduce((best, stay) => (best === null || away(stay) < away(best) ? stay : best), null);
  }
  // Blocked threads stand above those that wait; who came first is taken to stand above the others.
  all.sort((a, b) => a.deed - b.deed || STAYS[a.deed].from[a.index] - STAYS[b.deed].from[b.index] || a.index - b.index);
  return all[Math.max(0, Math.min(all.length - 1, level(most)))] ?? null;
}

// Whether each who waits is drawn in a band of his own.
function bandsDrawn(row, width) {
  const scale = pixelScale(), n = Math.floor(width * scale) - Math.round(GUTTER * scale);
  return isFine(stepOf(n)) && bandOf(row, Math.round(LOCK_HALF * scale), mostAt(row, stepOf(n))) > 0 && waitersInSight(row, n) !== null;
}

// Of conditions, delays and joins those who wait stand above the line, too.
function waiterAbove(row, at, y, width) {
  return ABOVE.has(typeOfRow(row)) ? stayOfLock({ row, at, y: Math.max(LOCK_LINE + 1, 2 * LOCK_LINE - y), width }) : null;
}

function spotLines(pane, spot) {
  const lost = DATA.losses.some(([from, to]) => from <= spot.at && spot.at <= to);
  const lines = pane.whose === "lock" ? lockSpotLines(pane, spot) : staysOrBucket(pane, spot, stayAt(spot.row, spot.at, spot.width));
  return lost ? [...lines, line("Events are missing here.")] : lines;
}

const staysOrBucket = (pane, spot, stay) => (stay ? stayLines(stay) : bucketLines(pane, spot));

function lockSpotLines(pane, spot) {
  const stay = stayOfLock(spot), others = othersLines(spot, stay), above = aboveLines(spot).map((text) => line(text));
  if (spot.y <= LOCK_LINE && STOCKS.has(spot.row)) return [line(make("b", null, rowName(spot.row))), ...above, ...others];
  return [...staysOrBucket(pane, spot, stay), ...others, ...above];
}

// Who else has to do with a lock at a time: a band shows that there is somebody, and not who.
function othersLines({ row, at, width }, stay) {
  const parts = [[HOLDING, "held by"], [BLOCKED, "blocked:"], [WAITING, "waiting:"]].flatMap(([deed, word]) => {
    const stays = STAYS[deed], names = new Set();
    touching(stays, stays.ofLock[row], at, at, (index) => {
      if (stay?.deed !== deed || stay.index !== index) names.add(threadName(stays.thread[index]));
    });
    if (names.size === 0) return [];
    return [`${stay?.deed === deed ? "also " : ""}${word} ${[...names].slice(0, 8).join(", ")}${names.size > 8 ? ", …" : ""}`];
  });
  return parts.length > 0 ? [line(`At ${moment(at, stepOf(timeWidth(width)))} ${parts.join("; ")}.`)] : [];
}

// What stands above the line of a lock.
function aboveLines({ row, at, y, width }) {
  if (isInstance(row) || (!STOCKS.has(row) && y > LOCK_LINE)) return [];
  return stockLines(row, at, stepOf(timeWidth(width)));
}

function stayLines({ deed, index }) {
  const stays = STAYS[deed], length = stays.to[index] - stays.from[index];
  const what = { [BLOCKED]: "blocked on ", [WAITING]: "waiting on ", [HOLDING]: "holding " }[deed];
  const flags = stays.flags[index];
  const told = (flags & ESTIMATE ? "about " : "") + time(length) + (flags & OPEN ? ", to the end of the recording" : "");
  const lines = [line(make("b", null, threadName(stays.thread[index])), ` ${what}`, make("b", null, lockName(stays.lock[index])), `: ${told}`)];
  const region = stays.region[index] > 0 ? DATA.texts[stays.region[index] - 1] : null;
  lines.push(line(`from ${moment(stays.from[index], 1000)}` + (region ? `, in ${region}` : "") + `, object ${stays.object[index]}`));
  if (deed === BLOCKED) lines.push(line(ownerText(stays.owner[index])));
  lines.push(...lineTexts(deed, index).map((text) => line(text)));
  if (stays.limit[index] >= 0) lines.push(line(`For ${time(stays.limit[index])} at most.`));
  if (TARGETS.has(stays.object[index])) lines.push(line(`That object is the thread ${threadName(TARGETS.get(stays.object[index]))}.`));
  const hold = deed === BLOCKED ? holdDuring(index) : null;
  if (hold !== null) return [...lines, ...bothChains(index, hold)];
  return [...lines, ...chainLines(stays.chain[index])];
}

// Frames of a tooltip: more have no room beside each other.
const FRAMES_SHOWN = 12;

function chainLines(chain, most = FRAMES_SHOWN) {
  const frames = framesOf(chain);
  return frames.length > 0 ? [make("div", { class: "chain" }, ...frames.slice(0, most).map((frame) => line(frame)))] : [];
}

// The stay of its owner in the lock when a blocked stay began, if the page keeps it: its chain is where it took the lock.
function holdDuring(index) {
  const stays = STAYS[BLOCKED], holds = STAYS[HOLDING], owner = stays.owner[index], from = stays.from[index];
  let found = null;
  if (owner < 0) return found;
  touching(holds, holds.ofThread[owner], from, from, (hold) => {
    if (holds.object[hold] === stays.object[index] && holds.lock[hold] === stays.lock[index]) found = hold;
  });
  return found;
}

// Where the one was blocked, and where the other had taken what he wanted.
function bothChains(index, hold, most = FRAMES_SHOWN) {
  const stays = STAYS[BLOCKED], holds = STAYS[HOLDING];
  const waits = chainLines(stays.chain[index], most), held = chainLines(holds.chain[hold], most);
  const since = `${threadName(holds.thread[hold])} had it from ${moment(holds.from[hold], 1000)}${holds.flags[hold] & OPEN ? "" : ` to ${moment(holds.to[hold], 1000)}`}`;
  return [...(waits.length > 0 ? [line(`${threadName(stays.thread[index])} was blocked in`), ...waits] : []), line(held.length > 0 ? `${since}, taken in` : `${since}.`), ...held];
}

function ownerText(owner) {
  if (owner === NOBODY) return "It had just been released.";
  return owner < 0 ? "Who held it is not known." : `Held by ${threadName(owner)} when that began.`;
}

// What the pixel under the pointer has, on the average.
function bucketLines(pane, spot) {
  if (pane.whose === "lock" && isInstance(spot.row)) return [line(make("b", null, rowName(spot.row)), ": no stay that this page keeps")];
  const step = stepOf(timeWidth(spot.width)), level = Math.max(0, Math.ceil(Math.log2(step / WIDTH))), width = WIDTH * 2 ** level;
  const { time: times, delay, hold, size } = lane(pane.whose, spot.row, level);
  const bucket = Math.min(size - 1, Math.max(0, Math.floor(spot.at / width)));
  const name = pane.whose === "thread" ? threadName(spot.row) : lockName(spot.row);
  const other = (strip) => (strip < 0 ? "" : pane.whose === "thread" ? lockName(STRIPS.lock[strip]) : threadName(STRIPS.thread[strip]));
  const lines = [line(make("b", null, name), ` in ${time(Math.min(width, END - bucket * width))} from ${moment(bucket * width, width)}`)];
  const parts = [BLOCKED, WAITING, HOLDING].filter((deed) => times[deed][bucket] > 0);
  for (const deed of parts) {
    const most = other(deed === HOLDING ? hold[bucket] : delay[bucket]);
    lines.push(line(`${DEEDS[deed]} ${time(times[deed][bucket])}`, deed === parts[0] || deed === HOLDING ? `, most: ${most}` : ""));
  }
  if (parts.length === 0) lines.push(line(pane.whose === "thread" ? "running, or not alive, as far as is known" : "nobody blocked or waiting"));
  return lines;
}

// ---- keys ----

// Esc empties a filter, and the keys are those of the page again.
function leaveFilter(event) {
  if (event.key !== "Escape") return;
  event.target.value = "";
  event.target.dispatchEvent(new Event("input"));
  event.target.blur();
  event.preventDefault();
}

function keys(event) {
  if (event.target.matches("input, select, dialog, dialog *") || event.ctrlKey || event.metaKey || event.altKey) return;
  const length = view.to - view.from;
  const acts = {
    ArrowLeft: () => view.move(-length / 8),
    ArrowRight: () => view.move(length / 8),
    "+": () => view.zoom(0.5, (view.from + view.to) / 2),
    "=": () => view.zoom(0.5, (view.from + view.to) / 2),
    "-": () => view.zoom(2, (view.from + view.to) / 2),
    Home: () => {
      view.show(0, END);
      for (const { name } of PANES) byId(name + "-box").scrollTop = 0;
    },
    n: () => jump(1),
    p: () => jump(-1),
    s: () => view.select([view.from, view.to]),
    "/": () => byId("filter").focus(),
    "?": () => byId("help").showModal(),
    Escape: () => {
      view.select(null);
      view.choose(null);
    },
  };
  const act = acts[event.key];
  if (!act) return;
  act();
  event.preventDefault();
}
