import { CliError, EXIT } from "../exit";

/** A drawing has this many dots for each of its units, so that it is sharp on fine screens and in print. */
const DOTS = 2;

/** A drawing as a PNG picture. Its words are set in a font of the system. Rejects with `CliError` where what draws is not installed. */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const { Resvg } = await drawer();
  return new Resvg(svg, { fitTo: { mode: "zoom", value: DOTS } }).render().asPng();
}

/** A native library, and so an optional dependency: npm installs it where it exists for the platform. */
async function drawer(): Promise<typeof import("@resvg/resvg-js")> {
  try {
    return await import("@resvg/resvg-js");
  } catch {
    // Its parts are packages by platform: what is thrown depends on which one is missing.
    throw new CliError(
      EXIT.failed,
      "@resvg/resvg-js, the optional package that draws pictures, is not installed here; --to svg needs none.",
    );
  }
}
