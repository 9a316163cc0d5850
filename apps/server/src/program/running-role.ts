/** A role that runs in a process of its own. */
export interface RunningRole {
  /** Lines that people see when all of the program is ready. */
  lines: readonly string[];
  stop(): Promise<void>;
}
