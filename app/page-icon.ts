/** Draws a context that fills up, is compacted and fills again. It is darker in a light window than in a dark one. */
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18" width="32" height="32">
  <title>Context Replay</title>
  <style>path{fill:#18181b}.later{opacity:.45}.mark{fill:none;stroke:#c2410c;stroke-width:1.5}@media (prefers-color-scheme:dark){path{fill:#ededef}.mark{fill:none;stroke:#ff8a4c}}</style>
  <path d="M1 16V13L9 5V16Z"/>
  <path class="later" d="M10 16V12L17 7V16Z"/>
  <path class="mark" d="M9.5 1V17"/>
</svg>`;

/**
 * The icon of every page. It is part of the page itself, because browsers request the icon again for each new address, and the address
 * changes with every step of a slider. It stands in the layout's `<head>`: metadata is streamed behind the page's body, and a browser that has
 * not seen it by then requests `/favicon.ico`, which does not exist.
 */
export const PAGE_ICON = `data:image/svg+xml,${encodeURIComponent(DRAWING.replace(/\n\s*/g, ""))}`;
