/** A role that runs in a process of its own. */
export interface RunningRole {
  /** What people are told when all of the program is ready. */
  lines: readonly string[];
  stop(): Promise<void>;
}
