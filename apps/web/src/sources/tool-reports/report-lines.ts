/** What reports: a tool whose output is understood, or anything else, by when it began and how it ended. */
export const TOOLS = ['restic', 'borg', 'other'] as const;
export type Tool = (typeof TOOLS)[number];

/** Where reports go, and what the job is called there. */
export interface Reporting {
  /** With the token. */
  address: string;
  jobName: string;
}

/**
 * The name of a job as it can be in an address, in a file name and in a crontab, where `%` would end the line: letters, digits, dots and
 * dashes.
 */
export function jobNameIn(text: string): string {
  const name = text
    .trim()
    .replaceAll(/[^\w.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'backup' : name;
}

export function targetOf({ address, jobName }: Reporting): string {
  return `${address}?job=${jobNameIn(jobName)}`;
}

const POST = 'curl -fsS -m 60 --retry 3 --data-binary';
const NOW = '$(date -u -Iseconds)';

/**
 * The shell's line with which a tool reports, as docs/intake.md has it: without `%`, which ends a line of a crontab, and without single
 * quotes, in which systemd has it. What restic and borg print goes through a file: a pipe would lose their exit code. The last one sends the
 * plain form, for tools that print nothing of use: whatever it says, an exit code other than 0 is a failure.
 */
export function shellLine(tool: Tool, reporting: Reporting): string {
  const target = targetOf(reporting);
  const reported = (command: string) =>
    `f=$(mktemp); ${command} >"$f" 2>&1; ${POST} @"$f" "${target}&exitCode=$?"; rm -f "$f"`;
  if (tool === 'restic') return reported('restic backup --json --quiet /path/to/data');
  if (tool === 'borg')
    return reported(`borg create --json --log-json ::${jobNameIn(reporting.jobName)}-{now} /path/to/data`);
  const run = String.raw`{\"startedAt\":\"$s\",\"endedAt\":\"${NOW}\",\"result\":\"Success\"}`;
  return `s=${NOW}; /path/to/backup; c=$?; echo "${run}" | ${POST} @- "${target}&exitCode=$c"`;
}

/** Every night at two, as a line of a crontab. */
export function cronLine(tool: Tool, reporting: Reporting): string {
  return `0 2 * * * ${shellLine(tool, reporting)}`;
}

/** Reports a test run from a shell: it shows that this computer reaches the portal. */
export function testLine(reporting: Reporting): string {
  const run = String.raw`{\"tool\":\"Test run\",\"startedAt\":\"$s\",\"endedAt\":\"$s\",\"result\":\"Success\"}`;
  return `s=${NOW}; echo "${run}" | ${POST} @- "${targetOf(testOf(reporting))}"`;
}

/** The same address for the job of test runs, which is not that of the backups. */
export function testOf({ address, jobName }: Reporting): Reporting {
  return { address, jobName: `${jobNameIn(jobName).slice(0, 190)}-test` };
}
