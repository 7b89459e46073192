"use strict";
// Fills the filters, and listens.
const HOW = { q: refill, m: showMemories };

function fillFilters() {
  const runs = index.runs.map((name, place) => [String(place), name]);
  const conversations = index.conversations.map((name, place) => [String(place), name]);
  const categories = [...new Set(index.questions.map((question) => question[2]))].sort();
  fill(by("f-run"), runs);
  fill(by("f-conversation"), [["", "all"], ...conversations]);
  fill(by("f-category"), [["", "all"], ["1-4", "1 to 4: all that overall values are over"], ...categories.map((one) => [String(one), categoryName(one)])]);
  fill(by("f-outcome"), OUTCOMES());
  fill(by("f-lost"), LOST());
  fill(by("f-versus"), [["", "-"]]);
  for (const [kind, words] of [["answer", "has the better F1"], ["evidence", "shows more of the evidence"]]) {
    const group = make("optgroup");
    group.label = words;
    fill(group, runs.map(([place, name]) => [`${kind} ${place}`, `${name} ${words}`]));
    by("f-versus").append(group);
  }
  fill(by("t-run"), runs);
  fill(by("t-conversation"), conversations);
}

function listen() {
  for (const [kind, prefix] of [["q", "f-"], ["m", "t-"]])
    for (const key of Object.keys(NOTHING_CHOSEN[kind])) {
      const control = by(prefix + key);
      if (!control) continue;
      control.addEventListener("input", async () => {
        VIEWS[kind][key] = control.value;
        await HOW[kind]();
        putInAddress(kind);
      });
    }
  for (const form of document.querySelectorAll("form"))
    form.addEventListener("submit", (event) => event.preventDefault());
  for (const [id, kind] of [["f-reset", "q"], ["t-reset", "m"]])
    by(id).addEventListener("click", async () => {
      const kept = kind === "q" ? ["run", "question"] : ["run", "conversation"];
      for (const [key, value] of Object.entries(NOTHING_CHOSEN[kind])) if (!kept.includes(key)) VIEWS[kind][key] = value;
      show(kind);
      await HOW[kind]();
      putInAddress(kind);
    });
  by("list").addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (item) choose(item.dataset.id);
  });
  by("list").addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in steps)) return;
    event.preventDefault();
    step(steps[event.key]);
  });
  window.addEventListener("hashchange", follow);
  document.addEventListener("click", copy);
}

async function copy(event) {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "copied";
  } catch {
    button.textContent = "the browser did not allow it";
  }
  setTimeout(() => (button.textContent = words), 1500);
}

async function follow() {
  const kind = takeFromAddress();
  if (!kind) return;
  show(kind);
  await HOW[kind]();
  by(kind === "q" ? "questions" : "timeline").scrollIntoView();
}

async function start() {
  if (!("DecompressionStream" in window)) {
    by("count").textContent = "This browser is too old to unpack the questions and memories (2023 or later is needed).";
    return;
  }
  index = await unpacked("index");
  fillFilters();
  const kind = takeFromAddress();
  show("q");
  show("m");
  listen();
  await Promise.all([refill(), showMemories()]);
  if (kind) by(kind === "q" ? "questions" : "timeline").scrollIntoView();
  document.documentElement.dataset.ready = "yes";
}

start();
