"use strict";
// One question: what every system answered, where each evidence turn was lost, and what one system found.
const FATE_WORDS = [
  "was never ingested",
  "was ingested, but no candidate came from it",
  "was extracted from, but no live memory rests on it",
  "is held by a memory, but was not shown",
  "was shown, but the answer does not rest on it",
  "reached the answer",
  "was shown (the answerer cannot tell what it used)",
];
let latestQuestion = 0;

async function showQuestion() {
  const turn = ++latestQuestion; // a later choice overtakes one that is still being unpacked
  const question = index.questions.find((one) => one[0] === view.question);
  const list = by("list");
  for (const item of list.children) item.setAttribute("aria-selected", String(item.dataset.id === view.question));
  if (question) list.setAttribute("aria-activedescendant", "q-" + view.question);
  const chosen = list.querySelector("[aria-selected=true]");
  if (chosen) list.scrollTop = Math.min(chosen.offsetTop, Math.max(list.scrollTop, chosen.offsetTop + chosen.offsetHeight - list.clientHeight));
  const parts = question ? await partsOf(question) : [make("p", "No question fits these filters.")];
  if (turn === latestQuestion) by("detail").replaceChildren(...parts);
}

async function partsOf([id, conversation, category, text, gold, evidence]) {
  const turns = await turnsOf(conversation);
  const rows = [];
  for (const run of index.runs.keys()) for (const row of await answersOf(run, conversation)) if (row[0] === id) rows.push([run, row]);
  const found = rows.filter(([run]) => String(run) === view.run).map(([, row]) => row);
  const own = found[0];
  const parts = [make("h3", text), facts([["gold", gold === null ? "none: it cannot be answered" : gold], ["category", categoryName(category)], ["question", `${id} in ${index.conversations[conversation]}`]])];
  if (own) {
    const memories = await memoriesOf(view.run, conversation);
    parts.push(...evidenceOf(own, evidence, memories, turns), sideBySide(rows), ...hitsOf(own, conversation, evidence, memories, turns));
  }
  return parts;
}

function facts(pairs) {
  const list = make("dl");
  for (const [name, value] of pairs) list.append(make("dt", name), make("dd", value));
  return list;
}

function evidenceOf(own, evidence, memories, turns) {
  const name = index.runs[view.run];
  const [numbers, , ranks] = own[10];
  const list = make("ul", null, "evidence-turns");
  for (const [place, id] of evidence.entries()) {
    const fate = own[6] ? own[6][place] : null;
    const item = make("li", null, fate === null ? "" : "fate-" + fate);
    const at = numbers.findIndex((number) => memories[number][2].includes(id));
    const rank = at < 0 ? "in no ranked memory" : `best rank ${ranks[at]}; ${own[8]} fitted`;
    item.append(turnLine(turns, id), make("strong", fate === null ? "not known: the search failed" : `With ${name} it ${FATE_WORDS[fate]}${fate === 3 ? `: ${rank}` : ""}.`));
    list.append(item);
  }
  return evidence.length ? [make("h4", "Evidence, and where it was lost"), list] : [];
}

function fateWords(fates) {
  if (!fates) return "-";
  const counts = new Map();
  for (const fate of fates) counts.set(fate, (counts.get(fate) || 0) + 1);
  return [...counts].map(([fate, count]) => `${fates.length > 1 ? count + " " : ""}${FATES[fate]}`).join(", ");
}

function verdictWords([rubric, correct, probability, reason]) {
  const said = correct === null ? `unscored (${reason})` : correct ? "correct" : "wrong";
  return `${rubric}: ${said}${probability === null ? "" : ` (${probability.toFixed(2)})`}`;
}

function sideBySide(rows) {
  const table = make("table", null, "words systems");
  const head = make("tr");
  const judged = rows.some(([, row]) => row[5].length);
  for (const word of ["system", "answer", "F1", ...(judged ? ["verdicts"] : []), "evidence", "context tokens"]) head.append(make("th", word));
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  for (const [run, row] of rows) {
    const line = make("tr", null, String(run) === view.run ? "chosen" : "");
    const button = make("button", `${index.runs[run]}${row[1] > 1 ? `, attempt ${row[1]}` : ""}`);
    button.type = "button";
    button.addEventListener("click", () => chooseRun(run));
    const name = make("td");
    name.append(button);
    const best = row[6] && row[6].every((fate) => fate > index.stages.indexOf("retrieved"));
    const right = row[4] === null ? "" : row[4] >= index.right ? "right" : "wrong";
    line.append(name, make("td", row[2] === null ? row[3] : `(failed: ${row[2]})`), make("td", row[4] === null ? "-" : row[4].toFixed(2), `number ${right}`));
    if (judged) line.append(make("td", row[5].map(verdictWords).join("; ")));
    line.append(make("td", fateWords(row[6]), row[6] && row[6].length ? (best ? "right" : "wrong") : ""), make("td", row[7] === null ? "-" : row[7].toLocaleString("en"), "number"));
    body.append(line);
  }
  table.append(top, body);
  const scroll = make("div", null, "scroll");
  scroll.append(table);
  const own = make("div");
  own.append(make("h4", "Every system on this question"), scroll);
  return own;
}

async function chooseRun(run) {
  view.run = String(run);
  show("q");
  putInAddress("q");
  const kept = view.question;
  await refill();
  if (view.question !== kept) {
    // The filters do not fit the other system: the question that is looked at stays, they go.
    Object.assign(view, { outcome: "", lost: "", versus: "", question: kept });
    show("q");
    putInAddress("q");
    await refill();
  }
}

function hitsOf(own, conversation, evidence, memories, turns) {
  const [, , , , , , , , shownCount, all, [numbers, scores, ranks], used] = own;
  const list = make("ol", null, "hits");
  for (const [place, number] of numbers.entries()) {
    const [id, text, sources] = memories[number];
    const carried = sources.filter((turn) => evidence.includes(turn));
    const notes = [`rank ${ranks[place]}`, `score ${scores[place]}`, ranks[place] <= shownCount ? "shown" : "not shown: beyond the budget", carried.length ? "holds evidence" : "", used.includes(number) ? "the answer rests on it" : ""];
    const item = make("li", null, carried.length ? "carries" : "");
    const small = make("small", notes.filter(Boolean).join(" · ") + " · ");
    small.append(link(`history of ${id}`, address("m", { run: view.run, conversation, kind: "all", text: id })));
    item.append(make("span", text, "memory"), small, sourcesOf(sources, carried, turns));
    list.append(item);
  }
  const beyond = all > numbers.length ? ` Listed: the first ${index.most}, and all that hold evidence.` : "";
  const told = `${counted(all, "memory", "memories")} ranked, ${shownCount.toLocaleString("en")} shown to the answerer.${beyond}`;
  return [make("h4", `What ${index.runs[view.run]} found`), make("p", told, "note"), list];
}

function sourcesOf(sources, carried, turns) {
  const own = make("details");
  own.open = carried.length > 0;
  own.append(make("summary", `from ${sources.length > 6 ? `${sources.length} turns, ${sources[0]} to ${sources.at(-1)}` : sources.join(", ")}`));
  for (const turn of own.open ? carried : sources) own.append(turnLine(turns, turn));
  return own;
}
