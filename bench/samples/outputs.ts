import type { Random } from "./random";
import type { Workspace } from "./workspace";

/** What commands print in the sample sessions. */

/** Names of the tests in a file. */
function testNames(content: string): string[] {
  return [...content.matchAll(/(?:\bit\("([^"]+)"|^def (test_\w+)|^func (Test\w+))/gm)].map(
    ([, typescript, python, go]) => typescript ?? python ?? go ?? "",
  );
}

/** A run of vitest: every test of those files, the failing ones with what was expected. */
export function vitestRun(
  workspace: Workspace,
  where: RegExp,
  random: Random,
  failing: readonly string[] = [],
): string {
  const lines = [` RUN  v3.2.4 ${workspace.root}`, ""];
  const failures: string[] = [];
  let passed = 0;
  for (const path of workspace.paths(where)) {
    const names = testNames(workspace.content(path));
    lines.push(` ✓ ${path} (${names.length} tests) ${random.int(18, 480)}ms`);
    for (const name of names) {
      const fails = failing.some((part) => name.includes(part) && failures.length < failing.length * 9);
      lines.push(`   ${fails ? "×" : "✓"} ${name} ${random.int(1, 64)}ms`);
      if (fails) failures.push(vitestFailure(path, name, random));
      else passed += 1;
    }
  }
  const tail = [
    "",
    ` Test Files  ${workspace.paths(where).length} (${workspace.paths(where).length})`,
    `      Tests  ${failures.length > 0 ? `${failures.length} failed | ` : ""}${passed} passed (${passed + failures.length})`,
    `   Duration  ${(random.int(210, 990) / 100).toFixed(2)}s`,
  ];
  return [...lines, ...failures, ...tail].join("\n");
}

function vitestFailure(path: string, name: string, random: Random): string {
  const line = random.int(20, 90);
  return `
⎯⎯⎯⎯⎯⎯⎯⎯ Failed Test ⎯⎯⎯⎯⎯⎯⎯⎯
 FAIL  ${path} > ${name}
AssertionError: expected [ …(2) ] to deeply equal [ …(1) ]

- Expected
+ Received

  [
    "${path.split("/")[1]}.created",
+   "${path.split("/")[1]}.created",
  ]

 ❯ ${path}:${line}:${random.int(9, 40)}
     ${line - 1}|     const second = await service.create(input, someone);
     ${line}|     expect(events.types()).toEqual(["…"]);
       |                            ^
 ❯ processTicksAndRejections node:internal/process/task_queues:105:5`;
}

export function pytestRun(
  workspace: Workspace,
  where: RegExp,
  random: Random,
  failing: readonly string[] = [],
): string {
  const paths = workspace.paths(where);
  const lines = [
    "============================= test session starts ==============================",
    "platform linux -- Python 3.12.8, pytest-8.3.4, pluggy-1.5.0",
    `rootdir: ${workspace.root}`,
  ];
  let passed = 0;
  const failures: string[] = [];
  for (const path of paths) {
    for (const name of testNames(workspace.content(path))) {
      const fails = failing.includes(name);
      lines.push(`${path}::${name} ${fails ? "FAILED" : "PASSED"}`);
      if (fails) failures.push(pytestFailure(path, name, random));
      else passed += 1;
    }
  }
  lines.push(...failures);
  const counts = `${failures.length > 0 ? `${failures.length} failed, ` : ""}${passed} passed in ${(random.int(90, 900) / 100).toFixed(2)}s`;
  lines.push(`==================== ${counts} ====================`);
  return lines.join("\n");
}

function pytestFailure(path: string, name: string, random: Random): string {
  return `
___________________________ ${name} ___________________________

service = <${path.slice(11, -3)}.Service object at 0x7f${random.hex(10)}>

    def ${name}(service, database):
        since = datetime(2025, 10, 1, tzinfo=ZoneInfo("Asia/Shanghai"))
        rows = list(service.rows_since(since))
>       assert [row.day for row in rows] == ["2025-10-01", "2025-10-02"]
E       AssertionError: assert ['2025-09-30', '2025-10-01'] == ['2025-10-01', '2025-10-02']
E         At index 0 diff: '2025-09-30' != '2025-10-01'

${path}:${random.int(30, 90)}: AssertionError`;
}

export function goTestRun(
  workspace: Workspace,
  where: RegExp,
  random: Random,
  failing: readonly string[] = [],
): string {
  const lines: string[] = [];
  let failed = false;
  for (const path of workspace.paths(where)) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    let failedHere = false;
    for (const name of testNames(workspace.content(path))) {
      const fails = failing.includes(name);
      failedHere ||= fails;
      lines.push(`=== RUN   ${name}`);
      for (const part of ["first_request", "burst_is_used_up", "refills_with_time", "more_than_the_burst"]) {
        if (name.endsWith("Closed")) continue;
        const broken = fails && part === "refills_with_time";
        lines.push(`=== RUN   ${name}/${part}`);
        if (broken)
          lines.push(`    ${path.slice(path.lastIndexOf("/") + 1)}:${random.int(40, 80)}: allowed = false, want true`);
        lines.push(`    --- ${broken ? "FAIL" : "PASS"}: ${name}/${part} (0.0${random.int(0, 9)}s)`);
      }
      lines.push(`--- ${fails ? "FAIL" : "PASS"}: ${name} (0.0${random.int(1, 9)}s)`);
    }
    lines.push(
      failedHere
        ? `FAIL\nFAIL\tgatehouse/${folder}\t0.${random.int(100, 900)}s`
        : `ok  \tgatehouse/${folder}\t0.${random.int(100, 900)}s`,
    );
    failed ||= failedHere;
  }
  if (failed) lines.push("FAIL");
  return lines.join("\n");
}

/** Structured log lines of a service, a story of one request among others. */
export function serviceLog(random: Random, count: number, events: readonly string[], from: number): string {
  const lines: string[] = [];
  let at = from;
  for (let index = 0; index < count; index++) {
    at += random.int(3, 900);
    lines.push(
      JSON.stringify({
        t: new Date(at).toISOString(),
        level: random.chance(0.08) ? "warn" : "info",
        msg: random.pick(events),
        request: `req-${random.hex(8)}`,
        tenant: `tenant-${random.int(1, 24)}`,
        ms: random.int(1, 640),
        node: `app-${random.int(1, 4)}`,
        attempt: random.int(1, 3),
      }),
    );
  }
  return lines.join("\n");
}

/** What `git log --stat` says about invented commits. */
export function gitLog(
  random: Random,
  subjects: readonly string[],
  authors: readonly string[],
  paths: readonly string[],
  from: number,
): string {
  let at = from;
  return subjects
    .map((subject) => {
      at -= random.int(2, 60) * 3_600_000;
      const changed = Array.from(
        { length: random.int(1, 5) },
        () =>
          ` ${random.pick(paths)} | ${random.int(1, 90)} ${"+".repeat(random.int(1, 18))}${"-".repeat(random.int(0, 9))}`,
      );
      const author = random.pick(authors);
      return `commit ${random.hex(40)}\nAuthor: ${author}\nDate:   ${new Date(at).toUTCString()}\n\n    ${subject}\n\n${changed.join("\n")}\n`;
    })
    .join("\n");
}

/** A table as psql prints it. */
export function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => String(row[index] ?? "").length)),
  );
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => ` ${String(cell).padEnd(widths[index] ?? 0)} `).join("|");
  return [
    line(columns),
    widths.map((width) => "-".repeat(width + 2)).join("+"),
    ...rows.map(line),
    `(${rows.length} rows)`,
  ].join("\n");
}
