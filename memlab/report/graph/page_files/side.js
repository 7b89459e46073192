"use strict";
// The panel at the side, the legend and the words at the foot. All that was said goes in as text, never as markup.
const MONTHS = "January February March April May June July August September October November December".split(" ");
const LISTED = 60;

function el(tag, given = {}, ...inside) {
  const element = document.createElement(tag);
  const { press, ...properties } = given;
  Object.assign(element, properties);
  if (press) element.addEventListener("click", press);
  element.append(...inside.filter((one) => one !== null));
  return element;
}

function day(iso) {
  const [, year, month, date, time] = iso.match(/^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d)/);
  return `${Number(date)} ${MONTHS[month - 1]} ${year}${time === "00:00" ? "" : `, ${time}`}`;
}

const dot = (group) => {
  const found = el("span", { className: "dot" });
  found.style.setProperty("--colour", `var(--c${group})`);
  return found;
};

function nodeLink(number) {
  const node = nodes.get(number);
  return el("button", { className: "link", press: () => choose({ node: number }) }, dot(node.group), short(node.names[0], 120));
}

// What is held begins when it was said, which need not be when it came true.
const interval = (edge) => `said on ${day(edge.from)}, ${edge.to === null ? "still held" : `ended on ${day(edge.to)}`}`;
const origin = (edge) => `by ${edge.speaker} in ${edge.sources.join(", ") || "no known turn"}`;

function edgeItem(edge, from) {
  const relation = el("button", { className: "link plain", press: () => choose({ edge: edge.id }) }, short(edge.relation.replaceAll("_", " "), 120));
  const line = el("div");
  if (from === undefined) line.append(nodeLink(edge.source), " ", relation, " ", nodeLink(edge.target));
  else if (from === edge.source) line.append(relation, " → ", nodeLink(edge.target));
  else line.append(nodeLink(edge.source), " → ", relation);
  if (edge.when) line.append(` (${short(edge.when, 80)})`);
  const state = edge.since > view.time ? "later" : ended(edge) ? "past" : "";
  const item = el("li", { className: state }, line, el("div", { className: "small" }, interval(edge)),
    el("div", { className: "small" }, origin(edge)));
  item.classList.toggle("on", edge.id === view.edge);
  return item;
}

function edgeList(title, edges, from) {
  return edges.length ? [el("h3", {}, `${title} (${edges.length})`), el("ul", {}, ...edges.map((edge) => edgeItem(edge, from)))] : [];
}

function list(pairs) {
  return el("dl", {}, ...pairs.filter(([, value]) => value).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

function nodePanel(node) {
  const edges = edgesOf.get(node.number);
  const at = (test) => edges.filter(test);
  return [
    el("h2", {}, dot(node.group), el("span", { className: "clamp" }, node.names[0])),
    list([["Type", node.kind], ["Also called", node.names.slice(1).join("; ")], ["First said", day(node.created)]]),
    view.around === node.number ? "" : el("button", { press: () => choose({ node: node.number, around: node.number }) }, "Draw only this and its neighbours"),
    ...edgeList("Held then", at((edge) => edge.since <= view.time && !ended(edge)), node.number),
    ...edgeList("Ended by then", at((edge) => edge.since <= view.time && ended(edge)), node.number),
    ...edgeList("Said later", at((edge) => edge.since > view.time), node.number),
  ];
}

function edgePanel(edge) {
  return [
    el("h2", {}, el("span", { className: "clamp" }, edge.text)),
    list([
      ["From", nodeLink(edge.source)], ["Relation", edge.relation], ["To", nodeLink(edge.target)],
      ["When", edge.when], ["Said on", day(edge.from)], ["Ended on", edge.to === null ? "still held" : day(edge.to)],
      ["Said by", edge.speaker], ["Turns", edge.sources.join(", ")], ["Memory", edge.id],
    ]),
  ];
}

// Returns how often each key comes, those that come most often first.
function counted(keys) {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Map([...counts].sort((a, b) => b[1] - a[1]));
}

const saidByThen = () => store.edges.filter((edge) => edge.since <= view.time);
// By the numbers of nodes: how many relations they had at the chosen time, ended ones included.
const degrees = () => counted(saidByThen().flatMap((edge) => [edge.source, edge.target]));

function startPanel() {
  const frequent = [...counted(saidByThen().map((edge) => edge.relation))].slice(0, 15);
  return [
    el("p", { className: "faint" }, "Click an entity or a relation to see all that is held of it. Dashed: ended by the chosen time. Zoom in to read more names."),
    el("h3", {}, "Entities with most relations"),
    el("ul", {}, ...[...degrees()].slice(0, 12).map(([number, count]) => el("li", {}, nodeLink(number), el("span", { className: "small" }, ` ${count}`)))),
    el("h3", {}, "Most frequent relations"),
    el("ul", {}, ...frequent.map(([name, count]) => el("li", {},
      el("button", { className: "link", press: () => choose({ search: name }) }, short(name.replaceAll("_", " "), 120)),
      el("span", { className: "small" }, ` ${count}`)))),
  ];
}

function foundPanel() {
  const names = matchingNodes(), relations = matchingEdges();
  const degree = degrees();
  const hint = (node) => {
    const state = node.since > view.time ? ", said later" : cy.getElementById(`n${node.number}`).hasClass("away") ? ", not drawn" : "";
    return ` ${degree.get(node.number) ?? 0}${state}`;
  };
  const more = (all) => (all.length > LISTED ? [el("p", { className: "small" }, `and ${all.length - LISTED} more`)] : []);
  return [
    el("h3", {}, `Entities (${names.length})`),
    el("ul", {}, ...names.slice(0, LISTED).map((node) => el("li", {}, nodeLink(node.number), el("span", { className: "small" }, hint(node))))),
    ...more(names),
    el("h3", {}, `Relations (${relations.length})`),
    el("ul", {}, ...relations.slice(0, LISTED).map((edge) => edgeItem(edge))),
    ...more(relations),
  ];
}

function side() {
  byId("found").hidden = !view.search;
  byId("found").replaceChildren(...(view.search ? foundPanel() : []));
  const edge = view.edge === null ? null : edgeOf(view.edge);
  const chosen = view.node !== null ? nodePanel(nodes.get(view.node)) : edge ? edgePanel(edge) : view.search ? [] : startPanel();
  byId("chosen").replaceChildren(...chosen);
  byId("chosen").scrollTop = 0;
  byId("chosen").hidden = chosen.length === 0;
}

function words() {
  const told = saidByThen();
  const drawn = cy.elements().not(".away");
  byId("now").textContent = store.stops.length ? "As of " + day(store.stops[view.time]) : "";
  byId("counts").textContent =
    `${drawn.nodes().length} of ${store.nodes.filter((node) => node.since <= view.time).length} entities, ` +
    `${drawn.edges().length} of ${told.length} relations drawn; ${told.filter(ended).length} ended`;
  byId("around").hidden = view.around === null;
  byId("around-name").textContent = view.around === null ? "" : `Around ${short(nodes.get(view.around).names[0], 30)}`;
}

function legend() {
  const counts = counted(store.nodes.filter((node) => node.since <= view.time).map((node) => node.group));
  byId("legend").replaceChildren(...data.kinds.map((kind, group) => {
    const chip = el("button", { className: "chip", title: "Show or hide this type", press: () => hide(group) },
      dot(group), `${short(kind, 30)} ${counts.get(group) ?? 0}`);
    chip.setAttribute("aria-pressed", String(!view.hidden.has(group)));
    return chip;
  }));
}

function tip(edge, at) {
  byId("tip").hidden = false;
  byId("tip").replaceChildren(el("div", {}, short(edge.text, 200)), el("div", { className: "small" }, interval(edge)),
    el("div", { className: "small" }, origin(edge)));
  byId("tip").style.left = `${Math.max(0, Math.min(at.x + 14, cy.width() - 330))}px`;
  byId("tip").style.top = `${Math.max(0, Math.min(at.y + 14, cy.height() - 100))}px`;
}
