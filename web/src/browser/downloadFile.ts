// Saves content of the page as a file on the reader's device.

/** Saves content under this name, like a download link. */
export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL only after a while.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves the text of a record. */
export function downloadRecord(game: string, text: string): void {
  downloadFile(`${game}.jass.json`, new Blob([text], { type: "application/json" }));
}
