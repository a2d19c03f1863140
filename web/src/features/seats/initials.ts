// The fallback for people without an avatar: the initial of the name on a colour of its own.
import { hashText } from "../../browser/hashText";

/** Colours on which white letters are readable. */
const COLOURS = ["#8a3b12", "#1f5fa8", "#2a6b46", "#7a4a8c", "#a8161d", "#3a4a52", "#8c3f66", "#5c5a16"];

/** The first visible character of a name, which may consist of several code points. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first?.segment.toUpperCase() ?? "?";
}

export function avatarColour(name: string): string {
  return COLOURS[hashText(name) % COLOURS.length] ?? "#3a4a52";
}
