import localFont from "next/font/local";

/**
 * Inter, Latin, in all weights. We serve it ourselves, so that text has the same width on every system. Characters without a glyph in it,
 * above all Chinese ones, use the system's typefaces. It is preloaded and `optional`: if it does not arrive in time, the page keeps the
 * system's typeface while it is open, so that no text ever moves.
 */
export const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  style: "normal",
  display: "optional",
  preload: true,
  adjustFontFallback: false,
  variable: "--font-inter",
});
