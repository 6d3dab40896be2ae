import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { useSettled } from "@/components/hooks/use-settled";
import { searchSession } from "@/lib/api/client";
import type { SearchAnswer } from "@/lib/api/types";
import { nextPlace } from "../transcript/find-places";
import { useCursor, useCursorActions } from "./cursor";
import { useReaderActions } from "./reader";
import { requiredContext } from "./required-context";
import { useSession } from "./session-data";
import { URL_OPTIONS, VIEW_PARSERS } from "./url-state";

/** The shortest text that is searched for: a single character stands nearly everywhere. */
const SHORTEST = 2;

/** How long typing has to pause for a search to begin. */
const SETTLED_MS = 150;

/** A search in this session. */
interface Find {
  /** The text that is looked for, as typed. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Where it stands; `undefined` where nothing is looked for, or until the first answer. */
  readonly found: SearchAnswer | undefined;
  readonly isFetching: boolean;
  readonly hasFailed: boolean;
  /** Opens the next place behind the selected item. */
  readonly next: () => void;
  readonly previous: () => void;
}

const [Context, useFind] = requiredContext<Find>("Find");

export { useFind };

export function FindProvider({ children }: { readonly children: ReactNode }) {
  const { id, version } = useSession();
  const { item } = useCursor();
  const { show } = useCursorActions();
  const { open } = useReaderActions();
  const [written, setWritten] = useQueryState("find", VIEW_PARSERS.find.withOptions(URL_OPTIONS));
  const text = written ?? "";
  const query = useSettled(text.trim().toLowerCase(), SETTLED_MS);
  const isLookedFor = query.length >= SHORTEST;
  const answer = useQuery({
    queryKey: ["session", id, "search", version, query],
    queryFn: ({ signal }) => searchSession(id, { q: query, at: version }, signal),
    enabled: isLookedFor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = isLookedFor && text !== "" ? answer.data : undefined;
  const find = useMemo((): Find => {
    const go = (by: 1 | -1): void => {
      const place = nextPlace(found?.items ?? [], item ?? -1, by);
      if (place === undefined) return;
      show(place);
      open(place);
    };
    return {
      ...{ text, found, isFetching: answer.isFetching, hasFailed: answer.isError },
      setText: (next) => void setWritten(next === "" ? null : next),
      next: () => go(1),
      previous: () => go(-1),
    };
  }, [text, found, answer.isFetching, answer.isError, item, show, open, setWritten]);
  return <Context value={find}>{children}</Context>;
}
