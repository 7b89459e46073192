"use strict";
// What the reader does, and the part of the address after #, which holds it: a link shows others the same view.
const usual = () => Math.max(0, store.levels.findLastIndex((level) => level.length <= 60));

function controls() {
  byId("shown").replaceChildren(...store.levels.map((level, number) => {
    const all = level.length === store.nodes.length;
    return el("option", { value: number }, all ? `all ${level.length}` : `first ${level.length}`);
  }));
  byId("shown").value = view.level;
  byId("time").max = Math.max(store.stops.length - 1, 0);
  byId("time").value = view.time;
  byId("store").value = view.store;
  byId("past").checked = view.past;
  byId("labels").checked = view.labels;
  if (byId("search").value.trim() !== view.search) byId("search").value = view.search;
}

// Draws all anew; returns whether the nodes had to move.
function update() {
  controls();
  draw();
  const moved = place();
  legend();
  side();
  words();
  write();
  return moved;
}

// Shows a node or an edge, or what a search finds; what is not drawn is drawn among its neighbours.
function choose(asked, { stay = false } = {}) {
  const { node = null, edge = null, search = view.search, around = view.around } = asked;
  Object.assign(view, { node, edge, search });
  const ends = node !== null ? [node] : edge !== null ? [edgeOf(edge).source, edgeOf(edge).target] : [];
  const since = edge === null ? ends.map((one) => nodes.get(one).since) : [edgeOf(edge).since];
  view.time = Math.max(view.time, ...since);
  view.around = around;
  const shown = chosenNodes();
  if (ends.some((one) => !shown.has(one))) view.around = ends[0];
  const moved = update();
  if (!stay && !(moved && view.around !== null)) bring();
}

const edgeOf = (id) => store.edges.find((one) => one.id === id);

// Brings into sight what was asked for; all that is drawn when nothing was.
function bring() {
  const ringed = cy.elements(".ringed");
  if (ringed.empty()) show(cy.elements().not(".away"));
  else if (view.node !== null) show(cy.elements(".lit"), 0.5, ringed);
  else show(ringed.nodes().empty() ? ringed.connectedNodes() : cy.nodes(".lit"));
}

function hide(group) {
  if (!view.hidden.delete(group)) view.hidden.add(group);
  update();
}

function at(time) {
  view.time = Math.max(0, Math.min(time, store.stops.length - 1));
  const gone = (number) => number !== null && nodes.get(number).since > view.time;
  if (gone(view.node)) view.node = null;
  if (gone(view.around)) view.around = null;
  update();
}

function write() {
  const said = new URLSearchParams();
  const last = store.stops.length - 1;
  if (view.store) said.set("store", store.owner ?? view.store);
  if (view.level !== usual()) said.set("shown", store.levels[view.level].length);
  if (view.time !== last && last >= 0) said.set("time", store.stops[view.time].slice(0, 16));
  for (const name of ["search", "node", "edge", "around"]) if (view[name] !== null && view[name] !== "") said.set(name, view[name]);
  for (const name of ["past", "labels"]) if (!view[name]) said.set(name, "0");
  if (view.hidden.size) said.set("hide", [...view.hidden].map((group) => data.kinds[group]).join(","));
  history.replaceState(null, "", `#${said}`);
}

function read() {
  const said = new URLSearchParams(location.hash.slice(1));
  const named = data.stores.findIndex((one) => one.owner !== null && one.owner === said.get("store"));
  const chosen = Math.max(named, 0);
  if (chosen !== view.store || store === undefined) {
    view.store = chosen;
    load();
  }
  const level = store.levels.findIndex((one) => one.length >= Number(said.get("shown")));
  view.level = !said.has("shown") ? usual() : level < 0 ? store.levels.length - 1 : level;
  const time = said.get("time");
  const stop = time ? store.stops.findLastIndex((one) => one.slice(0, time.length) <= time) : store.stops.length - 1;
  view.time = Math.max(stop, 0);
  const number = (name) => (nodes.has(Number(said.get(name) ?? NaN)) ? Number(said.get(name)) : null);
  const edge = store.edges.some((one) => one.id === said.get("edge")) ? said.get("edge") : null;
  const names = (said.get("hide") ?? "").split(",");
  view.hidden = new Set(data.kinds.flatMap((kind, group) => (names.includes(kind) ? [group] : [])));
  view.past = said.get("past") !== "0";
  view.labels = said.get("labels") !== "0";
  view.search = said.get("search") ?? "";
  Object.assign(view, { around: number("around"), node: null, edge: null });
  const node = number("node");
  update();
  if (node !== null || edge !== null || view.search) choose({ node, edge: node === null ? edge : null });
}

function listen() {
  const on = (id, event, act) => byId(id).addEventListener(event, act);
  on("store", "change", () => {
    location.hash = new URLSearchParams({ store: data.stores[Number(byId("store").value)].owner });
  });
  on("shown", "change", () => {
    Object.assign(view, { level: Number(byId("shown").value), around: null });
    update();
  });
  on("past", "change", () => { view.past = byId("past").checked; update(); });
  on("labels", "change", () => { view.labels = byId("labels").checked; update(); });
  on("time", "input", () => at(Number(byId("time").value)));
  on("back", "click", () => at(view.time - 1));
  on("on", "click", () => at(view.time + 1));
  on("search", "input", () => choose({ search: byId("search").value.trim() }));
  on("fit", "click", () => show(cy.elements().not(".away")));
  on("overview", "click", () => { view.around = null; update(); });
  cy.on("tap", "node", (event) => choose({ node: Number(event.target.id().slice(1)) }, { stay: true }));
  cy.on("tap", "edge", (event) => choose({ edge: event.target.id().slice(1) }, { stay: true }));
  cy.on("tap", (event) => { if (event.target === cy) choose({}, { stay: true }); });
  cy.on("mouseover", "edge", (event) => tip(edgeOf(event.target.id().slice(1)), event.renderedPosition));
  cy.on("mouseout pan zoom", () => { byId("tip").hidden = true; });
  addEventListener("hashchange", read);
}

byId("title").append(data.conversation, el("small", {}, `${data.run} ${data.key}`));
byId("stores").hidden = data.stores.length < 2;
byId("store").append(...data.stores.map((one, number) => el("option", { value: number }, one.owner ?? "both")));
cy.style(style());
listen();
read();
document.documentElement.dataset.ready = "yes";
