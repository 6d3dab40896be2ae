import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useState } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import { createStore, type Store, storeHook } from "@/components/hooks/store";
import { type ReplayActions, type ReplayState, useReplayActionsOf, useReplayAddress, useReplayState } from "./replay";
import { type LoadedSession, openedSession, type SessionState, useSessionState } from "./session";
import { useViewStore, type ViewActions, type ViewState } from "./view";

/** All state of a session's page: the session, its replay, and the view of both. */
interface Stores {
  readonly session: Store<SessionState>;
  readonly replay: Store<ReplayState>;
  readonly view: Store<ViewState>;
  readonly replayActions: ReplayActions;
  readonly viewActions: ViewActions;
}

const [Context, useStores] = requiredContext<Stores>("Stores");

/** The stores themselves, for handlers, which read them when called and need no rendering. */
export { useStores };

export const useSession = storeHook(() => useStores().session);
export const useReplay = storeHook(() => useStores().replay);
export const useView = storeHook(() => useStores().view);

export function useReplayActions(): ReplayActions {
  return useStores().replayActions;
}

export function useViewActions(): ViewActions {
  return useStores().viewActions;
}

/** The stores of the shown session for the header, which is outside of them; `null` while the session is loading. */
export type StoresRef = RefObject<Pick<Stores, "session" | "replay"> | null>;

interface SessionStoresProps extends LoadedSession {
  readonly children: ReactNode;
  readonly shown: StoresRef;
}

/** Makes the stores of a session. They follow its file, the address and the server's answers before the browser paints. */
export function SessionStores({ children, shown, ...loaded }: SessionStoresProps) {
  const address = useReplayAddress();
  const current = useSessionState(loaded, address.run);
  const replayed = useReplayState(current, address);
  const [session] = useState(() => createStore(current));
  const [replay] = useState(() => createStore(replayed));
  const { view, viewActions } = useViewStore(current, session);
  const replayActions = useReplayActionsOf(session, address);
  useLayoutEffect(() => {
    session.set(current);
    replay.set(replayed);
    shown.current = { session, replay };
  }, [session, current, replay, replayed, shown]);
  const stores = useMemo(
    () => ({ session, replay, view, replayActions, viewActions }),
    [session, replay, view, replayActions, viewActions],
  );
  return <Context value={stores}>{children}</Context>;
}

/** Shows the items of another session within this one's page, such as a subagent's in the transcript. */
export function NestedSession({ id, answer, held, live, children }: Omit<SessionStoresProps, "shown">) {
  const stores = useStores();
  const outer = useSession((state) => state);
  const nested = useMemo(() => {
    const session = createStore({ ...outer, ...openedSession({ id, answer, held, live }) });
    return { ...stores, session };
  }, [stores, outer, id, answer, held, live]);
  return <Context value={nested}>{children}</Context>;
}
