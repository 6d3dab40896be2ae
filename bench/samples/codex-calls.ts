import type { Random } from "./random";
import type { Call } from "./script";
import type { Workspace } from "./workspace";

/** Tool calls as Codex makes them: nearly everything is a command. */

export function exec(
  cmd: string,
  output: (workspace: Workspace, random: Random) => string,
  seconds = 0.4,
  exitCode = 0,
): Call {
  return {
    tool: "exec_command",
    seconds,
    run: (workspace, random) => {
      const text = output(workspace, random);
      const head = [
        `Chunk ID: ${random.hex(6)}`,
        `Wall time: ${seconds.toFixed(4)} seconds`,
        `Process exited with code ${exitCode}`,
        `Original token count: ${Math.ceil(Buffer.byteLength(text) / 4)}`,
        "Output:",
      ];
      return {
        input: { cmd, workdir: workspace.root, yield_time_ms: 10_000, max_output_tokens: 10_000 },
        text: `${head.join("\n")}\n${text}`,
      };
    },
  };
}

/** Part of a file. */
export function show(path: string, from = 1, to = 400): Call {
  return exec(`sed -n '${from},${to}p' ${path}`, (workspace) =>
    workspace
      .content(path)
      .split("\n")
      .slice(from - 1, to)
      .join("\n"),
  );
}

export function ripgrep(pattern: RegExp, where = /./, folder = "."): Call {
  return exec(`rg -n "${pattern.source}" ${folder}`, (workspace) => workspace.search(pattern, where).join("\n"));
}

/** A patch that adds lines behind the first that matches. */
export function patch(path: string, pattern: RegExp, added: readonly string[]): Call {
  return applyPatch((workspace) => {
    const { before, after } = workspace.insertAfter(path, pattern, added);
    const [first = ""] = before.split("\n");
    const lines = after.split("\n").slice(1, 1 + added.length);
    return `*** Update File: ${path}\n@@\n ${first}\n${lines.map((line) => `+${line}`).join("\n")}`;
  }, `M ${path}`);
}

/** A patch that adds a file. */
export function create(path: string, content: string): Call {
  return applyPatch((workspace) => {
    workspace.write(path, content);
    return `*** Add File: ${path}\n${content
      .split("\n")
      .map((line) => `+${line}`)
      .join("\n")}`;
  }, `A ${path}`);
}

function applyPatch(body: (workspace: Workspace) => string, changed: string): Call {
  return {
    tool: "apply_patch",
    seconds: 0.3,
    run: (workspace) => ({
      input: { patch: `*** Begin Patch\n${body(workspace)}\n*** End Patch` },
      text: JSON.stringify({
        output: `Success. Updated the following files:\n${changed}\n`,
        metadata: { exit_code: 0, duration_seconds: 0.0 },
      }),
    }),
  };
}

export function plan(done: number, steps: readonly string[]): Call {
  return {
    tool: "update_plan",
    seconds: 0.05,
    run: () => ({
      input: {
        plan: steps.map((text, index) => ({
          step: text,
          status: index < done ? "completed" : index === done ? "in_progress" : "pending",
        })),
      },
      text: "Plan updated",
    }),
  };
}

/** Benchmarks as `go test -bench` prints them. */
export function goBenchmarks(_workspace: Workspace, random: Random): string {
  const names = [
    "Allow/fixed",
    "Allow/sliding",
    "Reserve/fixed",
    "Reserve/sliding",
    "Refund",
    "Window/add",
    "Window/count",
  ];
  const runs = names.flatMap((name) =>
    Array.from(
      { length: 6 },
      () =>
        `Benchmark${name}-8 \t${random.int(4_000_000, 9_000_000)}\t${random.int(190, 260)}.${random.int(0, 9)} ns/op\t0 B/op\t0 allocs/op`,
    ),
  );
  return ["goos: darwin", "goarch: arm64", ...runs, "PASS"].join("\n");
}
