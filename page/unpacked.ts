/** Blob URL of a script that the page embeds, compressed with gzip, in the element with this id. */
export async function unpackedUrl(id: string): Promise<string> {
  const letters = atob(document.getElementById(id)?.textContent ?? "");
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const program = await new Response(text).arrayBuffer();
  return URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
}
