import { claudeCodeSession } from "./claude-code";
import { codexSession } from "./codex";
import { INSTRUCTIONS } from "./stories/codex-instructions";
import { CONSUMER_GUIDE, duplicateConsumer, duplicateConsumerWorkspace } from "./stories/duplicate-consumer";
import { duplicateShipments, duplicateShipmentsWorkspace, handover } from "./stories/duplicate-shipments";
import { reportTimezone, reportTimezoneWorkspace } from "./stories/report-timezone";

import { GATEHOUSE_GUIDE, gatehouseSummary, slidingWindow, slidingWindowWorkspace } from "./stories/sliding-window";

/** A bundled sample session: its file below `public/samples`, and how it is made. */
export interface Sample {
  readonly file: string;
  readonly build: () => string;
}

export const SAMPLES: readonly Sample[] = [
  {
    file: "claude-code-duplicate-shipments.jsonl",
    build: () =>
      claudeCodeSession(duplicateShipments(), duplicateShipmentsWorkspace(), {
        seed: 20260209,
        version: "2.1.37",
        model: "claude-opus-4-6",
        branch: "one-shipment",
        slug: "patient-sorting-heron",
        startedAt: Date.UTC(2026, 1, 9, 9, 3, 20),
        overhead: 21_840,
        inlineSidechains: false,
        hook: ".claude/hooks/format.sh",
        summary: handover,
        damagedAfterTurn: 6,
      }),
  },
  {
    file: "codex-sliding-window.jsonl",
    build: () =>
      codexSession(slidingWindow(), slidingWindowWorkspace(), {
        seed: 20260714,
        version: "0.142.5",
        model: "gpt-5.2-codex",
        provider: "office-proxy",
        branch: "sliding-window",
        timezone: "Europe/Stockholm",
        startedAt: Date.UTC(2026, 6, 14, 8, 41, 7),
        window: 128_000,
        instructions: INSTRUCTIONS,
        guide: GATEHOUSE_GUIDE,
        tools: 6_900,
        summary: gatehouseSummary,
      }),
  },
  {
    file: "claude-code-report-timezone.jsonl",
    build: () =>
      claudeCodeSession(reportTimezone(), reportTimezoneWorkspace(), {
        seed: 20251022,
        version: "2.0.14",
        model: "claude-sonnet-4-5-20250929",
        branch: "fix/report-timezone",
        startedAt: Date.UTC(2025, 9, 22, 1, 31, 44),
        overhead: 17_420,
        inlineSidechains: true,
        hook: "scripts/hooks/format.sh",
        summary: () => {
          throw new Error("this session does not fill its window");
        },
      }),
  },
  {
    file: "codex-duplicate-messages.jsonl",
    build: () =>
      codexSession(duplicateConsumer(), duplicateConsumerWorkspace(), {
        seed: 20260128,
        version: "0.94.0",
        model: "gpt-5.2-codex",
        provider: "openai",
        branch: "fix/duplicates",
        timezone: "Asia/Shanghai",
        startedAt: Date.UTC(2026, 0, 28, 7, 12, 3),
        window: 272_000,
        instructions: INSTRUCTIONS,
        guide: CONSUMER_GUIDE,
        tools: 6_100,
        summary: () => {
          throw new Error("this session does not fill its window");
        },
      }),
  },
];
