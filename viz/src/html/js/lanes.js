// Buckets of one row at one level: each level has half as many buckets as the one below it, twice as wide, and what they
// have is the sum. Beside the time of each deed a lane knows which strip has most of it.

// Numbers kept of lanes that were needed before.
const LANES_KEPT = 6e6;
const lanes = new Map();
let kept = 0;

function forgetLanes() {
  lanes.clear();
  kept = 0;
}

// The lane of a thread or of a lock; `whose` says which of the two, and the strips are its own.
function lane(whose, row, level) {
  const key = `${whose} ${row} ${level}`;
  const known = lanes.get(key);
  if (known) return known;
  const strips = whose === "thread" ? STRIPS_OF_THREAD[row] : STRIPS_OF_LOCK[row];
  const made = makeLane(strips, level);
  kept += made.size * 5;
  lanes.set(key, made);
  for (const [oldest, { size }] of lanes) {
    if (kept <= LANES_KEPT || oldest === key) break;
    kept -= size * 5;
    lanes.delete(oldest);
  }
  return made;
}

function emptyLane(level) {
  const size = ((BUCKETS - 1) >> level) + 1;
  return {
    size,
    time: [new Float32Array(size), new Float32Array(size), new Float32Array(size)],
    // The strip that has most blocked or waiting time, and the one that has most of holding.
    delay: new Int32Array(size).fill(-1),
    hold: new Int32Array(size).fill(-1),
  };
}

function makeLane(strips, level) {
  const made = emptyLane(level);
  const mostDelay = new Float32Array(made.size), mostHold = new Float32Array(made.size);
  for (const strip of strips) {
    const deed = STRIPS.deed[strip], time = made.time[deed];
    const [most, best] = deed === HOLDING ? [mostHold, made.hold] : [mostDelay, made.delay];
    eachBucket(strip, level, (bucket, ns) => {
      time[bucket] += ns;
      if (ns > most[bucket]) {
        most[bucket] = ns;
        best[bucket] = strip;
      }
    });
  }
  return made;
}

// Calls `see` with each bucket of that level in which a strip has something, once.
function eachBucket(strip, level, see) {
  let bucket = -1, ns = 0;
  for (let i = STRIPS.low[strip]; i < STRIPS.low[strip + 1]; i++) {
    const first = STRIPS.first[i], end = STRIPS.end[i], each = STRIPS.each[i];
    for (let at = first >> level; at <= (end - 1) >> level; at++) {
      if (at !== bucket) {
        if (bucket >= 0) see(bucket, ns);
        bucket = at;
        ns = 0;
      }
      ns += each * (Math.min(end, (at + 1) << level) - Math.max(first, at << level));
    }
  }
  if (bucket >= 0) see(bucket, ns);
}

// All threads and locks together, in the finest buckets; and how long threads of the program ran, as far as is known.
const TOTAL = (() => {
  const time = [0, 1, 2].map(() => new Float64Array(BUCKETS));
  const running = new Float64Array(BUCKETS);
  for (const { alive, service } of THREADS) {
    let bucket = 0;
    for (let i = 0; i < alive.length && !service; i += 3) {
      bucket += alive[i];
      for (let n = alive[i + 1]; n > 0; n--) running[bucket++] += alive[i + 2];
    }
  }
  for (let strip = 0; strip < STRIPS.deed.length; strip++) {
    const deed = STRIPS.deed[strip], waits = deed === WAITING && !THREADS[STRIPS.thread[strip]].service;
    eachBucket(strip, 0, (bucket, ns) => {
      time[deed][bucket] += ns;
      if (waits) running[bucket] -= ns;
    });
  }
  return { time, running };
})();

// How much of a level's bucket threads lived, ran, were blocked …: sums of the finest ones.
function summed(values, level, bucket) {
  let sum = 0;
  const end = Math.min((bucket + 1) << level, BUCKETS);
  for (let at = bucket << level; at < end; at++) sum += values[at];
  return sum;
}

// When a thread lived: from and to, as far as the buckets tell.
const LIVES = THREADS.map(({ alive }) => {
  let bucket = 0, first = BUCKETS, end = 0;
  for (let i = 0; i < alive.length; i += 3) {
    bucket += alive[i];
    first = Math.min(first, bucket);
    bucket += alive[i + 1];
    end = bucket;
  }
  return [first, end];
});
