import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useView } from "../state/view";
import type { RequestRange } from "../state/zoom";

export interface Zoom {
  /** The requests shown. */
  readonly shown: RequestRange;
  /** Shows a range at once and keeps it when nothing else is shown for a moment: for a wheel, which has no end. */
  readonly show: (range: RequestRange) => void;
  /** Shows and keeps a range; with `replace` as part of the last step of the history. */
  readonly keep: (range: RequestRange, history?: "replace") => void;
}

/** How long a wheel has to rest. */
const SETTLE_MS = 200;

/** The range of the timeline, which may run ahead of the one in the address while a wheel turns. */
export function useZoom(): Zoom {
  const { range, setRange } = useView();
  const [draft, setDraft] = useState<RequestRange | null>(null);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = useCallback(
    (next: RequestRange, history?: "replace") => {
      clearTimeout(settling.current);
      setDraft(null);
      setRange(next, history);
    },
    [setRange],
  );
  const show = useCallback(
    (next: RequestRange) => {
      clearTimeout(settling.current);
      setDraft(next);
      settling.current = setTimeout(() => keep(next), SETTLE_MS);
    },
    [keep],
  );
  useEffect(() => () => clearTimeout(settling.current), []);
  const shown = draft ?? range;
  return useMemo(() => ({ shown, show, keep }), [shown, show, keep]);
}
