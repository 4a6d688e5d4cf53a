// In the page of a JVM that is being recorded: has the command record every event of the locks that are ticked, and watch again. What
// is dear the command does not do at the first word: it tells the price, and somebody has to agree to that here.

// How it stands, as the command last told; what was asked for last, and the price of it, while nobody has agreed to that; what was
// refused; and whether an answer is waited for, or never came.
const exactly = { told: null, asked: null, price: null, refused: null, waits: false, unanswered: false };
const STAGES = { ending: "What was recorded ends.", rewriting: "Rewriting.", exact: "Recording exactly." };

const isAsking = () => exactly.price !== null || exactly.waits;

// Numbers of locks are those of one page. What is asked for twice by one id the command does once.
const wish = (deed, locks, of = DATA.live) => ({ of, do: deed, locks, id: crypto.getRandomValues(new Uint32Array(1))[0] });

async function order(asked) {
  Object.assign(exactly, { asked, price: null, refused: null, waits: true, unanswered: false });
  showExactly();
  const reply = await replyTo(asked);
  Object.assign(exactly, { price: reply.price ?? null, refused: reply.refused ?? null, waits: false, unanswered: reply.unanswered ?? false });
  showExactly();
}

async function replyTo(asked) {
  try {
    const answer = await fetch("visualize", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked), cache: "no-store" });
    return answer.ok ? await answer.json() : { refused: `The command answers: ${answer.status}.` };
  } catch {
    return { unanswered: true };
  }
}

const visualize = () => order(wish("visualize", tickedLocks().map(([, name]) => name)));

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
  const silence = exactly.unanswered ? "The command does not answer." : null;
  byId("exactly-said").textContent = exactly.waits ? "Asking the command …" : lines.join("\n");
  byId("exactly-error").textContent = [silence, exactly.refused, error].filter(Boolean).join("\n");
  byId("watch-again").hidden = stage !== "exact" || exactly.waits;
  byId("exactly").hidden = !exactly.waits && lines.length === 0 && !silence && !exactly.refused && !error;
  byId("price").hidden = exactly.price === null;
  byId("price-said").textContent = exactly.price === null ? "" : `Nothing was rewritten yet. For every event of ${many(exactly.asked.locks.length, "lock")}: ${exactly.price}.`;
}

function offer() {
  const button = make("button", { type: "button", id: "visualize", onclick: visualize }, "Visualize");
  byId("ticked").after(button);
  const again = make("button", { type: "button", id: "watch-again", title: "Put the classes back, and only watch", onclick: () => order(wish("watch", [])) }, "Watch again");
  const agree = make("button", { type: "button", id: "rewrite", onclick: () => order(wish("rewrite", exactly.asked.locks, exactly.asked.of)) }, "Rewrite and visualize");
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
  // What was refused concerned how it stood then.
  if (exactly.told !== null && exactly.told.stage !== told.stage) exactly.refused = null;
  exactly.told = told;
  showExactly();
}

// Nobody is left who could begin anything, or say whether something was begun.
function commandEnded() {
  Object.assign(exactly, { price: null, waits: false });
  standsSo({ stage: "over", said: [], error: null, barred: null });
}

// What the next page has to know, should this one go: a click may be its last moment, and no answer has come to it.
function unfinished() {
  const { told, asked, price, refused, waits, unanswered } = exactly;
  return { told, asked, price, refused, again: waits || unanswered };
}

// How it stood a moment ago stands there until the command tells it anew: nothing moves under the pointer.
function goesOn({ told, asked, price, refused, again }) {
  Object.assign(exactly, { told, asked, price, refused });
  if (again) order(asked);
  else showExactly();
}
