"use strict";
// What a reader has chosen stands in the page's address, so that a view can be passed on: #q?... a question, #m?... memories.
const NOTHING_CHOSEN = {
  q: { run: "0", conversation: "", category: "", outcome: "", lost: "", versus: "", text: "", question: "" },
  m: { run: "0", conversation: "0", kind: "changed", text: "" },
};
const view = { ...NOTHING_CHOSEN.q };
const memoryView = { ...NOTHING_CHOSEN.m };
const VIEWS = { q: view, m: memoryView };

function address(kind, chosen) {
  const kept = Object.entries(chosen).filter(([key, value]) => String(value) !== NOTHING_CHOSEN[kind][key]);
  return `#${kind}?${new URLSearchParams(kept.map(([key, value]) => [key, String(value)]))}`;
}

function putInAddress(kind) {
  history.replaceState(null, "", address(kind, VIEWS[kind]));
}

function takeFromAddress() {
  // Returns which view the address is of; choices that it does not name go back to what they were at first.
  const found = /^#([qm])\?(.*)$/s.exec(location.hash);
  if (!found) return null;
  const [, kind, words] = found;
  const named = new URLSearchParams(words);
  for (const [key, value] of Object.entries(NOTHING_CHOSEN[kind])) VIEWS[kind][key] = named.has(key) ? named.get(key) : value;
  return kind;
}

function show(kind) {
  // Puts what is chosen into the filters; a value that no filter has is as if it were not chosen.
  const prefix = kind === "q" ? "f-" : "t-";
  for (const key of Object.keys(NOTHING_CHOSEN[kind])) {
    const control = by(prefix + key);
    if (!control) continue;
    control.value = VIEWS[kind][key];
    if (control.value !== VIEWS[kind][key]) control.value = VIEWS[kind][key] = NOTHING_CHOSEN[kind][key];
  }
}
