"use strict";
// The data of the page, unpacked block by block when it is looked at. Everything from the data is written as text.
const blocks = new Map();
let index = null;

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

async function answersOf(run, conversation) {
  return (await unpacked(`answers-${run}-${conversation}`)) || [];
}

async function memoriesOf(run, conversation) {
  // Runs that hold the same memories share their block.
  const name = index.memories[run] && index.memories[run][conversation];
  return (name && (await unpacked(name))) || [];
}

async function turnsOf(conversation) {
  return new Map(((await unpacked(`turns-${conversation}`)) || []).map((turn) => [turn[0], turn]));
}

function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function link(text, href) {
  const element = make("a", text);
  element.href = href;
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

function counted(number, one, many) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function categoryName(number) {
  const names = Object.values(index.categories).map((own) => own[number - 1]);
  return `${number} ${names[0] || ""} (${names[1] || ""})`;
}

function turnLine(turns, id) {
  const turn = turns.get(id);
  return make("span", turn ? `${id} · ${turn[1]}, ${turn[3]}: ${turn[2]}${turn[4] ? ` [image: ${turn[4]}]` : ""}` : id, "turn");
}
