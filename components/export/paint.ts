/** A colour in a notation that every SVG reader understands: six hexadecimal digits and an opacity. */
interface Paint {
  readonly hex: string;
  readonly opacity: number;
}

const paintByColour = new Map<string, Paint>();
let canvas: CanvasRenderingContext2D | null | undefined;

/** Converts a computed colour in any notation; `undefined` if it paints nothing. */
export function paintOf(colour: string): Paint | undefined {
  if (colour === "none" || colour === "transparent" || colour === "") return undefined;
  const paint = paintByColour.get(colour) ?? paintOfPixel(colour);
  paintByColour.set(colour, paint);
  return paint.opacity === 0 ? undefined : paint;
}

/** Paints one pixel and reads it back: the browser converts `oklab()`, `color()` and all other notations. */
function paintOfPixel(colour: string): Paint {
  canvas ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (canvas === null) return { hex: colour, opacity: 1 };
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
  const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  return { hex: `#${hex}`, opacity: Number((alpha / 255).toFixed(3)) };
}
