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
 * dashes. A name with other letters ends with its sum: two names in Japanese are two jobs.
 */
export function jobNameIn(text: string): string {
  const name = text
    .trim()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^\w.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const hasOthers = /[^\p{ASCII}]/u.test(text);
  return (name === '' ? 'backup' : name) + (hasOthers ? `-${sumOf(text.trim().normalize('NFC'))}` : '');
}

/** FNV-1a: different for different names, the same in every browser. */
function sumOf(text: string): string {
  const sum = new TextEncoder().encode(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5);
  return (sum >>> 0).toString(36);
}

export function targetOf({ address, jobName }: Reporting): string {
  return `${address}?job=${jobNameIn(jobName)}`;
}

/** A portal that starts again at that moment refuses connections for some seconds, which alone is no reason for curl to try again. */
const POST = 'curl -fsS -m 60 --retry 3 --retry-delay 20 --retry-connrefused --data-binary';
/** The line ends with the code of the backup, or with that of a report that did not arrive: what started it sees a failure. */
const END = '(exit $c)';
const NOW = '$(date -u -Iseconds)';

/**
 * The shell's line with which a tool reports, as docs/intake.md has it: without `%`, which ends a line of a crontab, and without single
 * quotes, in which systemd has it. What restic and borg print goes through a file: a pipe would lose their exit code. The last one sends the
 * plain form, for tools that print nothing of use: whatever it says, an exit code other than 0 is a failure.
 */
export function shellLine(tool: Tool, reporting: Reporting): string {
  const target = targetOf(reporting);
  const reported = (command: string) =>
    `f=$(mktemp); ${command} >"$f" 2>&1; c=$?; ${POST} @"$f" "${target}&exitCode=$c" || c=$?; rm -f "$f"; ${END}`;
  if (tool === 'restic') return reported('restic backup --json --quiet /path/to/data');
  if (tool === 'borg')
    return reported(`borg create --json --log-json ::${jobNameIn(reporting.jobName)}-{now} /path/to/data`);
  const run = String.raw`{\"startedAt\":\"$s\",\"endedAt\":\"${NOW}\",\"result\":\"Success\"}`;
  return `s=${NOW}; /path/to/backup; c=$?; echo "${run}" | ${POST} @- "${target}&exitCode=$c" || c=$?; ${END}`;
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
