import type { ComponentProps } from "react";

/** A region that scrolls by itself; the keyboard has to reach it. */
export function ScrollRegion(props: ComponentProps<"section">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
  return <section tabIndex={0} {...props} />;
}
