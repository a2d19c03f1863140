// The reader's settings on this device: language, cards, appearance, speed, how a table is shown. Stored
// in the browser; a setting that was never touched follows the device and the language.
import { AVATARS } from "./avatars";
import { browserLocale, locales, offeredLocales, type Locale } from "./locales";
import { pageConfig } from "./pageConfig";
import { parseSingleKeys, type SingleKeys } from "./singleKeys";
import { SETTINGS_KEY } from "./storageKeys";

export type { Locale };
export type Deck = "swiss" | "french";
/** How many colours the suits of French cards have. */
export type Colours = "two" | "four";
export type CardSize = "normal" | "large";
export type Theme = "system" | "light" | "dark";
export type Speed = "calm" | "normal" | "brisk";
export type Volume = "off" | "soft" | "medium" | "loud";
/** How a table is shown: as a picture, or as text with an input line. */
export type TableMode = "picture" | "text";
/** The side of the mat for the slate on a wide page, and for the hand on a phone in landscape. */
export type HandSide = "right" | "left";

interface StoredSettings {
  locale?: Locale;
  deck?: Deck;
  colours?: Colours;
  cardSize?: CardSize;
  theme?: Theme;
  speed?: Speed;
  volume?: Volume;
  vibration?: boolean;
  alerts?: boolean;
  mode?: TableMode;
  side?: HandSide;
  twoTaps?: boolean;
  nickname?: string;
  /** The bot chosen last, and those chosen last for each game. */
  opponent?: string;
  opponents?: Record<string, string>;
  talk?: boolean;
  face?: number;
  lastCard?: boolean;
  awake?: boolean;
  singleKeys?: boolean;
  keys?: SingleKeys;
}

const DECKS: readonly Deck[] = ["swiss", "french"];
const COLOURS: readonly Colours[] = ["two", "four"];
const CARD_SIZES: readonly CardSize[] = ["normal", "large"];
const THEMES: readonly Theme[] = ["system", "light", "dark"];
const FACES: readonly number[] = AVATARS.map((_, index) => index + 1);
const SPEEDS: readonly Speed[] = ["calm", "normal", "brisk"];
const VOLUMES: readonly Volume[] = ["off", "soft", "medium", "loud"];
const MODES: readonly TableMode[] = ["picture", "text"];
const SIDES: readonly HandSide[] = ["right", "left"];

function oneOf<T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((one) => one === value);
}

/** The settings in stored text; invalid ones are dropped. */
export function parseStoredSettings(text: string | null): StoredSettings {
  let raw: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? "{}");
    if (typeof parsed === "object" && parsed !== null) raw = parsed as Record<string, unknown>;
  } catch {
    return {};
  }
  const chosen: StoredSettings = {};
  const locale = oneOf(locales, raw.locale);
  const deck = oneOf(DECKS, raw.deck);
  const colours = oneOf(COLOURS, raw.colours);
  const cardSize = oneOf(CARD_SIZES, raw.cardSize);
  const theme = oneOf(THEMES, raw.theme);
  const speed = oneOf(SPEEDS, raw.speed);
  const volume = oneOf(VOLUMES, raw.volume);
  const mode = oneOf(MODES, raw.mode);
  const side = oneOf(SIDES, raw.side);
  if (locale) chosen.locale = locale;
  if (deck) chosen.deck = deck;
  if (colours) chosen.colours = colours;
  if (cardSize) chosen.cardSize = cardSize;
  if (theme) chosen.theme = theme;
  if (speed) chosen.speed = speed;
  if (volume) chosen.volume = volume;
  if (typeof raw.vibration === "boolean") chosen.vibration = raw.vibration;
  if (typeof raw.alerts === "boolean") chosen.alerts = raw.alerts;
  if (mode) chosen.mode = mode;
  if (side) chosen.side = side;
  if (typeof raw.twoTaps === "boolean") chosen.twoTaps = raw.twoTaps;
  if (typeof raw.nickname === "string") chosen.nickname = raw.nickname.slice(0, 24);
  if (typeof raw.opponent === "string") chosen.opponent = raw.opponent.slice(0, 40);
  const opponents = readOpponents(raw.opponents);
  if (opponents) chosen.opponents = opponents;
  if (FACES.includes(Number(raw.face))) chosen.face = Number(raw.face);
  if (typeof raw.talk === "boolean") chosen.talk = raw.talk;
  if (typeof raw.lastCard === "boolean") chosen.lastCard = raw.lastCard;
  if (typeof raw.awake === "boolean") chosen.awake = raw.awake;
  if (typeof raw.singleKeys === "boolean") chosen.singleKeys = raw.singleKeys;
  if (typeof raw.keys === "object" && raw.keys !== null) chosen.keys = parseSingleKeys(raw.keys);
  return chosen;
}

function readOpponents(raw: unknown): Record<string, string> | null {
  if (typeof raw !== "object" || raw === null) return null;
  const known = Object.entries(raw).filter(([, name]) => typeof name === "string");
  return Object.fromEntries(known.map(([game, name]) => [game, String(name).slice(0, 40)]));
}

class Settings {
  #chosen = $state<StoredSettings>(parseStoredSettings(stored()));
  /** The languages that the host of the server offers. */
  readonly offeredLocales = offeredLocales(pageConfig.languages);

  get locale(): Locale {
    const { locale } = this.#chosen;
    if (locale && this.offeredLocales.includes(locale)) return locale;
    return browserLocale(navigator.languages, this.offeredLocales);
  }
  set locale(value: Locale) {
    this.#choose({ locale: value });
  }

  /** Swiss cards for German, French ones otherwise, unless chosen. */
  get deck(): Deck {
    return this.#chosen.deck ?? (this.locale === "de" ? "swiss" : "french");
  }
  set deck(value: Deck) {
    this.#choose({ deck: value });
  }

  get colours(): Colours {
    return this.#chosen.colours ?? "two";
  }
  set colours(value: Colours) {
    this.#choose({ colours: value });
  }

  get cardSize(): CardSize {
    return this.#chosen.cardSize ?? "normal";
  }
  set cardSize(value: CardSize) {
    this.#choose({ cardSize: value });
  }

  get theme(): Theme {
    return this.#chosen.theme ?? "system";
  }
  set theme(value: Theme) {
    this.#choose({ theme: value });
  }

  get speed(): Speed {
    return this.#chosen.speed ?? "normal";
  }
  set speed(value: Speed) {
    this.#choose({ speed: value });
  }

  get volume(): Volume {
    return this.#chosen.volume ?? "soft";
  }
  set volume(value: Volume) {
    this.#choose({ volume: value });
  }

  get vibration(): boolean {
    return this.#chosen.vibration ?? true;
  }
  set vibration(value: boolean) {
    this.#choose({ vibration: value });
  }

  /** Whether the device notifies readers of their turn while the page is out of sight. */
  get alerts(): boolean {
    return this.#chosen.alerts ?? false;
  }
  set alerts(value: boolean) {
    this.#choose({ alerts: value });
  }

  /** Whether remarks of others at the table are shown. */
  get talk(): boolean {
    return this.#chosen.talk ?? true;
  }
  set talk(value: boolean) {
    this.#choose({ talk: value });
  }

  /** Whether the screen stays awake while the reader sits at a table in play. */
  get awake(): boolean {
    return this.#chosen.awake ?? true;
  }
  set awake(value: boolean) {
    this.#choose({ awake: value });
  }

  /** Whether the last card of a hand is played automatically. */
  get lastCard(): boolean {
    return this.#chosen.lastCard ?? true;
  }
  set lastCard(value: boolean) {
    this.#choose({ lastCard: value });
  }

  /** The chosen face, by its number from 1; 0 for none. */
  get face(): number {
    return this.#chosen.face ?? 0;
  }
  set face(value: number) {
    this.#choose({ face: value });
  }

  get mode(): TableMode {
    return this.#chosen.mode ?? "picture";
  }
  set mode(value: TableMode) {
    this.#choose({ mode: value });
  }

  get side(): HandSide {
    return this.#chosen.side ?? "right";
  }
  set side(value: HandSide) {
    this.#choose({ side: value });
  }

  /** Whether the first tap on a card only lifts it, and the second one plays it. */
  get twoTaps(): boolean {
    return this.#chosen.twoTaps ?? false;
  }
  set twoTaps(value: boolean) {
    this.#choose({ twoTaps: value });
  }

  /** Whether keys work without Ctrl or Alt. */
  get singleKeys(): boolean {
    return this.#chosen.singleKeys ?? true;
  }
  set singleKeys(value: boolean) {
    this.#choose({ singleKeys: value });
  }

  get keys(): SingleKeys {
    return this.#chosen.keys ?? parseSingleKeys(null);
  }
  set keys(value: SingleKeys) {
    this.#choose({ keys: value });
  }

  get nickname(): string {
    return this.#chosen.nickname ?? "";
  }
  set nickname(value: string) {
    this.#choose({ nickname: value });
  }

  /** The bot chosen last; null if none. */
  get opponent(): string | null {
    return this.#chosen.opponent ?? null;
  }

  /** The bot chosen last for a game; null if none. */
  botChosenFor(game: string): string | null {
    return this.#chosen.opponents?.[game] ?? null;
  }

  /** Stores the bot chosen for a game. */
  chooseBot(game: string, name: string): void {
    const opponents = { ...this.#chosen.opponents, [game]: name };
    this.#choose({ opponent: name, opponents });
  }

  #choose(change: StoredSettings): void {
    this.#chosen = { ...this.#chosen, ...change };
    try {
      localStorage.setItem(SETTINGS_KEY, JSON.stringify(this.#chosen));
    } catch {
      // Private windows may refuse to store; the choice is then kept only until the page is closed.
    }
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(SETTINGS_KEY);
  } catch {
    return null;
  }
}

export const settings = new Settings();
export { DECKS, SPEEDS, THEMES };
