"use strict";
// The data of the page, unpacked block by block when it is looked at. Everything from the data is written as text.
const blocks = new Map();

async function unpacked(name) {
  if (!blocks.has(name)) blocks.set(name, read(name));
  return blocks.get(name);
}

async function read(name) {
  const element = document.getElementById("data-" + name);
  if (!element) return null;
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function fill(select, options) {
  for (const [value, text] of options) {
    const option = make("option", text);
    option.value = value;
    select.append(option);
  }
}

function by(id) {
  return document.getElementById(id);
}

// What a reader has chosen, in the page's address, so that a view can be passed on.
const KEYS = ["run", "conversation", "category", "outcome", "lost", "text", "question", "memory"];

function chosenInAddress() {
  const found = new URLSearchParams(location.hash.startsWith("#q?") ? location.hash.slice(3) : "");
  return Object.fromEntries(KEYS.filter((key) => found.has(key)).map((key) => [key, found.get(key)]));
}

function putInAddress(chosen) {
  const kept = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== "" && value !== null));
  history.replaceState(null, "", "#q?" + kept);
}

function turnLine(turns, id) {
  const turn = turns && turns.find((one) => one[0] === id);
  return make("span", turn ? `${id} · ${turn[1]}, ${turn[3]}: ${turn[2]}${turn[4] ? ` [image: ${turn[4]}]` : ""}` : id, "turn");
}
