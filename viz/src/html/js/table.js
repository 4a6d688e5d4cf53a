// The lock table, and everything known of the lock that is selected.

// Times and counts of each lock in the selected span; null for the whole recording.
let inSpan = null;

const known = (value) => (value === null ? -1 : value);
const firstType = (lock) => typesOf(lock)[0] ?? "";
const blockedNs = (lock, at) => (inSpan ? inSpan.sums[at][BLOCKED] : lock.blocked_ns);
const waitNs = (lock, at) => (inSpan ? inSpan.sums[at][WAITING] : lock.wait_ns);
const counted = (lock, at, deed) => (inSpan ? inSpan.counts[deed][at] : deed === BLOCKED ? lock.blocked : lock.waits);

const COLUMNS = [
  { name: "#", number: true, value: (lock) => lock.id, show: (lock, at) => (PANELS ? tickCell(lock, at) : String(lock.id)) },
  { name: "Lock", value: (lock) => lock.name, show: nameCell, className: "name", tells: true },
  { name: "Type", value: firstType, show: (lock) => typesOf(lock).join(" + "), tells: true },
  { name: "Sure", number: true, down: true, value: (lock) => lock.types[0]?.confidence ?? 0, show: (lock) => percent(lock.types[0]?.confidence ?? 0), tells: true },
  { name: "Blocked", number: true, down: true, value: (lock, at) => known(counted(lock, at, BLOCKED)), show: (lock, at) => countCell(lock, at, BLOCKED) },
  { name: "Blocked time", number: true, down: true, value: (lock, at) => known(blockedNs(lock, at)), show: (lock, at) => timeCell(blockedNs(lock, at), BLOCKED) },
  { name: "Waits", number: true, down: true, value: (lock, at) => known(counted(lock, at, WAITING)), show: (lock, at) => countCell(lock, at, WAITING) },
  { name: "Wait time", number: true, down: true, value: (lock, at) => known(waitNs(lock, at)), show: (lock, at) => timeCell(waitNs(lock, at), WAITING) },
  { name: "Threads", number: true, down: true, value: (lock) => lock.threads, show: (lock) => count(lock.threads) },
  { name: "Objects", number: true, down: true, value: (lock) => lock.instances, show: (lock) => count(lock.instances) },
];

const sorting = { column: COLUMNS[0], down: false };

function nameCell(lock, at) {
  const swatch = make("span", { class: "swatch" });
  swatch.style.background = lockColour(at);
  return [swatch, lock.name];
}

function countCell(lock, at, deed) {
  const value = counted(lock, at, deed);
  const atLeast = inSpan && STAYS[deed].leftOut > 0 && inSpan.sums[at][deed] > 0 ? "≥ " : lock.sampled && !lock.parks && value ? "~ " : "";
  return value === null ? "–" : atLeast + count(value);
}

// With a bar: its share of what all locks have.
function timeCell(ns, deed) {
  if (ns === null) return "–";
  const total = LOCKS.reduce((sum, lock, at) => sum + Math.max(0, known(deed === BLOCKED ? blockedNs(lock, at) : waitNs(lock, at))), 0);
  const share = make("span", { class: deed === BLOCKED ? "share" : "share waits" }, make("i"));
  share.firstChild.style.width = (total > 0 ? (ns / total) * 100 : 0) + "%";
  return [ns > 0 ? time(ns) : "0", share];
}

function countStays(from, to) {
  return [BLOCKED, WAITING].map((deed) => {
    const counts = new Array(OTHERS + 1).fill(0), stays = STAYS[deed];
    for (let i = 0; i < stays.count; i++) if (stays.from[i] < to && stays.to[i] > from) counts[stays.lock[i]]++;
    return counts;
  });
}

function buildTable() {
  byId("table-box").querySelector("thead tr").replaceChildren(...COLUMNS.map(headCell));
  const types = [...new Set(LOCKS.flatMap(typesOf))].sort();
  byId("types").replaceChildren(make("option", { value: "" }, "All types"), ...types.map((type) => make("option", { value: type }, type)));
  byId("types").addEventListener("change", fillTable);
  byId("filter").addEventListener("input", fillTable);
  byId("span-clear").addEventListener("click", () => view.select(null));
  const body = document.querySelector("tbody");
  body.addEventListener("keydown", rowKeys);
  body.addEventListener("pointermove", tellOfType);
  body.addEventListener("pointerleave", untell);
  view.on("span", () => {
    inSpan = view.span && { sums: sums(...view.span), counts: countStays(...view.span) };
    byId("span").hidden = !view.span;
    if (view.span) byId("span").firstChild.textContent = `In ${moment(view.span[0], WIDTH)} – ${moment(view.span[1], WIDTH)}`;
    fillTable();
  });
  view.on("lock", () => {
    markRow();
    showDetail();
  });
}

function headCell(column) {
  const sort = () => {
    sorting.down = sorting.column === column ? !sorting.down : Boolean(column.down);
    sorting.column = column;
    fillTable();
  };
  return make("th", { class: column.number ? "number" : "", scope: "col" }, make("button", { type: "button", onclick: sort }, column.name));
}

// Whether the filters let a lock pass.
function passes(lock) {
  const type = byId("types").value;
  if (type && !typesOf(lock).includes(type)) return false;
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const methods = lock.regions.map((region) => `${region.class}.${region.method}`);
  const text = [lock.name, ...lock.classes, ...methods, `#${lock.id}`].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

function shownLocks() {
  const shown = LOCKS.map((_, at) => at).filter((at) => passes(LOCKS[at]));
  const { column, down } = sorting;
  const order = (a, b) => {
    const [one, other] = [column.value(LOCKS[a], a), column.value(LOCKS[b], b)];
    const before = typeof one === "string" ? one.localeCompare(other) : one - other;
    return (down ? -before : before) || a - b;
  };
  return shown.sort(order);
}

function fillTable() {
  const shown = shownLocks();
  const heads = document.querySelectorAll("th");
  COLUMNS.forEach((column, at) => {
    const is = column === sorting.column;
    heads[at].setAttribute("aria-sort", is ? (sorting.down ? "descending" : "ascending") : "none");
    heads[at].firstChild.textContent = column.name + (is ? (sorting.down ? " ↓" : " ↑") : "");
  });
  document.querySelector("tbody").replaceChildren(...shown.map(tableRow));
  byId("locks-count").textContent = shown.length === LOCKS.length ? many(LOCKS.length, "lock") : `${count(shown.length)} of ${many(LOCKS.length, "lock")}`;
  markRow();
}

function tableRow(at) {
  const row = make("tr", { tabindex: "-1", "data-lock": at, onclick: () => view.choose(view.lock === at ? null : at) });
  for (const column of COLUMNS) {
    const told = column.show(LOCKS[at], at);
    const cell = make("td", { class: column.number ? "number" : column.className ?? "" }, ...(Array.isArray(told) ? told : [told]));
    cell.column = column;
    row.append(cell);
  }
  return row;
}

// What a lock is, which regions play which roles and what speaks for that, beside the pointer.
function tellOfType(event) {
  const cell = event.target.closest("td");
  if (!cell?.column.tells || event.buttons !== 0) return untell();
  const lock = LOCKS[Number(cell.parentElement.dataset.lock)];
  tell({ x: event.clientX, y: event.clientY }, [line(make("b", null, lock.name)), ...lock.types.flatMap((type) => typeLines(lock, type)), ...lock.contradictions.map((text) => line(`contradiction: ${text}`))]);
}

function typeLines(lock, type) {
  const { title, roles, evidence } = typeTexts(lock, type);
  return [line(make("b", null, title)), ...roles.map((text) => line(text)), ...evidence.map((text) => line(text))];
}

function markRow() {
  const rows = [...document.querySelectorAll("tbody tr")];
  for (const row of rows) {
    const is = Number(row.dataset.lock) === view.lock;
    row.setAttribute("aria-selected", String(is));
    row.tabIndex = is ? 0 : -1;
  }
  const chosen = rows.find((row) => row.tabIndex === 0);
  if (chosen) chosen.scrollIntoView({ block: "nearest" });
  else if (rows.length > 0) rows[0].tabIndex = 0;
}

// Up and down among the rows, and Enter to choose one.
function rowKeys(event) {
  const row = event.target.closest("tr");
  const to = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
  if (to) {
    row.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  } else if (event.key === "Enter" || event.key === " ") row.click();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function listOf(items) {
  return make("ul", null, ...items.map((item) => make("li", null, item)));
}

function showDetail() {
  const pane = byId("detail");
  pane.hidden = view.lock === null;
  pane.scrollTop = 0;
  if (view.lock === null) return pane.replaceChildren();
  const lock = LOCKS[view.lock];
  const close = make("button", { type: "button", "aria-label": "Close", onclick: () => view.choose(null) }, "×");
  pane.replaceChildren(make("div", { class: "head" }, make("h2", null, `#${lock.id} ${lock.name}`), close));
  for (const type of lock.types) pane.append(...typeParts(lock, type));
  if (lock.contradictions.length > 0) pane.append(make("h3", null, "Contradictions"), listOf(lock.contradictions));
  pane.append(make("h3", null, "Figures"), figures(lock), make("h3", null, "Regions"), listOf(lock.regions.map(regionText)));
  pane.append(...longestParts(view.lock));
}

function typeTexts(lock, type) {
  const details = Object.entries(type.detail).map(([key, value]) => `${key} = ${value}`);
  return {
    title: `${type.type}, ${percent(type.confidence)} sure` + (details.length > 0 ? `: ${details.join(", ")}` : ""),
    roles: Object.entries(type.roles).map(([role, ids]) => `${role}: ${ids.map((id) => regionName(lock, id)).join(", ")}`),
    evidence: type.evidence.for.map((text) => `for: ${text}`).concat(type.evidence.against.map((text) => `against: ${text}`)),
  };
}

function typeParts(lock, type) {
  const { title, roles, evidence } = typeTexts(lock, type);
  const parts = [make("h3", null, title)];
  if (roles.length > 0) parts.push(listOf(roles));
  if (evidence.length > 0) parts.push(make("h3", null, "Evidence"), listOf(evidence));
  return parts;
}

function regionName(lock, id) {
  const region = lock.regions.find((region) => region.id === id);
  return region ? `${region.class}.${region.method}` : `region ${id}`;
}

function regionText(region) {
  const place = region.source ? ` (${region.source}${region.line ? ":" + region.line : ""})` : "";
  const roles = region.roles.length > 0 ? ` – ${region.roles.join(", ")}` : "";
  const blocked = region.blocked > 0 ? `; blocked ${count(region.blocked)} ×, ${region.blocked_ns === null ? "unknown" : time(region.blocked_ns)}` : "";
  const waits = region.waits > 0 ? `; waits ${count(region.waits)} ×, ${region.wait_ns === null ? "unknown" : time(region.wait_ns)}` : "";
  return `${region.class}.${region.method}${place}${roles}${blocked}${waits}${region.seen ? "" : "; not seen to run"}`;
}

function lengths({ count: times, p50_ns: median, p99_ns: most, max_ns: longest }) {
  if (times === 0) return "none";
  return `${count(times)} × – ` + (median === null ? "only the sum of their lengths is known" : `median ${time(median)}, 99 in 100 up to ${time(most)}, longest ${time(longest)}`);
}

function figures(lock) {
  const facts = [
    ["Class", lock.classes.join(", ")],
    ["Objects, threads", `${count(lock.instances)}, ${count(lock.threads)}`],
    ["Taken", lock.locked === null ? "not known: only an exact recording counts it" : count(lock.locked) + " ×"],
    ["Blocked", lengths(lock.blocked_times)],
    ["Waits", lengths(lock.wait_times) + (lock.timed_out > 0 ? `; ${count(lock.timed_out)} timed out` : "")],
  ];
  if (lock.sampled && !lock.parks) facts.push(["Found by looks", "counts and times are estimates"]);
  return make("dl", null, ...facts.flatMap(([name, text]) => [make("dt", null, name), make("dd", null, text)]));
}

// The call chain of a blocked stay, and of who held the lock then, as far as they are known.
function chainsOf(stay) {
  const hold = holdDuring(stay), frames = hold === null ? chainLines(STAYS[BLOCKED].chain[stay], Infinity) : bothChains(stay, hold, Infinity);
  return frames.length > 0 ? [make("details", null, make("summary", null, hold === null ? "Its call chain" : "Both call chains"), ...frames)] : [];
}

// The longest blocked stays of a lock, to go to.
function longestParts(lock) {
  const stays = STAYS[BLOCKED], list = keptOf(stays, lock);
  list.sort((a, b) => stays.to[b] - stays.from[b] - (stays.to[a] - stays.from[a]) || a - b);
  const entries = list.slice(0, 5).flatMap((stay) => {
    const text = `${time(stays.to[stay] - stays.from[stay])} at ${moment(stays.from[stay], 1e6)}: ${threadName(stays.thread[stay])}`;
    return [make("button", { type: "button", onclick: () => goTo(stay) }, text), ...chainsOf(stay)];
  });
  return entries.length > 0 ? [make("h3", null, "Longest blocked"), make("div", { class: "stays" }, ...entries)] : [];
}
