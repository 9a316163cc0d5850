const SEVERITY = /^(DEBUG\d|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|DETAIL|HINT|STATEMENT|CONTEXT): {2}/;
const TROUBLE = /was terminated by signal|could not|not properly shut down|No space left|reinitializing/;
/** Sessions that are at work when the database is stopped end with such a line. */
const STOPPED = /due to administrator command/;

/**
 * Whether a line from the embedded database is for the person at the terminal: PostgreSQL's own lines only when they
 * report trouble, lines of ours about the start always.
 */
export function isWorthShowing(line: string): boolean {
  const severity = SEVERITY.exec(line)?.[1];
  if (severity === undefined) return !line.startsWith('\t');
  return severity === 'PANIC' || (severity === 'FATAL' && !STOPPED.test(line)) || TROUBLE.test(line);
}
