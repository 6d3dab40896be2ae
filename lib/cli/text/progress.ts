/** Progress over a number of steps: drawn on standard error if that is a terminal, otherwise silent. */
interface Progress {
  /** Records that `count` more steps are done, one by default. */
  step(count?: number): void;
  /** Removes the bar during other output, then draws it again below. */
  apart<T>(write: () => T | Promise<T>): Promise<T>;
  end(): void;
}

const SILENT: Progress = { step: () => {}, apart: async (write) => write(), end: () => {} };

type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Starts a progress bar, silent for a single step; its drawing code is loaded lazily. */
export async function startProgress(
  label: string,
  steps: number,
  stream: Terminal = process.stderr,
): Promise<Progress> {
  if (!stream.isTTY || steps < 2) return SILENT;
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar(
    { format: `${label} [{bar}] {value}/{total}`, stream, clearOnComplete: true, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  let done = 0;
  let shown = true;
  bar.start(steps, done);
  return {
    step: (count = 1) => {
      done += count;
      if (shown) bar.update(done);
    },
    apart: async (write) => {
      bar.stop();
      shown = false;
      const written = await write();
      shown = done < steps;
      if (shown) bar.start(steps, done);
      return written;
    },
    end: () => bar.stop(),
  };
}
