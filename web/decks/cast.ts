// Each court card and its character in both decks.
import type { Suit } from "../src/cards/cards";
import { BLACK, BLUE, BROWN, GREEN, RED, WHITE, YELLOW } from "./palette";
import type { Person } from "./person";

export type Court = "J" | "Q" | "K";

/** Swiss: the Under are working people, the Ober people of standing, the kings kings. */
export const SWISS_CAST: Record<Suit, Record<Court, Person>> = {
  C: {
    // A halberdier, a hunter with a horn, an old king of the woods.
    J: {
      face: { eyes: "right", mouth: "stern", brows: "heavy", nose: "long" },
      hair: "short",
      hairColour: "brown",
      beard: "twirled",
      hat: "helmet",
      dress: "slashed",
      staff: "halberd",
    },
    Q: {
      face: { eyes: "left", mouth: "smile", brows: "light", nose: "long" },
      hair: "page",
      hairColour: "brown",
      beard: "goatee",
      hat: "tall",
      hatColours: [GREEN, BROWN],
      dress: "doublet",
      staff: "bow",
    },
    K: {
      face: { eyes: "front", mouth: "small", brows: "raised", nose: "round" },
      hair: "long",
      hairColour: "white",
      beard: "long",
      hat: "leafy crown",
      dress: "ermine",
      staff: "oak",
    },
  },
  D: {
    // A jester, a drummer, a merry king.
    J: {
      face: { eyes: "wink", mouth: "grin", brows: "raised", nose: "round" },
      hair: "curls",
      hairColour: "red",
      hat: "jester",
      hatColours: [RED, BLUE],
      dress: "motley",
      staff: "marotte",
    },
    Q: {
      face: { eyes: "front", mouth: "whistle", brows: "raised", nose: "small" },
      hair: "curls",
      hairColour: "black",
      beard: "moustache",
      hat: "slouch",
      hatColours: [BLUE, YELLOW],
      dress: "slashed",
      drum: true,
    },
    K: {
      face: { eyes: "closed", mouth: "grin", brows: "raised", nose: "round" },
      hair: "page",
      hairColour: "brown",
      beard: "curly",
      hat: "arched crown",
      hatColours: [RED, YELLOW],
      dress: "ermine",
      staff: "sceptre",
    },
  },
  H: {
    // A gardener, a gentleman with a cup, a young king.
    J: {
      face: { eyes: "left", mouth: "stalk", brows: "light", nose: "round" },
      hair: "short",
      hairColour: "brown",
      hat: "straw",
      dress: "apron",
      staff: "rake",
    },
    Q: {
      face: { eyes: "right", mouth: "smile", brows: "raised", nose: "long" },
      hair: "short",
      hairColour: "brown",
      beard: "twirled",
      hat: "feathered",
      hatColours: [RED, GREEN],
      dress: "ruff",
      holds: "cup",
    },
    K: {
      face: { eyes: "front", mouth: "smile", brows: "light", nose: "small" },
      hair: "wavy",
      hairColour: "blond",
      beard: "goatee",
      hat: "lily crown",
      dress: "ermine",
      staff: "lily sceptre",
    },
  },
  S: {
    // A messenger, a captain, a grim king.
    J: {
      face: { eyes: "front", mouth: "small", brows: "light", nose: "small" },
      hair: "page",
      hairColour: "red",
      hat: "beret",
      hatColours: [BLUE, YELLOW],
      dress: "doublet",
      holds: "letter",
    },
    Q: {
      face: { eyes: "left", mouth: "stern", brows: "heavy", nose: "long" },
      hair: "short",
      hairColour: "grey",
      beard: "full",
      hat: "feathered",
      hatColours: [BLUE, WHITE],
      dress: "armour",
      staff: "sword",
    },
    K: {
      face: { eyes: "right", mouth: "stern", brows: "heavy", nose: "long" },
      hair: "long",
      hairColour: "black",
      beard: "forked",
      hat: "spiked crown",
      dress: "ermine",
      staff: "spear",
    },
  },
};

/** French: jacks, queens and kings. */
export const FRENCH_CAST: Record<Suit, Record<Court, Person>> = {
  C: {
    J: {
      face: { eyes: "right", mouth: "whistle", brows: "raised", nose: "small" },
      hair: "curls",
      hairColour: "brown",
      hat: "slouch",
      dress: "slashed",
      holds: "flute",
    },
    Q: {
      face: { eyes: "lashes", mouth: "lips", brows: "light", nose: "small" },
      hair: "plaits",
      hairColour: "brown",
      hat: "coronet",
      dress: "laced",
      holds: "bird",
    },
    K: {
      face: { eyes: "front", mouth: "stern", brows: "heavy", nose: "round" },
      hair: "page",
      hairColour: "brown",
      beard: "full",
      hat: "arched crown",
      dress: "ermine",
      staff: "sceptre",
    },
  },
  D: {
    J: {
      face: { eyes: "front", mouth: "smile", brows: "raised", nose: "small" },
      hair: "short",
      hairColour: "red",
      hat: "herdsman",
      dress: "herdsman",
      staff: "crosier",
    },
    Q: {
      face: { eyes: "lashes", mouth: "lips", brows: "raised", nose: "small" },
      hair: "bun",
      hairColour: "red",
      hat: "tiara",
      dress: "gown",
      holds: "mirror",
    },
    K: {
      face: { eyes: "left", mouth: "stern", brows: "heavy", nose: "long" },
      hair: "long",
      hairColour: "grey",
      beard: "moustache",
      hat: "spiked crown",
      dress: "ermine",
      staff: "axe",
    },
  },
  H: {
    J: {
      face: { eyes: "wink", mouth: "smile", brows: "light", nose: "small" },
      hair: "page",
      hairColour: "blond",
      hat: "beret",
      dress: "doublet",
      holds: "letter",
    },
    Q: {
      face: { eyes: "lashes", mouth: "lips", brows: "light", nose: "small" },
      hair: "wavy",
      hairColour: "blond",
      hat: "coronet",
      dress: "gown",
      staff: "flower",
    },
    K: {
      face: { eyes: "right", mouth: "smile", brows: "raised", nose: "long" },
      hair: "curls",
      hairColour: "red",
      beard: "curly",
      hat: "lily crown",
      dress: "ermine",
      staff: "sword",
    },
  },
  S: {
    J: {
      face: { eyes: "left", mouth: "stern", brows: "heavy", nose: "long" },
      hair: "short",
      hairColour: "black",
      beard: "goatee",
      hat: "hood",
      hatColours: [BLACK, RED],
      dress: "halved",
      staff: "halberd",
    },
    Q: {
      face: { eyes: "left", mouth: "lips", brows: "heavy", nose: "long", cheeks: false },
      hair: "long",
      hairColour: "black",
      hat: "tiara",
      dress: "ruff",
      staff: "distaff",
    },
    K: {
      face: { eyes: "front", mouth: "small", brows: "raised", nose: "round" },
      hair: "sides",
      hairColour: "white",
      beard: "long",
      hat: "leafy crown",
      dress: "robe",
      holds: "book",
    },
  },
};
