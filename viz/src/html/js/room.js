// How much room each part of the page has: as much as there is in it to be seen, until somebody divides it otherwise.

const THREADS_ON_PAPER = 20, LOCKS_ON_PAPER = 8;
const room = { divided: false, tableHigh: "", wasChosen: false };

// The table is as high as its rows, and no higher than the style allows. Who selects a lock needs room to read about it: from
// then on it stays, so that nothing moves under the pointer each time.
function fitTable() {
  const section = byId("locks");
  if (section.style.height !== room.tableHigh) return;
  room.wasChosen ||= view.lock !== null;
  section.style.height = room.tableHigh = "";
  if (room.wasChosen || innerWidth <= 720) return;
  const rows = byId("table-box").scrollHeight > byId("table-box").clientHeight;
  const content = byId("table-box").querySelector("table").offsetHeight + byId("empty").offsetHeight;
  const spare = byId("table-box").clientHeight - content - 12;
  if (!rows && spare > 0) section.style.height = room.tableHigh = `${section.offsetHeight - spare}px`;
}

// Of the two timelines neither has more than its rows need while the other has not enough.
function fitTimelines() {
  // On paper there is no scrolling: as many whole rows as a page has room for.
  const style = byId("time").style;
  style.setProperty("--threads-on-paper", `${Math.min(rows.threads.length, THREADS_ON_PAPER) * THREAD_ROW}px`);
  style.setProperty("--locks-on-paper", `${Math.min(rows.locks.length, LOCKS_ON_PAPER) * LOCK_ROW}px`);
  if (room.divided || matchMedia("print").matches) return;
  const threads = byId("threads-box"), locks = byId("locks-box");
  const all = threads.clientHeight + locks.clientHeight;
  // None is ever lower than the style says: to count on less would make both together higher each time.
  const low = box => parseFloat(getComputedStyle(box).minHeight);
  const wanted = [Math.max(rows.threads.length * THREAD_ROW + 4, low(threads)), rows.locks.length * LOCK_ROW + 2];
  const least = Math.min(wanted[1], Math.round(all * 0.4));
  const high = Math.max(least, Math.min(wanted[1], all - wanted[0]), wanted[0] + wanted[1] <= all ? all - wanted[0] : 0, low(locks));
  const basis = `${Math.round(high)}px`;
  if (locks.style.flexBasis !== basis) locks.style.flexBasis = basis;
}
