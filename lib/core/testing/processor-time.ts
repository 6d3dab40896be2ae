/** Milliseconds that this process and its threads have had of the processor. Other programs' share of it is no part, so a busy machine changes nothing. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
