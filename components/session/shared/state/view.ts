import { useCallback, useLayoutEffect, useMemo, useState } from "react";
import { isWhole, type RequestRange, rangeShowing, rangeWithin } from "@/components/charts/zoom";
import { createStore, type Store } from "@/components/hooks/store";
import { type FindActions, type FindState, nextPlace, useFinding, useFindSteps } from "./find";
import {
  allOpen,
  type Expanded,
  type OpenRows,
  rowsOfTurns,
  withOpen,
  withToggled,
  withTrace,
  withUnfolded,
} from "./open-rows";
import { itemOfRequest, neighbour, type Rows, transcriptRows } from "./rows";
import type { SessionState } from "./session";
import type { TabId } from "./tabs";
import { type Turns, traceWith, transcriptTurns } from "./turns";
import { type Axis, type GreyBy, type Height, type ListBy, type Side, VIEW_PARSERS } from "./url-state";
import { useAddress } from "./use-address";

/** The view store: tab, cursor, reader and search. Most of it is in the address. */
export interface ViewState extends FindState {
  readonly tab: TabId;
  /** The context whose dropped content is grey in the transcript: recorded or simulated. */
  readonly greyBy: GreyBy;
  /** The context shown by the tabs next to the timeline. */
  readonly side: Side;
  /** The requests that the timeline shows. */
  readonly range: RequestRange;
  readonly axis: Axis;
  /** `null`: the height that suits the session. */
  readonly height: Height | null;
  /** True if the transcript has the whole page. */
  readonly isReading: boolean;
  /** True if the replay panel is an open sheet; not in the address. */
  readonly isSheetOpen: boolean;
  readonly hover: number | null;
  readonly pin: number | null;
  readonly lastRequest: number;
  /** The item that the transcript shows and that `j` and `k` move. */
  readonly item: number | null;
  readonly listBy: ListBy;
  readonly rows: Rows;
  /** The turns that the rows belong to; absent in the list of items. */
  readonly turns: Turns | undefined;
  readonly open: OpenRows;
  readonly showEmpty: boolean;
  /** Incremented by every step by key: the focus follows those. */
  readonly steps: number;
  /** Incremented by every match or link that opens an item: the transcript gets more room for it. */
  readonly visits: number;
}

/** The current request: the hovered one, else the pinned one, else the last one. */
export function pointedRequest({ hover, pin, lastRequest }: ViewState): number {
  return hover ?? pin ?? lastRequest;
}

export interface ViewActions extends FindActions {
  readonly setTab: (tab: TabId) => void;
  readonly setGreyBy: (by: GreyBy) => void;
  readonly setSide: (side: Side) => void;
  /** @param history `replace` makes it part of the step before */
  readonly setRange: (range: RequestRange, history?: "replace") => void;
  readonly setAxis: (axis: Axis) => void;
  readonly setHeight: (height: Height) => void;
  readonly setListBy: (by: ListBy) => void;
  /** Gives the transcript the whole page, from any tab, or gives the chart its place back. */
  readonly toggleReading: () => void;
  readonly setSheetOpen: (open: boolean) => void;
  readonly hover: (request: number | null) => void;
  /** Pins a request and scrolls the transcript to it; `null` releases the pin. */
  readonly pin: (request: number | null) => void;
  /** Undoes the pin of a first click that became a double click: no step of its own. */
  readonly restore: (before: Pick<ViewState, "pin" | "item">) => void;
  /** Selects an item and leaves the pin as it is. */
  readonly show: (item: number) => void;
  readonly open: (item: number) => void;
  /** Selects an item and opens its row, or closes it if it is open. Pins no request: reading on must not change the chart. */
  readonly toggle: (item: number) => void;
  /** As `toggle`, for the selected item. */
  readonly toggleSelected: () => void;
  /** Folds the trace that an item belongs to, and selects it. */
  readonly fold: (item: number) => void;
  /** Opens all rows, or all answers of the view by turns, or closes all except those that are open from the start. */
  readonly expand: (expanded: Expanded) => void;
  /** Selects the row `by` rows after the selected one, else after the current request, and moves the focus there. */
  readonly step: (by: number) => void;
  readonly setShowEmpty: (show: boolean) => void;
  /** Selects an item and pins the request that it belongs to. */
  readonly select: (item: number) => void;
  /** Selects an item in the transcript and opens it there. */
  readonly openItem: (item: number) => void;
  /** Points at a request in another tab. */
  readonly openRequest: (request: number, tab: TabId) => void;
  /** Points at a request, and moves the visible range to include it. */
  readonly reveal: (request: number) => void;
}

const { breakdown: _breakdown, against: _against, find: _find, ...PARSERS } = VIEW_PARSERS;

/** Makes the view store of a session, and its actions, which are always the same. */
export function useViewStore(
  current: SessionState,
  session: Store<SessionState>,
): { readonly view: Store<ViewState>; readonly viewActions: ViewActions } {
  const { points, columns, requestOfItem } = current;
  const [{ tab, list, grey, show, from, to, axis, height, read, at, item: asked }, update] = useAddress(PARSERS);
  const item = asked === null || asked >= columns.length ? null : asked;
  const [showEmpty, setShowEmpty] = useState(false);
  const lines = useMemo(
    () => transcriptRows(columns, { requestOfItem, showEmpty: showEmpty && list === "items" }),
    [columns, requestOfItem, showEmpty, list],
  );
  const [own, setOwn] = useState<Own>(() => {
    // An item that the address names arrives open.
    const listed = { rows: lines, turns: list === "turns" ? transcriptTurns(columns, lines, false) : undefined };
    const open = item === null ? allOpen("none") : withOpen(listed, allOpen("none"), item);
    return { isSheetOpen: false, steps: 0, visits: 0, open };
  });
  const everyAnswer = own.open.expanded === "answers";
  const turns = useMemo(
    () => (list === "turns" ? transcriptTurns(columns, lines, everyAnswer) : undefined),
    [columns, lines, list, everyAnswer],
  );
  const rows = useMemo(() => (turns === undefined ? lines : rowsOfTurns(turns, own.open)), [lines, turns, own.open]);
  const range = useMemo(() => rangeWithin(points, from, to), [points, from, to]);
  const pin = at === null ? null : Math.min(at, points - 1);
  const finding = useFinding(current, pin);
  const shown = {
    ...own,
    ...finding.state,
    ...{ tab, greyBy: grey, side: show, range, axis, height, isReading: read && tab === "timeline" },
    ...{ pin, lastRequest: points - 1, item, listBy: list, rows, turns, showEmpty },
  };
  const [view] = useState(() => createStore<ViewState>({ ...shown, hover: null }));
  useLayoutEffect(() => view.set(shown));
  const actions = useMemo(() => viewActions(view, session, update, { setOwn, setShowEmpty }), [view, session, update]);
  const visit = useCallback(
    (places: readonly number[], by: 1 | -1) => {
      const place = nextPlace(places, view.get().item ?? -1, by);
      if (place === undefined) return;
      actions.show(place);
      actions.open(place);
      setOwn((was) => ({ ...was, visits: was.visits + 1 }));
    },
    [view, actions],
  );
  const findActions = useFindSteps(finding, visit);
  return { view, viewActions: useMemo(() => ({ ...actions, ...findActions }), [actions, findActions]) };
}

/** The part of the view that is not in the address. */
type Own = Pick<ViewState, "isSheetOpen" | "steps" | "visits" | "open">;

function viewActions(
  view: Store<ViewState>,
  session: Store<SessionState>,
  update: ReturnType<typeof useAddress<typeof PARSERS>>[1],
  {
    setOwn,
    setShowEmpty,
  }: Pick<ViewActions, "setShowEmpty"> & { readonly setOwn: (change: (was: Own) => Own) => void },
): Omit<ViewActions, keyof FindActions> {
  const changeOpen = (change: (open: OpenRows) => OpenRows): void =>
    setOwn((was) => ({ ...was, open: change(was.open) }));
  const actions: Omit<ViewActions, keyof FindActions> = {
    setTab: (tab) => void update({ tab }),
    setGreyBy: (grey) => void update({ grey }),
    setSide: (show) => void update({ show }),
    // The whole session is written as no range at all.
    setRange: (next, history) =>
      void update(isWhole(next, session.get().points) ? { from: null, to: null } : next, history && { history }),
    setAxis: (axis) => void update({ axis }),
    setHeight: (height) => void update({ height }),
    setListBy: (list) => void update({ list }),
    toggleReading: () => void update({ tab: "timeline", read: !view.get().isReading }),
    setSheetOpen: (isSheetOpen) => setOwn((was) => ({ ...was, isSheetOpen })),
    hover: (hover) => view.set({ hover }),
    pin: (at) => {
      const item = at === null ? null : itemOfRequest(session.get().columns, at);
      void update({ at, item });
      if (item !== null) changeOpen((open) => withUnfolded(view.get(), open, item));
    },
    restore: ({ pin: at, item }) => void update({ at, item }, { history: "replace" }),
    show: (item) => void update({ item }),
    select: (item) => {
      void update({ at: session.get().requestOfItem[item] ?? 0, item });
      changeOpen((open) => withUnfolded(view.get(), open, item));
    },
    open: (item) => changeOpen((open) => withOpen(view.get(), open, item)),
    toggle: (item) => {
      actions.show(item);
      changeOpen((open) => withToggled(view.get(), open, item));
    },
    toggleSelected: () => {
      const { item, rows } = view.get();
      if (item !== null) actions.toggle(neighbour(rows, item, 0));
    },
    fold: (item) => {
      const { turns } = view.get();
      if (turns === undefined) return;
      const trace = traceWith(turns, item);
      if (trace === undefined) return;
      actions.show(turns.lines.items[trace.from] ?? item);
      changeOpen((open) => withTrace(turns, open, trace, false));
    },
    expand: (expanded) => changeOpen(() => allOpen(expanded)),
    step: (by) => {
      // Steps from the current state, not from the last rendered one: keys come faster than frames.
      void update((last) => {
        const pointed = view.get().hover ?? last.at;
        const from = last.item ?? (pointed === null ? -1 : itemOfRequest(session.get().columns, pointed));
        return { item: neighbour(view.get().rows, from, by) };
      });
      setOwn((was) => ({ ...was, steps: was.steps + 1 }));
    },
    setShowEmpty,
    openItem: (item) => {
      actions.select(item);
      actions.open(item);
      setOwn((was) => ({ ...was, visits: was.visits + 1 }));
      actions.setTab("timeline");
    },
    openRequest: (request, tab) => {
      actions.pin(request);
      actions.setTab(tab);
    },
    reveal: (request) => {
      actions.pin(request);
      actions.setRange(rangeShowing(view.get().range, session.get().points, request));
    },
  };
  return actions;
}
