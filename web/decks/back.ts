// The back of a card: one lattice for all, the same upside down, so that it tells nothing.
import { paper } from "./card";

const CLOTH = "#9c2530";
const THREAD = "#f3dcc0";

/** Where the lattice lies, and how large its meshes are; both sides are whole meshes. */
const LATTICE = { x: 8, y: 9, width: 112, height: 182, mesh: 14 };

/** The back of every card; as large as a face. */
export function back(): string {
  const { x, y, width, height, mesh } = LATTICE;
  const meshes: string[] = [];
  const knots: string[] = [];
  for (let left = x; left < x + width; left += mesh) {
    for (let top = y; top < y + height; top += mesh) {
      const [cx, cy] = [left + mesh / 2, top + mesh / 2];
      meshes.push(`M${cx} ${top}L${left + mesh} ${cy} ${cx} ${top + mesh} ${left} ${cy}Z`);
      knots.push(`M${cx} ${cy}h0`);
    }
  }
  return (
    paper +
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${CLOTH}"/>` +
    `<g fill="none" stroke="${THREAD}" opacity=".8" stroke-linecap="round">` +
    `<path d="${meshes.join("")}" stroke-width="1.2"/>` +
    `<path d="${knots.join("")}" stroke-width="3.2"/></g>`
  );
}
