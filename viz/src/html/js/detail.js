// Served by a command that has the trace, the page asks for the stays that it does not have: of the part that is shown, where
// that is finer than its intervals. What comes stands behind the stays that the page keeps, until other stays are shown.

// Times are numbers of their own kind.
const COLUMNS_OF_STAYS = ["thread", "lock", "object", "chain", "region", "owner", "wokenBy", "wokenAt", "limit", "flags"];
const asking = { busy: false, again: false, gone: false };
const ask = later(100, askNow);

// The part to ask for: what is shown, and half as much on both sides. None if everything is here.
function partWanted() {
  const length = view.to - view.from;
  if (ALL_KEPT || !isFine(stepOf(timeWidth(paneWidth())))) return null;
  const isInside = part.from <= view.from && view.to <= part.to;
  // Of a part with too many stays the longest were told; of a much shorter one there may be room for all.
  if (isInside && (part.whole.every(Boolean) || part.to - part.from <= 2.5 * length)) return null;
  return [Math.max(0, Math.floor(view.from - length / 2)), Math.min(END, Math.ceil(view.to + length / 2))];
}

// Who does not answer may have been asleep, or have had too much to do: asked so often, with longer and longer pauses, he has ended.
const TRIES = 4, FIRST_PAUSE = 500;

// What the command answers; none if it has ended.
async function answered(address) {
  for (let tried = 0; tried < TRIES; tried++) {
    if (tried > 0) await new Promise((goOn) => setTimeout(goOn, FIRST_PAUSE * 2 ** (tried - 1)));
    try {
      const answer = await fetch(address, { cache: "no-store" });
      if (answer.ok) return await answer.json();
    } catch {
      // Asked again.
    }
  }
  return null;
}

async function askNow() {
  if (asking.gone) return;
  asking.again = asking.busy;
  const wanted = partWanted();
  if (asking.busy || wanted === null) return;
  asking.busy = true;
  partSays("Its stays are being read …");
  try {
    const told = await answered(`detail?from=${wanted[0]}&to=${wanted[1]}&of=${DATA.live ?? 0}`);
    asking.gone = told === null;
    if (asking.gone) partSays("The command that served this page has ended: its stays one by one are not to be had any more.");
    else if (told.old) partSays("There is newer data: its single stays are shown with it.");
    else if (told.too_much) partSays("Too much happened here to be read while you look: zoom in.");
    else takePart(told);
  } finally {
    asking.busy = false;
  }
  if (asking.again) askNow();
}

function partSays(text) {
  part.said = text;
  summarize();
}

function takePart(told) {
  STAYS.forEach((stays, deed) => putBehind(stays, readStays(numbered(told.stays[deed], told))));
  for (const [object, row] of told.targets) TARGETS.set(object, row);
  part.from = told.from_ns;
  part.to = told.to_ns;
  part.whole = told.stays.map(({ left_out }) => left_out === 0);
  hover.stay = null;
  slots.clear();
  mosts.clear();
  fillRows();
  partSays(part.whole.every(Boolean) ? "" : "Of the stays of this part the longest are drawn one by one: zoom in for all.");
}

// Texts and chains by their numbers in the page.
const texts = new Map(DATA.texts.map((text, code) => [text, code]));
const chains = new Map(DATA.chains.map((chain, code) => [JSON.stringify(chain), code]));

function numberOf(known, all, key, value) {
  if (!known.has(key)) known.set(key, all.push(value) - 1);
  return known.get(key);
}

function numbered(columns, told) {
  const text = (code) => numberOf(texts, DATA.texts, told.texts[code], told.texts[code]);
  const chain = ([cut, frames]) => {
    const own = [cut, frames.map(text)];
    return numberOf(chains, DATA.chains, JSON.stringify(own), own);
  };
  return { ...columns, region: columns.region.map((code) => code && text(code - 1) + 1), chain: columns.chain.map((code) => code && chain(told.chains[code - 1]) + 1) };
}

function putBehind(stays, more) {
  for (const name of COLUMNS_OF_STAYS) stays[name] = [...Array.from(stays[name]).slice(0, stays.count), ...more[name]];
  for (const name of ["from", "to"]) stays[name] = Float64Array.from([...stays[name].subarray(0, stays.count), ...more[name]]);
  listStays(stays, THREADS_TOLD);
}

view.on("part", ask);
