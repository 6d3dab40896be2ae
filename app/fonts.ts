import localFont from "next/font/local";

/**
 * Inter, Latin, all weights, served by ourselves: the same widths on every system. Whatever it has no glyph for, Chinese
 * above all, is set in the system's typefaces. Preloaded and `optional`: where it is not there in time, the page keeps the
 * system's for as long as it is open, so that no text ever moves.
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
