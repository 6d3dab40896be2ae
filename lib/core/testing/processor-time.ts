/** Milliseconds of processor time of this process and its threads. Other programs are not included, so a busy machine changes nothing. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
