/** A tool that can report, and the line for its cron job. */
export interface ReportLine {
  tool: 'restic' | 'borg' | 'other';
  label: string;
  line: string;
}

/**
 * The name of a job as it can be in an address and in a crontab, where `%` would end the line: letters, digits,
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
 * The lines with which tools report to `address`, those of docs/intake.md. They go into a crontab as they are, so there
 * is no `%` in them. What restic and borg print goes through a file: a pipe would lose their exit code. The last one
 * sends the plain form, for tools that print nothing of use: whatever it says, an exit code other than 0 is a failure.
 */
export function reportLinesOf(address: string, jobName: string): readonly ReportLine[] {
  const name = jobNameIn(jobName);
  const target = `${address}?job=${name}`;
  const post = 'curl -fsS -m 60 --retry 3 --data-binary';
  const reported = (command: string) =>
    `f=$(mktemp); ${command} >"$f" 2>&1; ${post} @"$f" "${target}&exitCode=$?"; rm -f "$f"`;
  const now = '$(date -u -Iseconds)';
  const run = String.raw`{\"startedAt\":\"$s\",\"endedAt\":\"${now}\",\"result\":\"Success\"}`;
  return [
    { tool: 'restic', label: 'restic', line: reported('restic backup --json --quiet /path/to/data') },
    { tool: 'borg', label: 'borg', line: reported(`borg create --json --log-json ::${name}-{now} /path/to/data`) },
    {
      tool: 'other',
      label: 'Anything else',
      line: `s=${now}; /path/to/backup; c=$?; echo "${run}" | ${post} @- "${target}&exitCode=$c"`,
    },
  ];
}
