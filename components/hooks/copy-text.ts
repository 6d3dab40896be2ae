/** Copies a text to the clipboard. Returns false where the browser refuses, or offers no clipboard because the page is not secure. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
