const ROWS = Array.from({ length: 200 }, (_, id) => ({ id, name: `job ${id}`, result: 'Failed' }));
const ROUNDS = 50;

/**
 * Takes some milliseconds, as a turn of a server does. Bounds by the clock are multiples of it: on a machine that is slower, or busy with other things,
 * both take longer.
 */
export function work(): void {
  for (let round = 0; round < ROUNDS; round += 1) JSON.parse(JSON.stringify(ROWS));
}

/** The milliseconds of processor time that the thread has used since `before`. */
export function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** So many works are measured together: some systems count processor time in steps that are as long as one of them. */
export const TOGETHER = 10;

/** The milliseconds of processor time that `work` takes just now. */
export function workCpuMs(): number {
  const before = process.threadCpuUsage();
  for (let round = 0; round < TOGETHER; round += 1) work();
  return cpuMsSince(before) / TOGETHER;
}

/** What 200 ms of a thread are on a machine of today, where the work takes 3 ms. */
export const WORKS_IN_200_MS = 67;
