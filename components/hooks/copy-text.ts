/** Puts a text on the clipboard; false where the browser refuses, or has none for pages that are not secure. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
