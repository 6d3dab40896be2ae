import { useMediaQuery } from "@/components/hooks/use-media-query";

/** Whether the replay panel stands beside the lens, and the chart above the text in the height of the window. On narrower pages the panel is a sheet. */
export function useWide(): boolean {
  return useMediaQuery("(min-width: 64rem)");
}
