// Numbers and times as people read them, and elements with text: nothing here makes markup of what came from the target.

function threeDigits(value) {
  return value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

// A length of time.
function time(ns) {
  for (const [unit, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) if (ns >= unit * 0.9995) return threeDigits(ns / unit) + " " + name;
  return Math.round(ns) + " ns";
}

// A moment of the recording, as fine as steps of that length need it.
function moment(ns, step) {
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(Math.max(step, 1) / 1e9))));
  return (ns / 1e9).toFixed(digits) + " s";
}

function count(n) {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
}

function many(n, thing) {
  return count(n) + " " + thing + (n === 1 ? "" : "s");
}

function percent(share) {
  if (share > 0 && share < 0.01) return "<1%";
  if (share < 1 && share > 0.99) return "99%";
  return (share * 100).toFixed(0) + "%";
}

// An element with children: elements, or text.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === "onclick") element.addEventListener("click", value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function byId(id) {
  return document.getElementById(id);
}

// Calls it once, when nobody has asked for it for so long.
function later(ms, act) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
}
