import { useQuery } from "@tanstack/react-query";
import { CONTENT_MEASURE } from "@/lib/core/columns/content";
import { useSession } from "../state/session-data";
import { contentsQuery } from "../state/use-measures";

export interface Contents {
  /** Which items have equal texts; `undefined` until the server has compared them. */
  readonly content: Int32Array | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** Which items have equal texts. The server compares them once, when this is first asked for. */
export function useContents(): Contents {
  const query = useQuery(contentsQuery(useSession()));
  return {
    content: query.data?.[CONTENT_MEASURE],
    failed: query.isError || (query.data !== undefined && query.data[CONTENT_MEASURE] === undefined),
    retry: () => void query.refetch(),
  };
}
