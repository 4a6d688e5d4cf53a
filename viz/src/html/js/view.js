// What is shown: a part of the recording, a selected span, a selected lock; and the link that says so.

// Nothing happens faster than the clock of the events can tell.
const SHORTEST = 1000;

const view = {
  from: 0,
  to: END,
  // Selected: [from, to] on borders of buckets, and the index of a lock. What is ticked knows ticks.js.
  span: null,
  lock: null,
  watchers: { part: [], span: [], lock: [], ticks: [] },

  // Shows the part between two times, or as much of it as there is.
  show(from, to) {
    const length = Math.min(Math.max(to - from, SHORTEST), END);
    const middle = (from + to) / 2;
    this.from = Math.min(Math.max(middle - length / 2, 0), END - length);
    this.to = this.from + length;
    this.tell("part");
  },

  // So many times as long a part, with this time where it is.
  zoom(factor, at) {
    const length = Math.min(Math.max((this.to - this.from) * factor, SHORTEST), END);
    const before = ((at - this.from) / (this.to - this.from)) * length;
    this.show(at - before, at - before + length);
  },

  move(by) {
    this.show(this.from + by, this.to + by);
  },

  // Selects the buckets that a span touches: of these it is known exactly what is in them.
  select(span) {
    this.span = span && this.bucketsOf(Math.min(...span), Math.max(...span));
    this.tell("span");
  },

  bucketsOf(from, to) {
    const last = Math.max(0, Math.ceil(END / WIDTH) - 1);
    const first = Math.min(Math.max(0, Math.floor(from / WIDTH)), last) * WIDTH;
    return [first, Math.min(Math.max(Math.ceil(to / WIDTH) * WIDTH, first + WIDTH), END)];
  },

  choose(lock) {
    this.lock = lock;
    this.tell("lock");
  },

  on(what, act) {
    this.watchers[what].push(act);
  },

  tell(what) {
    for (const act of this.watchers[what]) act();
    keepLink();
  },
};

const seconds = (ns) => String(Number((ns / 1e9).toFixed(9)));
let linked = "";

const keepLink = later(150, () => {
  const parts = [];
  if (view.from > 0 || view.to < END) parts.push(`t=${seconds(view.from)},${seconds(view.to)}`);
  if (view.span) parts.push(`span=${view.span.map(seconds).join(",")}`);
  if (view.lock !== null) parts.push(`lock=${LOCKS[view.lock].id}`);
  if (openTab !== null) parts.push(`panel=${openTab}`);
  if (aspectsOfLink()) parts.push(`by=${aspectsOfLink()}`);
  linked = parts.length > 0 ? "#" + parts.join("&") : "";
  history.replaceState(null, "", linked || location.pathname + location.search);
});

// Shows what the link says; what makes no sense in it is left out.
function followLink() {
  const words = new URLSearchParams(location.hash.slice(1));
  const times = (name) => {
    const both = (words.get(name) ?? "").split(",").map((text) => parseFloat(text) * 1e9);
    return both.length === 2 && both.every(Number.isFinite) && both[0] < both[1] ? both : null;
  };
  const lock = LOCKS.findIndex((lock) => String(lock.id) === words.get("lock"));
  const [from, to] = times("t") ?? [0, END];
  view.show(from, to);
  view.select(times("span"));
  view.choose(lock < 0 ? null : lock);
  takeAspects(words.get("by"));
  if (words.has("panel")) showTab(words.get("panel"));
}
