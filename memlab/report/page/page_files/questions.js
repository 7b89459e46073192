"use strict";
// The failure browser: questions of one system, filtered; and one question with all that was found for it.
const RIGHT = 0.5; // F1 from which an answer counts as right here
let index = null;
let shown = [];
const view = { run: "0", conversation: "0", category: "", outcome: "", lost: "", text: "", question: "" };

const OUTCOMES = [["", "any"], ["right", "F1 at least 0.5"], ["wrong", "F1 below 0.5"], ["failed", "failed"], ["judged right", "judged correct"], ["judged wrong", "judged wrong"]];

function lostAt(stages) {
  // The first stage that lacks a part of the evidence; "" where nothing is known of it, "none" where all was used.
  if (stages.slice(0, 4).some((value) => value === null)) return "";
  const place = stages.findIndex((value) => value !== null && value < 1);
  return place < 0 ? "none" : index.stages[place];
}

function outcomeFits(answer) {
  const [, , status, , f1, verdicts] = answer;
  switch (view.outcome) {
    case "": return true;
    case "failed": return status !== "answered";
    case "right": return f1 !== null && f1 >= RIGHT;
    case "wrong": return f1 !== null && f1 < RIGHT;
    case "judged right": return verdicts.some((one) => one.includes(": correct"));
    default: return verdicts.some((one) => one.includes(": wrong"));
  }
}

async function answersOf(run, conversation) {
  const block = await unpacked(`run-${run}-${conversation}`);
  return block ? block.answers : [];
}

async function refill() {
  const wanted = view.text.toLowerCase();
  const conversations = view.conversation === "" ? index.conversations.map((_, place) => place) : [Number(view.conversation)];
  const found = new Map();
  for (const conversation of conversations)
    for (const answer of await answersOf(view.run, conversation)) if (answer[1] === 1) found.set(answer[0], answer);
  shown = index.questions.filter((question) => {
    const answer = found.get(question[0]);
    return (
      answer &&
      (view.category === "" || String(question[2]) === view.category) &&
      outcomeFits(answer) &&
      (view.lost === "" || lostAt(answer[6]) === view.lost) &&
      (wanted === "" || `${question[3]} ${question[4]} ${answer[3]}`.toLowerCase().includes(wanted))
    );
  });
  const list = by("list");
  list.replaceChildren();
  for (const question of shown) {
    const answer = found.get(question[0]);
    const item = make("li", question[3]);
    item.dataset.id = question[0];
    const f1 = answer[4] === null ? "" : `, F1 ${answer[4].toFixed(2)}`;
    item.append(make("br"), make("small", `${question[0]}, category ${question[2]}${f1}`));
    item.addEventListener("click", () => choose(question[0]));
    list.append(item);
  }
  by("count").textContent = `${shown.length.toLocaleString("en")} of ${index.questions.length.toLocaleString("en")} questions, as ${index.runs[view.run]} answered them`;
  if (!shown.some((question) => question[0] === view.question)) view.question = shown.length ? shown[0][0] : "";
  await showQuestion();
}

async function choose(id) {
  view.question = id;
  putInAddress(view);
  await showQuestion();
}

async function showQuestion() {
  for (const item of by("list").children) item.classList.toggle("chosen", item.dataset.id === view.question);
  const detail = by("detail");
  const question = index.questions.find((one) => one[0] === view.question);
  if (!question) return detail.replaceChildren(make("p", "No question fits these filters."));
  const [id, conversation, category, text, gold, evidence] = question;
  const turns = await unpacked(`turns-${conversation}`);
  const parts = [make("h3", text), facts([["gold", gold === null ? "none: it cannot be answered" : gold], ["category", `${category} ${index.categories.locomo[category - 1]} (${index.categories.paper[category - 1]})`], ["id", id]])];
  if (evidence.length) {
    parts.push(make("strong", "Evidence"));
    for (const turn of evidence) parts.push(turnLine(turns, turn));
  }
  const table = make("table");
  const head = make("tr");
  for (const word of ["system", "answer", "F1", ...index.stages, "verdicts"]) head.append(make("th", word));
  table.append(head);
  let own = null;
  for (let run = 0; run < index.runs.length; run++) {
    const answer = (await answersOf(run, conversation)).find((one) => one[0] === id && one[1] === 1);
    if (!answer) continue;
    if (String(run) === view.run) own = answer;
    const row = make("tr");
    const said = make("td", answer[2] === "answered" ? answer[3] : `(${answer[2]})`);
    said.style.whiteSpace = "normal";
    said.style.textAlign = "left";
    row.append(make("td", index.runs[run]), said, make("td", answer[4] === null ? "-" : answer[4].toFixed(2), answer[4] >= RIGHT ? "right" : "wrong"));
    for (const value of answer[6]) row.append(make("td", value === null ? "-" : value.toFixed(2), value !== null && value < 1 ? "lost" : "reached"));
    row.append(make("td", answer[5].join("; ")));
    table.append(row);
  }
  const scroll = make("div", null, "scroll");
  scroll.append(table);
  parts.push(make("h3", "Every system on this question"), make("p", "Stages: the share of the evidence turns that got so far.", "note"), scroll);
  if (own) parts.push(...(await hitsOf(own, conversation, evidence, turns)));
  detail.replaceChildren(...parts);
}

async function hitsOf(answer, conversation, evidence, turns) {
  const { memories } = await unpacked(`run-${view.run}-${conversation}`);
  const [, , , , , , , shownCount, all, hits, used] = answer;
  const list = make("ol", null, "hits");
  for (const [number, score, rank, carries] of hits) {
    const [id, text, sources] = memories[number];
    const item = make("li", null, carries ? "evidence" : "");
    const notes = [`#${rank}`, `score ${score}`, rank <= shownCount ? "shown" : "not shown: beyond the budget", carries ? "holds evidence" : "", used.includes(number) ? "the answer rests on it" : ""];
    item.append(make("span", text), make("br"), make("small", notes.filter(Boolean).join(" · ") + " · "));
    const link = make("a", id);
    link.href = "#timeline";
    link.addEventListener("click", () => showMemory(view.run, conversation, id));
    item.lastChild.append(link);
    for (const turn of sources) if (turns && (carries ? evidence.includes(turn) : sources.length < 4)) item.append(turnLine(turns, turn));
    list.append(item);
  }
  const listed = `${all.toLocaleString("en")} memories were ranked, ${shownCount.toLocaleString("en")} shown to the answerer. Listed: the first ${index.most}, and all that hold evidence.`;
  return [make("h3", `What ${index.runs[view.run]} found`), make("p", listed, "note"), list];
}

function facts(pairs) {
  const list = make("dl");
  for (const [name, value] of pairs) list.append(make("dt", name), make("dd", value));
  return list;
}
