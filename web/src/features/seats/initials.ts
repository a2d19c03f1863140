// The fallback for people without an avatar: the initial of the name on a colour of its own.
import { hashText } from "../../browser/hash";

/** Each bears white letters. */
const COLOURS = ["#8a3b12", "#1f5fa8", "#2a6b46", "#7a4a8c", "#a8161d", "#3a4a52", "#8c3f66", "#5c5a16"];

/** The first letter of a name as people see it, which may be several characters. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first?.segment.toUpperCase() ?? "?";
}

export function avatarColour(name: string): string {
  return COLOURS[hashText(name) % COLOURS.length] ?? "#3a4a52";
}
