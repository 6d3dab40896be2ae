import type { Boundary, ExtraRequest } from "./model";

/** Assigns summary calls without a boundary to the next recorded compaction, by time. */
export function withBoundaries(
  requests: readonly ExtraRequest[],
  boundaries: readonly Pick<Boundary, "kind" | "at">[],
): readonly ExtraRequest[] {
  if (!requests.some(isUnrelated)) return requests;
  return requests.map((request) => {
    const boundary = isUnrelated(request) ? boundaryAfter(boundaries, request.billedAt ?? request.at) : -1;
    return boundary < 0 ? request : { ...request, boundary };
  });
}

function isUnrelated({ kind, boundary }: ExtraRequest): boolean {
  return kind === "compaction" && boundary === undefined;
}

function boundaryAfter(boundaries: readonly Pick<Boundary, "kind" | "at">[], call: number | undefined): number {
  if (call === undefined) return -1;
  return boundaries.findIndex(({ kind, at }) => kind === "compaction" && at !== undefined && at >= call);
}
