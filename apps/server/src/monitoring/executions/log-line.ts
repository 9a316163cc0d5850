/** One line of a run's log as its source tells it. */
export interface LogLine {
  at: Date | null;
  level: 'info' | 'warning' | 'error';
  text: string;
}
