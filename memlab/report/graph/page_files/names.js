"use strict";
// Which relations have their names drawn, and where on the line: so that a name covers neither an entity nor another name.
const CELL = 6;
// Of so few relations all names are drawn, come what may.
const ALWAYS = 12;
// Parts of the line at which a name may stand, best first.
const PARTS = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];
let naming = null;

// Names keep their size on the screen.
const nameSize = () => 10.5 / cy.zoom();

// Names are chosen anew when all else has come to rest.
function nameLater() {
  clearTimeout(naming);
  naming = setTimeout(chooseNames, 40);
}

function chooseNames() {
  const lit = cy.edges(".lit").not(".away");
  const asked = view.search !== "" || view.node !== null || view.edge !== null;
  const edges = asked ? lit.filter(".ringed").union(lit) : cy.edges().not(".away");
  const taken = new Set();
  cy.nodes().not(".away, .dim").forEach((node) => {
    for (const names of [true, false]) {
      cover(taken, node.renderedBoundingBox({ includeLabels: names, includeNodes: !names, includeOverlays: false }));
    }
  });
  const parts = new Map(view.labels ? edges.map((edge) => [edge, part(edge, taken)]) : []);
  cy.batch(() => {
    cy.edges(".named").removeClass("named");
    for (const [edge, { at, length }] of parts) {
      if (at !== undefined || edges.length <= ALWAYS) edge.data("offset", ((at ?? 0.5) * length) / cy.zoom()).addClass("named");
    }
  });
  cy.edges(".named").updateStyle();
}

const cell = (x, y) => `${Math.round(x / CELL)} ${Math.round(y / CELL)}`;

function cover(taken, box) {
  for (let x = box.x1; x <= box.x2; x += CELL) for (let y = box.y1; y <= box.y2; y += CELL) taken.add(cell(x, y));
}

// Returns at which part of an edge there is room for its name, which is then taken, and how long the edge is.
function part(edge, taken) {
  const [from, middle, to] = [edge.renderedSourceEndpoint(), edge.renderedMidpoint(), edge.renderedTargetEndpoint()];
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const width = 6 * edge.data("label").length + 8;
  const point = (t, axis) => {
    const bend = 2 * middle[axis] - (from[axis] + to[axis]) / 2;
    return (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * bend + t ** 2 * to[axis];
  };
  const spots = (at) => {
    const count = Math.ceil(width / CELL);
    return Array.from({ length: count + 1 }, (_, step) => at + ((step / count - 0.5) * width) / length)
      .map((t) => [point(t, "x"), point(t, "y")]);
  };
  const at = PARTS.filter((one) => Math.min(one, 1 - one) * length > width / 2)
    .find((one) => !spots(one).some(([x, y]) => taken.has(cell(x, y))));
  if (at !== undefined) for (const [x, y] of spots(at)) cover(taken, { x1: x - CELL, x2: x + CELL, y1: y - CELL, y2: y + CELL });
  return { at, length };
}
