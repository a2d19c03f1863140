/**
 * Copies a text. Pages without HTTPS cannot use the clipboard: there the text is selected in a field, for a moment
 * `beside` the given element, because nothing outside an open dialog can be selected. Returns whether it was copied.
 */
export async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    beside.after(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    beside.focus();
    return copied;
  }
}
