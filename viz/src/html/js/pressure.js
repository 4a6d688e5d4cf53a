// Pressure over time: of each interval, how much of the running time threads spent to get each lock; a row a lock, on the axis of
// the timelines.

const PRESS = PANELS && PANELS.pressure;
const PRESS_ROW = 62, PRESS_TOP = 24;
const press = { most: 1 };

function fillPressure(pane) {
  const sum = make("p", { id: "press-sum", class: "faint" });
  const canvas = make("canvas", { id: "press", tabindex: "0", role: "img", "aria-describedby": "press-sum" });
  const phases = make("div", { id: "press-phases", class: "phases" });
  pane.append(sum, make("div", { class: "press-box", id: "press-box" }, canvas), make("h3", null, "Phases"), phases);
  sum.textContent = pressureSum();
  press.most = PRESS.locks.reduce((most, lock) => Math.max(most, lock.peak), Math.min(PRESS.parts, PRESS.threshold * 1.4));
  phases.append(...phaseParts());
  canvas.addEventListener("mousemove", pointPressure);
  canvas.addEventListener("mouseleave", () => {
    untell();
    hover.at = null;
    drawPressure();
  });
  canvas.addEventListener("click", (event) => {
    const at = LOCK_AT.get(PRESS.locks[pressRow(event)]?.id);
    if (at !== undefined) view.choose(at === view.lock ? null : at);
  });
  canvas.addEventListener("wheel", (event) => wheel(event, pressWidth(), canvas.getBoundingClientRect()), { passive: false });
  canvas.addEventListener("keydown", pressKeys);
  follows("pressure", ["part", "span", "lock"], drawPressure);
  new ResizeObserver(() => openTab === "pressure" && drawPressure()).observe(byId("press-box"));
  for (const medium of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(medium).addEventListener("change", () => {
      readColours();
      drawPressure();
    });
  }
}

const shareOf = (parts) => percent(parts / PRESS.parts);

function pressureSum() {
  const limit = `Of each ${time(PRESS.interval_ns)}: the time threads spent to get a lock by the time that all threads ran. A phase (marked) is where a lock has ${shareOf(PRESS.threshold)} or more of a second, as locklens pressure FILE tells it.`;
  const beside = PRESS.not_counted ? `${PRESS.not_counted} ` : "";
  if (PRESS.locks.length === 0 && PRESS.unmeasured > 0) return "Pressure is not known: of no time that a thread was blocked on a monitor are both ends known. " + beside + limit;
  if (PRESS.locks.length === 0) return "No thread was blocked on a monitor, or parked to own a lock. " + beside + limit;
  const left = PRESS.left_out > 0 ? ` ${many(PRESS.left_out, "lock")} with least are left out.` : "";
  return `${beside}${limit}${left} The bars as: locklens pressure FILE --interval ${PRESS.interval_ns / 1e6}ms`;
}

// As wide as the timelines, so that what is at one time stands one below the other.
const pressWidth = () => Math.min(paneWidth(), byId("press-box").clientWidth);

function drawPressure() {
  const canvas = byId("press"), area = fitted(canvas, pressWidth(), PRESS_TOP + PRESS_ROW * PRESS.locks.length), { pen, width } = area;
  pen.fillStyle = colours.back;
  pen.fillRect(0, 0, width, area.height);
  drawPressAxis(area);
  PRESS.locks.forEach((lock, at) => drawPressRow(area, lock, PRESS_TOP + at * PRESS_ROW));
  overlays(area);
  canvas.setAttribute("aria-label", `Pressure of ${many(PRESS.locks.length, "lock")} from ${moment(view.from, WIDTH)} to ${moment(view.to, WIDTH)}`);
}

function drawPressAxis({ pen, width }) {
  const step = niceStep(((view.to - view.from) / timeWidth(width)) * 110);
  pen.fillStyle = colours.faint;
  pen.fillText(`top: ${shareOf(press.most)}`, 14, 12);
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    const x = Math.round(xOf(at, width));
    pen.fillRect(x, 16, 1, PRESS_TOP - 16);
    const text = moment(at, step);
    if (x + 4 + pen.measureText(text).width <= width) pen.fillText(text, x + 4, 12);
  }
}

// Intervals are counted from the beginning of the clock.
function drawPressRow({ pen, width }, lock, top) {
  const at = LOCK_AT.get(lock.id), bottom = top + PRESS_ROW - 10, high = PRESS_ROW - 16;
  const y = (share) => bottom - (share / press.most) * high;
  pen.save();
  pen.beginPath();
  pen.rect(GUTTER, top, width - GUTTER, PRESS_ROW);
  pen.clip();
  drawPhases(pen, lock, top, bottom, width);
  drawShares(pen, lock, y, bottom, width);
  pen.fillStyle = colours.faint;
  for (let x = GUTTER; x < width; x += 6) pen.fillRect(x, Math.round(y(PRESS.threshold)), 3, 1);
  pen.restore();
  pen.fillStyle = colours.line;
  pen.fillRect(0, top + PRESS_ROW - 4, width, 1);
  if (at !== undefined && at === view.lock) {
    pen.fillStyle = colours.accent;
    pen.fillRect(0, top + 4, 4, PRESS_ROW - 12);
  }
  pen.fillStyle = colours.swatches[Math.min(at ?? NAMED_LOCKS, NAMED_LOCKS)];
  pen.fillRect(14, top + 9, 9, 9);
  pen.fillStyle = colours.ink;
  pen.fillText(clipped(pen, `#${lock.id} ${lockName(at ?? OTHERS)}`, GUTTER - 40), 29, top + 14);
  pen.fillStyle = colours.faint;
  pen.fillText(clipped(pen, `${WORTH[lock.known]}${shareOf(lock.average)}, most ${shareOf(lock.peak)}`, GUTTER - 40), 29, top + 32);
}

const WORTH = { "exact": "average ", "lower-bound": "average ≥ ", "estimate": "average ~ " };

function drawPhases(pen, lock, top, bottom, width) {
  for (const [from, to] of lock.phases) {
    if (to < view.from || from > view.to) continue;
    const x = xOf(from, width), wide = Math.max(2, xOf(to, width) - x);
    pen.fillStyle = colours.pane;
    pen.fillRect(x, top + 2, wide, bottom - top - 2);
    pen.fillStyle = colours.mark;
    pen.fillRect(x, bottom + 1, wide, 3);
  }
}

function drawShares(pen, lock, y, bottom, width) {
  const step = PRESS.interval_ns, first = Math.max(0, Math.floor(view.from / step)), end = Math.min(lock.series.length, Math.ceil(view.to / step));
  pen.fillStyle = colours.blocked;
  for (let at = first; at < end; at++) {
    if (lock.series[at] <= 0) continue;
    const from = xOf(at * step, width), to = xOf(Math.min((at + 1) * step, PRESS.end_ns), width), edge = y(lock.series[at]);
    pen.globalAlpha = 0.45;
    pen.fillRect(from, edge, to - from, bottom - edge);
    pen.globalAlpha = 1;
    pen.fillRect(from, edge - 1, to - from, 2);
  }
}

function pressRow(event) {
  return Math.floor((event.clientY - byId("press").getBoundingClientRect().top - PRESS_TOP) / PRESS_ROW);
}

function pointPressure(event) {
  const place = byId("press").getBoundingClientRect(), lock = PRESS.locks[pressRow(event)];
  const at = timeAt(event.clientX - place.left, pressWidth());
  hover.at = event.clientX - place.left > GUTTER ? at : null;
  drawPressure();
  tell({ x: event.clientX, y: event.clientY }, lock ? pressLines(lock, hover.at) : []);
}

function pressLines(lock, at) {
  const lines = [line(make("b", null, `#${lock.id} ${lockName(LOCK_AT.get(lock.id) ?? OTHERS)}`))];
  if (at === null) return [...lines, line(`${WORTH[lock.known]}${shareOf(lock.average)}, most ${shareOf(lock.peak)}; ${time(lock.acquiring_ns)} in all`)];
  const index = Math.floor(at / PRESS.interval_ns), share = lock.series[index];
  const told = share === undefined || share < 0 ? "nobody ran, or events were switched off," : shareOf(share);
  lines.push(line(`${told} in ${time(PRESS.interval_ns)} from ${moment(index * PRESS.interval_ns, PRESS.interval_ns)}`));
  const phase = lock.phases.find(([from, to]) => from <= at && at < to);
  return phase ? [...lines, ...phaseLines(phase)] : lines;
}

function phaseLines([from, to, average, peak, chain]) {
  const lines = [line(`Phase of ${time(to - from)}: ${shareOf(average)} on the average, most ${shareOf(peak)}`)];
  if (chain) lines.push(line(`${shareOf(chain[1])} of it by`), make("div", { class: "chain" }, ...panelFrames(chain[0]).slice(0, 8).map((frame) => line(frame))));
  return lines;
}

// The phases of all locks, to go to: those in which most time was spent come first.
function phaseParts() {
  const weight = ({ phase: [from, to, average] }) => (to - from) * average;
  const all = allPhases().sort((a, b) => weight(b) - weight(a));
  const more = PRESS.locks.reduce((sum, lock) => sum + lock.more_phases, 0);
  const buttons = all.map(({ lock, phase: [from, to, average] }) => {
    const button = make("button", { type: "button", onclick: () => goToPhase(lock, from, to) }, `#${lock.id}: ${moment(from, PRESS.interval_ns)}, ${time(to - from)}, ${shareOf(average)}`);
    button.title = lockName(LOCK_AT.get(lock.id) ?? OTHERS);
    return button;
  });
  if (buttons.length === 0) buttons.push(make("p", { class: "faint" }, `No lock has ${shareOf(PRESS.threshold)} of the running time in any second.`));
  if (more > 0) buttons.push(make("span", { class: "faint" }, ` and ${many(more, "further phase")}`));
  return buttons;
}

function goToPhase(lock, from, to) {
  view.show(from - (to - from) / 2, to + (to - from) / 2);
  const at = LOCK_AT.get(lock.id);
  if (at !== undefined) view.choose(at);
  say(`Phase of lock #${lock.id}: ${time(to - from)} from ${moment(from, PRESS.interval_ns)}.`);
}

// Up and down choose a lock; all other keys are those of the timelines.
function pressKeys(event) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!by || PRESS.locks.length === 0) return;
  const id = view.lock === null ? null : LOCKS[view.lock].id, here = PRESS.locks.findIndex((lock) => lock.id === id);
  const next = PRESS.locks[Math.min(PRESS.locks.length - 1, Math.max(0, here + by))], at = LOCK_AT.get(next.id);
  if (at !== undefined) view.choose(at);
  event.preventDefault();
  event.stopPropagation();
}
