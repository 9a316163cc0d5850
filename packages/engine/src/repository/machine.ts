import { readFileSync, readlinkSync } from 'node:fs';

/**
 * The machine, its boot and the space in which its processes have their numbers; `null` where the system does not say. Processes that name
 * the same one see each other. Two containers of one machine do not, and name different ones.
 */
export function thisMachine(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Not Linux, or /proc is not there: then only time decides.
    return null;
  }
}

/** Whether a process is certainly gone. One of another machine never is; a process that got the same number later counts as the same. */
export function isGone({ machine, process: id }: { machine: string | null; process: number }): boolean {
  if (machine === null || machine !== thisMachine()) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
