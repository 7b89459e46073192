"use strict";
// The memories of one system and conversation in the order of their making, each with its turns and its story.
const MOST_SHOWN = 400;
const DID = { update: "updated", delete: "retired", noop: "said again", add: "added" };
let latestMemories = 0;

async function showMemories() {
  const turn = ++latestMemories;
  const { run, conversation, kind } = memoryView;
  const memories = await memoriesOf(run, conversation);
  const turns = await turnsOf(conversation);
  if (turn !== latestMemories) return;
  const wanted = memoryView.text.toLowerCase();
  const named = memories.some(([id]) => id.toLowerCase() === wanted);
  const found = memories.filter(
    ([id, text, sources, , retired, earlier, story]) =>
      (kind === "all" || (kind === "retired" ? retired : retired || earlier.length || story.length)) &&
      (wanted === "" || (named ? id.toLowerCase() === wanted : [text, ...sources, ...earlier.map((one) => one[0])].join(" ").toLowerCase().includes(wanted))),
  );
  const items = [];
  let day = null;
  for (const memory of found.slice(0, MOST_SHOWN)) {
    if (memory[3] !== day) items.push(make("li", (day = memory[3]), "day"));
    items.push(memoryItem(memory, turns));
  }
  by("t-list").replaceChildren(...items);
  const retired = memories.filter((one) => one[4]).length;
  const changed = memories.filter((one) => one[4] || one[5].length || one[6].length).length;
  const more = found.length > MOST_SHOWN ? ` The first ${MOST_SHOWN} are listed: filter by text for the others.` : "";
  by("t-count").textContent = `${found.length.toLocaleString("en")} of ${counted(memories.length, "memory", "memories")} of ${index.runs[run]} on ${index.conversations[conversation]}; ${changed.toLocaleString("en")} changed or confirmed, ${retired.toLocaleString("en")} of them retired.${more}`;
}

function memoryItem([id, text, sources, created, retired, earlier, story], turns) {
  const item = make("li", null, retired ? "retired" : "");
  item.append(make("span", text, "memory"), make("small", `${id} · made ${created}${retired ? ` · retired ${retired}` : ""}`));
  for (const [old, time] of earlier) item.append(make("span", `until changed, from ${time}: ${old}`, "turn earlier"));
  for (const [operation, where, fact] of story) {
    const line = make("span", null, "turn story " + operation);
    line.append(make("b", DID[operation] || operation), ` because of ${where}: ${fact}`);
    item.append(line);
  }
  const from = make("details");
  from.open = sources.length < 4;
  from.append(make("summary", `from ${sources.length > 6 ? `${sources.length} turns, ${sources[0]} to ${sources.at(-1)}` : sources.join(", ")}`));
  for (const turn of sources) from.append(turnLine(turns, turn));
  item.append(from);
  return item;
}
