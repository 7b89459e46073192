"use strict";
// The failure browser's list: the questions of one system that fit the filters.
let shown = [];
const RIGHT = () => `F1 at least ${index.right}`;
const OUTCOMES = () => [["", "any"], ["right", RIGHT()], ["wrong", `F1 below ${index.right}`], ["judged right", "judged correct"], ["judged wrong", "judged wrong"], ["failed", "failed: no answer"]];
// A fate is the place of the first stage that a turn did not reach; the last two are those that reached all.
const FATES = ["not ingested", "not extracted", "did not survive", "extracted, not retrieved", "retrieved, not used", "used", "shown"];
const LOST = () => [["", "any"], ["lost", "lost somewhere"], ...index.stages.map((stage, place) => [stage, FATES[place]]), ["kept", "all of it shown"]];

function outcomeOf(run, place) {
  return index.outcomes[run][place];
}

function outcomeFits([failed, f1, judged]) {
  switch (view.outcome) {
    case "": return true;
    case "failed": return failed === 1;
    case "right": return f1 !== null && f1 >= index.right;
    case "wrong": return f1 !== null && f1 < index.right;
    case "judged right": return judged === 1;
    default: return judged === 0;
  }
}

function lostFits(fates) {
  const used = index.stages.indexOf("used");
  switch (view.lost) {
    case "": return true;
    case "lost": return [...fates].some((fate) => Number(fate) < used);
    case "kept": return fates !== "" && [...fates].every((fate) => Number(fate) >= used);
    default: return fates.includes(String(index.stages.indexOf(view.lost)));
  }
}

function gotThrough(fates) {
  return fates === "" ? null : [...fates].filter((fate) => Number(fate) > index.stages.indexOf("retrieved")).length;
}

function versusFits(own, place) {
  // Compares with another system on the same question: its answer, or how much of the evidence it shows.
  if (view.versus === "") return true;
  const [kind, run] = view.versus.split(" ");
  const other = outcomeOf(run, place);
  if (!other) return false;
  const [mine, theirs] = kind === "answer" ? [own[1], other[1]] : [gotThrough(own[3]), gotThrough(other[3])];
  return mine !== null && theirs !== null && theirs > mine;
}

async function textsOf(run) {
  const texts = new Map();
  for (const conversation of index.conversations.keys())
    for (const row of await answersOf(run, conversation)) texts.set(row[0], (texts.get(row[0]) || "") + " " + (row[3] || ""));
  return texts;
}

function categoryFits(category) {
  return view.category === "" || String(category) === view.category || (view.category === "1-4" && category < 5);
}

async function refill() {
  const wanted = view.text.toLowerCase();
  const texts = wanted ? await textsOf(view.run) : new Map();
  const run = view.run;
  shown = index.questions.filter(([id, conversation, category, text, gold], place) => {
    const own = outcomeOf(run, place);
    return (
      own &&
      (view.conversation === "" || String(conversation) === view.conversation) &&
      categoryFits(category) &&
      outcomeFits(own) &&
      lostFits(own[3]) &&
      versusFits(own, place) &&
      (wanted === "" || id.toLowerCase() === wanted || `${text} ${gold === null ? "" : gold} ${texts.get(id) || ""}`.toLowerCase().includes(wanted))
    );
  });
  if (!shown.some((question) => question[0] === view.question)) view.question = shown.length ? shown[0][0] : "";
  fillList();
  const all = index.outcomes[run].filter(Boolean).length;
  by("count").textContent = `${shown.length.toLocaleString("en")} of ${counted(all, "question", "questions")}, as ${index.runs[run]} answered them`;
  await showQuestion();
}

function fillList() {
  const places = new Map(index.questions.map((question, place) => [question[0], place]));
  const items = shown.map(([id, , category, text]) => {
    const [failed, f1] = outcomeOf(view.run, places.get(id));
    const item = make("li", text);
    item.id = "q-" + id;
    item.dataset.id = id;
    item.setAttribute("role", "option");
    item.append(make("small", `${id} · category ${category}${failed ? " · failed" : f1 === null ? "" : ` · F1 ${f1.toFixed(2)}`}`));
    return item;
  });
  by("list").replaceChildren(...items);
}

async function choose(id) {
  view.question = id;
  putInAddress("q");
  await showQuestion();
}

function step(distance) {
  if (!shown.length) return;
  const place = shown.findIndex((question) => question[0] === view.question) + distance;
  choose(shown[Math.min(Math.max(place, 0), shown.length - 1)][0]);
}
