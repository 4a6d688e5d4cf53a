// Locks that are ticked in the table, and the command that records every event of them.

const ticked = new Set();
// Longer names are cut in this page: such a lock is told by its number.
const LONGEST_NAME = 299;

// Monitors are recorded one by one; locks of java.util.concurrent all together, by --juc.
const canTick = (lock) => !lock.sampled;

function tickCell(lock, at) {
  const box = make("input", { type: "checkbox", tabindex: "-1", "aria-label": `Tick lock #${lock.id}` });
  box.checked = ticked.has(at);
  box.disabled = !canTick(lock);
  if (box.disabled) box.title = "Locks of java.util.concurrent are not recorded one by one: locklens trace --juc has them all";
  box.addEventListener("click", (event) => event.stopPropagation());
  box.addEventListener("change", () => tick(at, box.checked));
  return [box, String(lock.id)];
}

function tick(at, on) {
  if (on && canTick(LOCKS[at])) ticked.add(at);
  else ticked.delete(at);
  showTicked();
}

// Ticks exactly these.
function tickOnly(wanted) {
  ticked.clear();
  LOCKS.forEach((lock, at) => canTick(lock) && wanted(lock) && ticked.add(at));
  showTicked();
}

function buildTicks() {
  const button = make("button", { type: "button", id: "ticked", title: "Record every event of the locks that are ticked", onclick: () => showTab("ticks") });
  byId("locks-count").after(button);
  const body = document.querySelector("#table-box tbody");
  body.addEventListener("keydown", (event) => {
    if (event.key !== "x") return;
    const row = event.target.closest("tr");
    tick(Number(row.dataset.lock), !ticked.has(Number(row.dataset.lock)));
    event.stopPropagation();
  });
  showTicked();
}

function fillTicks(pane) {
  const types = [...new Set(LOCKS.filter(canTick).flatMap(typesOf))].sort();
  const button = (text, wanted) => make("button", { type: "button", onclick: () => tickOnly(wanted) }, text);
  const ofType = choice("Tick the locks of a type", [["", "Of a type …"], ...types.map((type) => [type, type])], (type) => type && tickOnly((lock) => typesOf(lock).includes(type)));
  const bar = make("div", { class: "bar", role: "group", "aria-label": "Tick" }, make("span", null, "Tick:"), button("All", () => true), button("None", () => false), button("Waiting", (lock) => lock.waits > 0), button("Contended", (lock) => known(lock.blocked) > 0), ofType, make("span", { class: "faint", id: "tick-count" }));
  const text = make("textarea", { id: "tick-file", readonly: "", rows: "7", spellcheck: "false", "aria-label": "The file for locklens trace --select" });
  text.addEventListener("keydown", (event) => event.stopPropagation());
  const copied = make("button", { type: "button", onclick: () => copy(text, copied) }, "Copy");
  const save = make("button", { type: "button", id: "tick-save", onclick: () => saveText("locks.txt", text.value) }, "Save as locks.txt");
  const pid = /^\d+$/.test(PANELS.pid ?? "") ? PANELS.pid : "PID";
  const command = copyLine(`locklens trace ${pid} --select locks.txt --from FILE.llt -o exact.llt`);
  command.line.id = "tick-command";
  const atOnce = DATA.live === undefined ? null : make("p", null, "Visualize, above the table, does it at once, and this page shows it. Or by hand:");
  pane.append(bar, make("div", { class: "ticks" }, atOnce, make("p", null, "1. Save the names of the locks that are ticked:"), text, make("div", { class: "copy" }, save, copied),
    make("p", null, "2. Record every enter, exit, wait and notify of them. FILE.llt is the recording that this page was made of; the process is the same one, if it still runs:"), command.line));
  showTicked();
}

// The locks that are ticked, each with what the command knows it by: its name, if no other has that, else its number.
function tickedLocks() {
  const names = LOCKS.map((lock) => lock.name);
  const own = (name) => name.length < LONGEST_NAME && !/^#|^\s|\s$|^\d+$|[\ufffd\n]/.test(name) && names.filter((other) => other === name).length === 1;
  const all = [...ticked].sort((a, b) => a - b).map((at) => LOCKS[at]);
  return all.map((lock) => [lock, own(lock.name) ? lock.name : String(lock.id)]);
}

// What locklens report --select prints, too: a name a line, and before it in a comment what the lock is.
function tickedFile() {
  return tickedLocks().map(([lock, name]) => `# ${typesOf(lock).join("+")}\n${name}\n`).join("");
}

function showTicked() {
  byId("ticked").textContent = `Ticked: ${ticked.size}`;
  for (const row of document.querySelectorAll("#table-box tbody tr")) {
    const box = row.querySelector("input");
    if (box) box.checked = ticked.has(Number(row.dataset.lock));
  }
  view.tell("ticks");
  const text = byId("tick-file");
  if (!text) return;
  text.value = tickedFile();
  text.placeholder = "Nothing is ticked: tick rows of the table (x), or use the buttons above.";
  byId("tick-save").disabled = ticked.size === 0;
  byId("tick-count").textContent = `${many(ticked.size, "lock")} of ${count(LOCKS.filter(canTick).length)} monitors`;
}

// Has the browser save a file. Nothing leaves this page.
function saveText(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: address, download: name }).click();
  later(1000, () => URL.revokeObjectURL(address))();
}
