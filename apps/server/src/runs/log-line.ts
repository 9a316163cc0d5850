/** One line of a run's log as its source reports it. */
export interface LogLine {
  at: Date | null;
  level: 'info' | 'warning' | 'error';
  text: string;
}
