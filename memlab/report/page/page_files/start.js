"use strict";
// Fills the filters, and listens.
async function start() {
  index = await unpacked("index");
  const runs = index.runs.map((name, place) => [String(place), name]);
  const conversations = index.conversations.map((name, place) => [String(place), name]);
  fill(by("f-run"), runs);
  fill(by("f-conversation"), [["", "all"], ...conversations]);
  const categories = [...new Set(index.questions.map((question) => question[2]))].sort();
  fill(by("f-category"), [["", "all"], ...categories.map((one) => [String(one), `${one} ${index.categories.locomo[one - 1]} (${index.categories.paper[one - 1]})`])]);
  fill(by("f-outcome"), OUTCOMES);
  fill(by("f-lost"), [["", "any"], ...index.stages.map((stage) => [stage, `not all ${stage}`]), ["none", "all of it used"]]);
  fill(by("t-run"), runs);
  fill(by("t-conversation"), conversations);
  Object.assign(view, chosenInAddress());
  for (const key of ["run", "conversation", "category", "outcome", "lost", "text"]) {
    const control = by("f-" + key);
    control.value = view[key];
    control.addEventListener("input", async () => {
      view[key] = control.value;
      putInAddress(view);
      await refill();
    });
  }
  for (const key of ["run", "conversation", "kind", "text"]) {
    const control = by("t-" + key);
    control.addEventListener("input", async () => {
      memoryView[key] = control.value;
      await showMemories();
    });
  }
  for (const form of document.querySelectorAll("form")) form.addEventListener("submit", (event) => event.preventDefault());
  by("list").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (!step || !shown.length) return;
    event.preventDefault();
    const place = shown.findIndex((question) => question[0] === view.question) + step;
    choose(shown[Math.min(Math.max(place, 0), shown.length - 1)][0]);
    by("list").querySelector(".chosen").scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("click", (event) => {
    const text = event.target.dataset && event.target.dataset.copy;
    if (text !== undefined) navigator.clipboard.writeText(text).then(() => (event.target.textContent = "copied"));
  });
  putBack();
  await refill();
  await showMemories();
  document.documentElement.dataset.ready = "yes";
}

start();
