"use client";

import { useSearchParams } from "next/navigation";
import { SessionSkeleton } from "@/components/session/session-skeleton";

export default function Loading() {
  return (
    <main id="content" className="flex grow flex-col">
      <SessionSkeleton tab={useSearchParams().get("tab")} />
    </main>
  );
}
