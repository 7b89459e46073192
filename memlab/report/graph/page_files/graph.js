"use strict";
// What is drawn, and how. `view` is all that a reader has chosen; the other scripts change it and call draw() or mark().
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const view = {
  store: 0, level: 0, time: 0, past: true, labels: true, search: "", node: null, edge: null, around: null,
  hidden: new Set(),
};
// Of more relations than these each is drawn thinner.
const CROWD = 25;
// What is found is drawn with its relations, unless there is more of it.
const FEW = 10;
const MAJOR = 10;
let store, nodes, edgesOf, rankOf;

const short = (text, most) => {
  const line = text.replace(/\s+/g, " ").trim() || "(no name)";
  return line.length > most ? line.slice(0, most - 1) + "…" : line;
};
const ended = (edge) => edge.until !== null && edge.until <= view.time;
const there = (edge) => edge.since <= view.time && (view.past || !ended(edge));
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const cy = cytoscape({
  container: byId("graph"), minZoom: 0.05, maxZoom: 4, boxSelectionEnabled: false,
  autounselectify: true,
});

function style() {
  const text = colour("--text"), back = colour("--back");
  const colours = data.kinds.map((_, group) => colour(`--c${group}`));
  const near = (node) => Math.max(node.data("letters"), 11 / cy.zoom());
  const named = { "font-family": "system-ui, sans-serif", "text-outline-color": back, color: text };
  return [
    { selector: "node", style: {
      ...named, label: "data(label)", width: "data(size)", height: "data(size)", "font-size": "data(letters)",
      "background-color": (node) => colours[node.data("group")], "text-valign": "bottom", "text-margin-y": 3,
      "text-outline-width": 2, "min-zoomed-font-size": 6.5, "border-width": 0,
    } },
    { selector: "edge", style: {
      ...named, width: 1.3, "curve-style": "bezier", "control-point-step-size": 34, "arrow-scale": 0.8,
      "line-color": colour("--edge"), "target-arrow-color": colour("--edge"), "target-arrow-shape": "triangle",
      opacity: 0.6, "font-size": () => nameSize(), "source-text-rotation": "autorotate",
      "text-outline-width": 2.5, "min-zoomed-font-size": 5,
    } },
    { selector: "edge.named", style: { "source-label": "data(label)", "source-text-offset": "data(offset)" } },
    { selector: ".ended", style: {
      "line-style": "dashed", "line-color": colour("--ended"), "target-arrow-color": colour("--ended"),
    } },
    { selector: ".away", style: { display: "none" } },
    { selector: "node.dim", style: { opacity: 0.13 } },
    { selector: "edge.dim", style: { opacity: 0.07, "source-label": "" } },
    { selector: "edge.lit", style: { opacity: 1, width: 2, color: text, "z-index": 5 } },
    { selector: "edge.lit.crowded", style: { width: 1.2, opacity: 0.8 } },
    { selector: "node.lit", style: { "min-zoomed-font-size": 4, "z-index": 6 } },
    { selector: "node.ringed", style: { "border-width": 4, "border-color": colour("--accent"), "z-index": 9 } },
    // Readable however far away.
    { selector: "node.major, node.ringed, node.read", style: { "font-size": near, "text-outline-width": 3 } },
    { selector: "edge.ringed", style: { "line-color": colour("--accent"), "target-arrow-color": colour("--accent") } },
  ];
}

function load() {
  store = data.stores[view.store];
  nodes = new Map(store.nodes.map((node) => [node.number, node]));
  rankOf = new Map(store.nodes.map((node, rank) => [node.number, rank]));
  edgesOf = new Map(store.nodes.map((node) => [node.number, []]));
  for (const edge of store.edges) {
    edgesOf.get(edge.source).push(edge);
    if (edge.target !== edge.source) edgesOf.get(edge.target).push(edge);
  }
  cy.elements().remove();
  cy.add(store.nodes.map((node, rank) => ({
    group: "nodes", classes: rank < MAJOR ? "major" : "",
    data: { id: `n${node.number}`, label: short(node.names[0], 22), group: node.group, size: node.size, letters: node.letters },
  })));
  cy.add(store.edges.map((edge) => ({
    group: "edges",
    data: { id: `e${edge.id}`, source: `n${edge.source}`, target: `n${edge.target}`, label: short(edge.relation.replaceAll("_", " "), 30) },
  })));
}

// Returns which of the levels is drawn: the reader's, or the first one above that holds all that a search found.
function level() {
  if (!view.search) return view.level;
  const found = [...matchingNodes().map((node) => node.number), ...matchingEdges().flatMap((edge) => [edge.source, edge.target])];
  const most = found.reduce((last, number) => Math.max(last, rankOf.get(number)), 0);
  const enough = store.levels.findIndex((one) => one.length > most);
  return Math.max(view.level, enough < 0 ? store.levels.length - 1 : enough);
}

// Returns the numbers of the nodes that may be drawn: those with most edges, or one and its neighbours. Those that
// have no relation to another of them at the chosen time would stand alone: left out, unless they were searched for.
function chosenNodes() {
  if (view.around === null) {
    const first = store.nodes.slice(0, store.levels[level()].length);
    const chosen = new Set(first.map((node) => node.number));
    const found = new Set(view.search ? matchingNodes() : []);
    const alone = (node) => {
      const edges = edgesOf.get(node.number);
      return edges.length > 0 && !edges.some((edge) => edge.since <= view.time && chosen.has(edge.source) && chosen.has(edge.target));
    };
    return new Set(first.filter((node) => found.has(node) || !alone(node)).map((node) => node.number));
  }
  const near = edgesOf.get(view.around).filter(there).flatMap((edge) => [edge.source, edge.target]);
  return new Set([view.around, ...near]);
}

function draw() {
  const chosen = chosenNodes();
  const drawn = new Set(
    store.nodes.filter((node) => chosen.has(node.number) && node.since <= view.time && !view.hidden.has(node.group))
      .map((node) => node.number));
  cy.batch(() => {
    for (const node of store.nodes) cy.getElementById(`n${node.number}`).toggleClass("away", !drawn.has(node.number));
    for (const edge of store.edges) {
      const visible = there(edge) && drawn.has(edge.source) && drawn.has(edge.target);
      cy.getElementById(`e${edge.id}`).toggleClass("away", !visible).toggleClass("ended", ended(edge));
    }
  });
  mark();
}

let placed = null;

// Moves all nodes to their places, unless they are there; returns whether it did.
function place() {
  const wanted = view.around === null ? `${view.store} level ${level()}` : `${view.store} around ${view.around}`;
  if (wanted === placed) return false;
  placed = wanted;
  const at = store.levels[level()];
  const places = view.around === null ? new Map(store.nodes.map((node, rank) => [node.number, at[rank]])) : rings();
  cy.batch(() => {
    for (const [number, at] of places) if (at) cy.getElementById(`n${number}`).position({ x: at[0], y: at[1] });
  });
  show(cy.elements().not(".away"));
  return true;
}

// Returns places around one node: all neighbours that it ever has on rings, those with most edges innermost.
function rings() {
  const places = new Map([[view.around, [0, 0]]]);
  const chosen = new Set(edgesOf.get(view.around).flatMap((edge) => [edge.source, edge.target]));
  const near = store.nodes.map((node) => node.number).filter((number) => chosen.has(number) && number !== view.around);
  const step = near.length > 12 ? 115 : 210;
  for (let ring = 1, done = 0; done < near.length; ring += 1) {
    const room = near.length > 12 ? 7 * ring : 12;
    const here = near.slice(done, done + room);
    here.forEach((number, place) => {
      const angle = (2 * Math.PI * (place + (ring % 2) / 2)) / here.length;
      places.set(number, [1.35 * ring * step * Math.cos(angle), ring * step * Math.sin(angle)]);
    });
    done += room;
  }
  return places;
}

function show(elements, least = 0, middle = elements) {
  if (elements.empty()) return;
  cy.fit(elements, 36);
  const fitting = cy.zoom();
  cy.zoom(Math.min(Math.max(fitting, least), 1.3));
  cy.center(fitting < least ? middle : elements);
}

const matches = (text) => text.toLowerCase().includes(view.search.toLowerCase());
const matchingNodes = () => store.nodes.filter((node) => node.names.some(matches));
const matchingEdges = () =>
  store.edges.filter((edge) => matches(edge.relation) || matches(edge.relation.replaceAll("_", " ")));

// Returns what the reader asked for, as far as it is drawn: the chosen node or edge, or what the search found.
function wanted() {
  let found = cy.collection();
  if (view.node !== null) found = cy.getElementById(`n${view.node}`);
  else if (view.edge !== null) found = cy.getElementById(`e${view.edge}`);
  else if (view.search) {
    for (const node of matchingNodes()) found = found.union(cy.getElementById(`n${node.number}`));
    for (const edge of matchingEdges()) found = found.union(cy.getElementById(`e${edge.id}`));
  }
  return found.not(".away");
}

function mark() {
  const ringed = wanted();
  const asked = !ringed.empty() || view.search !== "";
  let lit = ringed.union(ringed.connectedNodes());
  if (ringed.nodes().length <= FEW) lit = lit.union(ringed.nodes().neighborhood());
  lit = lit.not(".away");
  nameLater();
  cy.batch(() => {
    cy.elements().removeClass("dim lit ringed crowded read");
    if (!asked) return;
    cy.elements().addClass("dim");
    lit.removeClass("dim").addClass("lit");
    lit.edges().toggleClass("crowded", lit.edges().length > CROWD);
    lit.nodes().toggleClass("read", lit.nodes().length <= CROWD);
    ringed.addClass("ringed");
  });
}

cy.on("zoom", () => {
  cy.nodes(".ringed, .major, .read").updateStyle();
  nameLater();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => cy.style(style()));
