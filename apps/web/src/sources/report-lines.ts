/** A tool that can report, and the line for its cron job. */
export interface ReportLine {
  tool: 'restic' | 'borg' | 'other';
  label: string;
  line: string;
}

/**
 * The name of a job as it can stand in an address and in a crontab, where `%` would end the line: letters, digits,
 * dots and dashes.
 */
export function jobNameIn(text: string): string {
  const name = text
    .trim()
    .replaceAll(/[^\w.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'backup' : name;
}

/**
 * The lines with which tools report to `address`. They go into a crontab as they are, so there is no `%` in them. The
 * last one sends the plain form, for tools that print nothing of use: whatever it says, an exit code other than 0 is a
 * failure.
 */
export function reportLinesOf(address: string, jobName: string): readonly ReportLine[] {
  const target = `${address}?job=${jobNameIn(jobName)}`;
  const post = 'curl --fail --silent --show-error --data-binary @-';
  const now = '$(date -u -Iseconds)';
  const run = String.raw`{\"startedAt\":\"$s\",\"endedAt\":\"${now}\",\"result\":\"Success\"}`;
  return [
    { tool: 'restic', label: 'restic', line: `restic backup --json /path/to/data | ${post} "${target}"` },
    { tool: 'borg', label: 'borg', line: `borg create --json ::'{now}' /path/to/data | ${post} "${target}"` },
    {
      tool: 'other',
      label: 'Anything else',
      line: `s=${now}; /path/to/backup; c=$?; echo "${run}" | ${post} "${target}&exitCode=$c"`,
    },
  ];
}
