/** Removes what index.html shows until the first screen has come. */
export function removeShell(): void {
  document.querySelector(".shell")?.remove();
}
