"use strict";
// The memories of one system and conversation in the order of their making, each with its turns and its story.
const MOST_SHOWN = 400;
const memoryView = { run: "0", conversation: "0", kind: "changed", text: "" };

async function showMemories() {
  const block = await unpacked(`run-${memoryView.run}-${memoryView.conversation}`);
  const turns = await unpacked(`turns-${memoryView.conversation}`);
  const wanted = memoryView.text.toLowerCase();
  const memories = block ? block.memories : [];
  const found = memories.filter(
    ([id, text, , , retired, earlier, story]) =>
      (memoryView.kind === "all" || (memoryView.kind === "retired" ? retired : retired || earlier.length || story.length)) &&
      (wanted === "" || id.toLowerCase() === wanted || [text, ...earlier.map((one) => one[0])].join(" ").toLowerCase().includes(wanted)),
  );
  const list = by("t-list");
  list.replaceChildren();
  for (const memory of found.slice(0, MOST_SHOWN)) list.append(memoryItem(memory, turns));
  const retired = memories.filter((one) => one[4]).length;
  const more = found.length > MOST_SHOWN ? `, the first ${MOST_SHOWN} are listed` : "";
  by("t-count").textContent = `${found.length.toLocaleString("en")} of ${memories.length.toLocaleString("en")} memories (${retired.toLocaleString("en")} retired)${more}`;
}

function memoryItem([id, text, sources, created, retired, earlier, story], turns) {
  const item = make("li", null, retired ? "retired" : "");
  item.append(make("strong", text), make("br"), make("small", `${id} · made ${created}${retired ? ` · retired ${retired}` : ""}`));
  for (const [old, time] of earlier) item.append(make("span", `before (${time}): ${old}`, "turn"));
  for (const [operation, where, fact] of story) item.append(make("span", `${operation.toUpperCase()} by ${where}: ${fact}`, "turn"));
  for (const turn of sources) item.append(turnLine(turns, turn));
  return item;
}

async function showMemory(run, conversation, id) {
  Object.assign(memoryView, { run: String(run), conversation: String(conversation), kind: "all", text: id });
  putBack();
  await showMemories();
}

function putBack() {
  for (const key of ["run", "conversation", "kind", "text"]) by("t-" + key).value = memoryView[key];
}
