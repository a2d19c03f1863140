// Saves content of the page as a file on the reader's device.

/** Saves it under this name, as a link to a file would. */
export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read it only after a while.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves the text of a record. */
export function downloadRecord(game: string, text: string): void {
  downloadFile(`${game}.jass.json`, new Blob([text], { type: "application/json" }));
}
