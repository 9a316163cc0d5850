/**
 * The work done in it by this process, in milliseconds of a processor. What else the machine does while a test runs changes the
 * time on the clock, but not this.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
