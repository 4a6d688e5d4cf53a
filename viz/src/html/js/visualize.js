// In the page of a JVM that is being recorded: has the command record every event of the locks that are ticked, and watch again. What
// is dear the command does not do at the first word: it tells the price, and somebody has to agree to that here.

// How it stands, as the command last told; the price of these locks, while nobody has agreed to it; what was refused; and whether an
// answer is waited for. What another page asked for and never heard of is left over.
const exactly = { told: null, price: null, deed: null, locks: [], refused: null, waits: false, left: null };
const STAGES = { ending: "What was recorded ends.", rewriting: "Rewriting.", exact: "Recording exactly." };

const isAsking = () => exactly.price !== null || exactly.waits;

async function order(deed, locks) {
  Object.assign(exactly, { price: null, deed, locks, refused: null, waits: true, left: null });
  showExactly();
  const reply = await replyTo({ of: DATA.live, do: deed, locks });
  Object.assign(exactly, { price: reply.price ?? null, refused: reply.refused ?? null, waits: false });
  showExactly();
}

async function replyTo(wish) {
  try {
    const answer = await fetch("visualize", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish), cache: "no-store" });
    return answer.ok ? await answer.json() : { refused: `The command answers: ${answer.status}.` };
  } catch {
    return { refused: "The command does not answer." };
  }
}

const visualize = () => order("visualize", tickedLocks().map(([, name]) => name));

function leaveIt() {
  exactly.price = null;
  showExactly();
  byId("visualize").focus();
}

// Why it can't be begun at the moment, if so.
function whyNot() {
  if (exactly.told === null) return "Not known yet how it stands with the recording";
  if (exactly.told.barred !== null) return exactly.told.barred;
  if (exactly.told.stage === "over") return "The recording is over";
  if (exactly.waits || !["watching", "exact"].includes(exactly.told.stage)) return "Another recording is about to begin";
  return ticked.size === 0 ? "Tick locks first: a click in the first column, or x" : null;
}

function showExactly() {
  const button = byId("visualize"), why = whyNot();
  button.disabled = why !== null;
  button.title = why ?? "Record every enter, exit, wait and notify of the locks that are ticked, and show that";
  const { stage, said, error } = exactly.told ?? { stage: null, said: [], error: null };
  const lines = [STAGES[stage], ...said].filter(Boolean);
  byId("exactly-said").textContent = exactly.waits ? "Asking the command …" : lines.join("\n");
  byId("exactly-error").textContent = [exactly.refused, error].filter(Boolean).join("\n");
  byId("watch-again").hidden = stage !== "exact" || exactly.waits;
  byId("exactly").hidden = !exactly.waits && lines.length === 0 && !exactly.refused && !error;
  byId("price").hidden = exactly.price === null;
  byId("price-said").textContent = exactly.price === null ? "" : `Nothing was rewritten yet. For every event of ${many(exactly.locks.length, "lock")}: ${exactly.price}.`;
}

function offer() {
  const button = make("button", { type: "button", id: "visualize", onclick: visualize }, "Visualize");
  byId("ticked").after(button);
  const again = make("button", { type: "button", id: "watch-again", title: "Put the classes back, and only watch", onclick: () => order("watch", []) }, "Watch again");
  const agree = make("button", { type: "button", id: "rewrite", onclick: () => order("rewrite", exactly.locks) }, "Rewrite and visualize");
  const leave = make("button", { type: "button", id: "leave-it", onclick: leaveIt }, "Leave it");
  document.querySelector("header").append(
    make("div", { id: "exactly", class: "bar", role: "status", hidden: "" }, make("p", { id: "exactly-said" }), make("p", { id: "exactly-error", class: "alarm" }), again),
    make("div", { id: "price", class: "bar", role: "alert", hidden: "" }, make("p", { id: "price-said" }), agree, leave),
  );
  view.on("ticks", showExactly);
  showExactly();
}

// Takes what the command tells every second.
function standsSo(told) {
  exactly.told = told;
  const { left } = exactly;
  exactly.left = null;
  // Nothing has come of what the page before this one asked for at its end: it may have gone before it was heard.
  if (left !== null && left.stage === told.stage) order(left.deed, left.locks);
  else showExactly();
}

// What the next page has to know, should this one go: a click may be its last moment.
function unfinished() {
  const { told, price, deed, locks, refused, waits } = exactly;
  return { price, locks, refused, left: waits ? { deed, locks, stage: told?.stage ?? null } : null };
}

function goesOn(asked) {
  Object.assign(exactly, asked);
  showExactly();
}
