// Where the nodes of a graph stand: in layers from left to right, so that edges lead to the right as far as cycles allow it
// (Sugiyama, Tagawa and Toda). An edge that spans several layers goes through a stand-in in each layer between. Nothing here
// knows locks, or draws.

const NODE_WIDTH = 216, NODE_HEIGHT = 56, STAND_IN_HEIGHT = 10, BETWEEN_ROWS = 16, BETWEEN_LAYERS = 96;
const SWEEPS = 12;

// Of nodes 0 to n - 1 and edges [from, to]: the place of each node, of each edge its points from left to right and whether it
// leads to the left, and how large it all is.
function laidOut(n, edges) {
  const turned = backward(n, edges);
  const forward = edges.map(([from, to], at) => (turned[at] ? [to, from] : [from, to]));
  const layer = layersOf(n, forward);
  const points = Array.from({ length: n }, (_, node) => ({ layer: layer[node], height: NODE_HEIGHT, left: [], right: [], y: 0 }));
  const ways = forward.map(([from, to]) => (from === to ? [from] : wayThrough(points, layer, from, to)));
  const layers = arranged(points);
  settle(points, layers);
  return { nodes: points.slice(0, n), ways: ways.map((way) => way.map((at) => points[at])), turned, ...extent(points) };
}

// Which edges must be turned so that no cycle is left: those that lead back to where the search stands.
function backward(n, edges) {
  const out = Array.from({ length: n }, () => []), enter = new Array(n).fill(0);
  edges.forEach(([from, to], at) => {
    if (from === to) return;
    out[from].push([to, at]);
    enter[to]++;
  });
  const state = new Array(n).fill(0), turned = new Array(edges.length).fill(false);
  const starts = Array.from({ length: n }, (_, node) => node).sort((a, b) => enter[a] - enter[b] || a - b);
  for (const start of starts) {
    if (state[start]) continue;
    const path = [[start, 0]];
    state[start] = 1;
    while (path.length > 0) {
      const top = path[path.length - 1], [node, next] = top;
      if (next === out[node].length) {
        state[node] = 2;
        path.pop();
        continue;
      }
      top[1]++;
      const [to, at] = out[node][next];
      if (state[to] === 1) turned[at] = true;
      else if (state[to] === 0) {
        state[to] = 1;
        path.push([to, 0]);
      }
    }
  }
  return turned;
}

// Each node one layer behind the last of those that lead to it; who has none before it stands next to what it leads to.
function layersOf(n, edges) {
  const real = edges.filter(([from, to]) => from !== to), enter = new Array(n).fill(0), layer = new Array(n).fill(0);
  const out = Array.from({ length: n }, () => []);
  for (const [from, to] of real) {
    out[from].push(to);
    enter[to]++;
  }
  const sources = enter.map((count, node) => (count === 0 ? node : -1)).filter((node) => node >= 0), queue = [...sources];
  for (let at = 0; at < queue.length; at++) {
    for (const to of out[queue[at]]) {
      layer[to] = Math.max(layer[to], layer[queue[at]] + 1);
      if (--enter[to] === 0) queue.push(to);
    }
  }
  for (const node of sources) if (out[node].length > 0) layer[node] = out[node].reduce((least, to) => Math.min(least, layer[to]), Infinity) - 1;
  return layer;
}

// Links two nodes, with a stand-in in each layer between them.
function wayThrough(points, layer, from, to) {
  const way = [from];
  for (let at = layer[from] + 1; at < layer[to]; at++) way.push(points.push({ layer: at, height: STAND_IN_HEIGHT, left: [], right: [], y: 0 }) - 1);
  way.push(to);
  for (let at = 1; at < way.length; at++) {
    points[way[at - 1]].right.push(way[at]);
    points[way[at]].left.push(way[at - 1]);
  }
  return way;
}

// The layers, each in an order in which few edges cross: every node in the middle of those it is linked to, to and fro.
function arranged(points) {
  let layers = [];
  points.forEach((point, at) => (layers[point.layer] ??= []).push(at));
  layers = Array.from(layers, (layer) => layer ?? []);
  let best = layers.map((layer) => [...layer]), fewest = crossings(points, layers);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const side = sweep % 2 === 0 ? "left" : "right", order = sweep % 2 === 0 ? layers : [...layers].reverse();
    for (const layer of order) sortByMiddle(points, layers, layer, side);
    const now = crossings(points, layers);
    if (now < fewest) [best, fewest] = [layers.map((layer) => [...layer]), now];
  }
  return best;
}

function sortByMiddle(points, layers, layer, side) {
  const place = places(layers), middle = new Map();
  for (const at of layer) {
    const linked = points[at][side];
    middle.set(at, linked.length > 0 ? linked.reduce((sum, other) => sum + place[other], 0) / linked.length : place[at]);
  }
  layer.sort((a, b) => middle.get(a) - middle.get(b) || place[a] - place[b]);
}

function places(layers) {
  const place = [];
  for (const layer of layers) layer.forEach((at, index) => (place[at] = index));
  return place;
}

function crossings(points, layers) {
  const place = places(layers);
  let crossed = 0;
  for (const layer of layers) {
    const ends = layer.flatMap((at) => points[at].right.map((to) => place[to]).sort((a, b) => a - b));
    for (let i = 0; i < ends.length; i++) for (let j = 0; j < i; j++) if (ends[j] > ends[i]) crossed++;
  }
  return crossed;
}

// Heights: each as near to the middle of those it is linked to as its neighbours in the layer allow.
function settle(points, layers) {
  for (const layer of layers) spread(points, layer, layer.map(() => 0));
  for (let round = 0; round < SWEEPS; round++) {
    for (const side of ["left", "right"]) {
      for (const layer of side === "left" ? layers : [...layers].reverse()) {
        spread(points, layer, layer.map((at) => {
          const linked = points[at][side].length > 0 ? points[at][side] : [at];
          return linked.reduce((sum, other) => sum + points[other].y, 0) / linked.length;
        }));
      }
    }
  }
  const top = points.reduce((least, point) => Math.min(least, point.y - point.height / 2), Infinity);
  for (const point of points) {
    point.y += 40 - top;
    point.x = 24 + NODE_WIDTH / 2 + point.layer * (NODE_WIDTH + BETWEEN_LAYERS);
  }
}

// Gives a layer heights as near as can be to those that it wants, in its order and with room between: where neighbours want to
// stand nearer than that, they stand together around the middle of what they want (isotonic regression).
function spread(points, layer, wanted) {
  const groups = [];
  let offset = 0;
  layer.forEach((at, index) => {
    if (index > 0) offset += apart(points[layer[index - 1]], points[at]);
    let group = { sum: wanted[index] - offset, members: [[at, offset]] };
    while (groups.length > 0 && mean(groups[groups.length - 1]) >= mean(group)) {
      const before = groups.pop();
      group = { sum: before.sum + group.sum, members: [...before.members, ...group.members] };
    }
    groups.push(group);
  });
  for (const group of groups) for (const [at, offset] of group.members) points[at].y = mean(group) + offset;
}

const mean = ({ sum, members }) => sum / members.length;

// From the middle of one to the middle of the next.
function apart(one, other) {
  const nodes = one.height === NODE_HEIGHT || other.height === NODE_HEIGHT;
  return (one.height + other.height) / 2 + (nodes ? BETWEEN_ROWS : 2);
}

function extent(points) {
  const [x, y] = ["x", "y"].map((side) => points.reduce((most, point) => Math.max(most, point[side]), 0));
  return { width: x + NODE_WIDTH / 2 + 24, height: y + NODE_HEIGHT / 2 + 24 };
}
