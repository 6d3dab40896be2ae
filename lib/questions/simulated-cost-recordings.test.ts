import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { readTranscript } from "@/lib/server/ingest/read-transcript";
import { toCost } from "./cost";
import { runReplay } from "./replay-result";
import { toSimulatedCost } from "./simulated-cost";
import { summarise } from "./summarise";

/** Recordings beside the project; the test skips where the folder is absent. */
const FOLDER = join(process.cwd(), "..", "shared", "transcripts");
const names = existsSync(FOLDER) ? readdirSync(FOLDER, { recursive: true, encoding: "utf8" }) : [];
const FILES = names.filter((name) => /[\\/].*\.jsonl?$/.test(name));

describe.skipIf(FILES.length === 0)("recordings that read from a cache", () => {
  it("cost what the policy recorded gives, which is in the band of a policy that changes nothing", () => {
    let [known, unchanged] = [0, 0];
    for (const name of FILES) {
      const { transcript } = readTranscript(join(FOLDER, name));
      const [session, columns] = [summarise(transcript, basename(name)), columnsFromTranscript(transcript)];
      const { costUsd, cacheRule } = toCost(session, columns, LISTED_PRICES);
      const { total } = costUsd;
      if (cacheRule === null || total === null) continue;
      known += 1;
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const costOf = (policy: string) => {
        const recording = recordingOf(session, { columns, tokens });
        return toSimulatedCost(runReplay({ policy }, recording), recording, LISTED_PRICES);
      };
      const recorded = costOf("recorded");
      expect([recorded?.low, recorded?.total, recorded?.high], name).toEqual([total, total, total]);
      // Without a policy the contexts are those of the recording, if its history was never changed.
      if (columns.boundaries.length > 0) continue;
      unchanged += 1;
      const none = costOf("none");
      expect(none?.low, name).toBeLessThanOrEqual(total);
      expect(none?.high, name).toBeGreaterThanOrEqual(total);
    }
    expect(known).toBeGreaterThan(20);
    expect(unchanged).toBeGreaterThan(10);
  });
});
