import { useDeferredValue, useMemo } from "react";
import type { MeasuredContext } from "@/lib/core/analysis/measured-context";
import { contextOf } from "@/lib/queries/contexts/contributors";
import { shownWindow } from "../state/replay-choice";
import { useReplay, useSession, useView } from "../state/stores";
import { pointedRequest } from "../state/view";

/** The context at a request, with the run that it belongs to. */
export interface ContextAt {
  readonly context: MeasuredContext;
  readonly request: number;
  readonly window: number;
  readonly simulated: boolean;
}

/** The recorded or the simulated context, as selected, at the current request. Its update is deferred, so it may lag behind the cursor. */
export function useContextAt(): ContextAt {
  const { summary, columns, recorded } = useSession("summary", "columns", "recorded");
  const { simulated, choice } = useReplay("simulated", "choice");
  const { side } = useView("side");
  const at = useDeferredValue(useView(pointedRequest));
  const ofRecording = side === "recorded";
  const run = useDeferredValue(ofRecording ? recorded : simulated);
  const policy = ofRecording ? "recorded" : choice.policy.id;
  const window = ofRecording ? summary.contextWindow.tokens : shownWindow(choice, summary);
  const context = useMemo(() => contextOf(columns, run, policy), [columns, run, policy]);
  return useMemo(
    () => ({ context, request: at, window, simulated: policy !== "recorded" }),
    [context, at, window, policy],
  );
}
