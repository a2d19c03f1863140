// Formats the end date of a match in the reader's locale.

/** The date without the time, for narrow layouts. */
export function dayText(time: string, locale: string): string {
  return written(time, locale, { day: "numeric", month: "short", year: "2-digit" });
}

/** The date and the time. */
export function dateTimeText(time: string, locale: string): string {
  return written(time, locale, { dateStyle: "medium", timeStyle: "short" });
}

function written(time: string, locale: string, how: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(`${locale}-CH`, how).format(new Date(time));
}
