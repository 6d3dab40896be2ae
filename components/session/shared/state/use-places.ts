import { revealing } from "@/components/charts/zoom";
import { useCursorActions } from "./cursor";
import type { Lens } from "./lenses";
import { useReaderActions } from "./reader";
import { useSession } from "./session-data";
import { useView } from "./view";

interface Places {
  /** Selects an item in the transcript and opens it there. */
  readonly openItem: (item: number) => void;
  /** Points at a request in another lens. */
  readonly openRequest: (request: number, lens: Lens) => void;
  /** Points at a request, and moves the visible range to include it. */
  readonly reveal: (request: number) => void;
}

/** Ways to other places of the page. */
export function usePlaces(): Places {
  const { points } = useSession();
  const { pin, select } = useCursorActions();
  const { open } = useReaderActions();
  const { setLens, range, setRange } = useView();
  return {
    openItem: (item) => {
      select(item);
      open(item);
      setLens("timeline");
    },
    openRequest: (request, lens) => {
      pin(request);
      setLens(lens);
    },
    reveal: (request) => {
      pin(request);
      setRange(revealing(range, points, request));
    },
  };
}
