/** Scale of a PNG relative to the page, so that it is sharp on paper and on dense screens. */
const SCALE = 2;

/** Passes a file to the browser's downloads. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the content only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Rasterises an SVG without external references. */
export async function pngOf(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("The browser gives no canvas.");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error("The image is too large.")) : resolve(blob)),
        "image/png",
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
