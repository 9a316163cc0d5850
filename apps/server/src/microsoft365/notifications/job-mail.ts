/** A run that ended, as its mail says it. */
export interface EndedRun {
  sessionId: string;
  jobId: string;
  jobName: string;
  organizationName: string;
  companyName: string;
  result: 'Success' | 'Warning' | 'Failed';
  message: string | null;
  startedAt: string;
  endedAt: string;
  timeZone: string;
  /** The first lines of its log that say a problem. */
  problems: readonly string[];
  problemCount: number;
}

/** What a mail says of a run, and where it goes on. @param portal the address of the portal, as its users type it */
export function jobMailOf(run: EndedRun, portal: string): { subject: string; text: string } {
  const { result, jobName, organizationName, companyName, message } = run;
  const more = run.problemCount - run.problems.length;
  const lines = [
    `${HEADINGS[result]}: ${jobName}`,
    '',
    `Organization: ${organizationName} (${companyName})`,
    `Began: ${timeOf(run.startedAt, run.timeZone)}`,
    `Ended: ${timeOf(run.endedAt, run.timeZone)}`,
    ...(message === null ? [] : ['', message]),
    ...(run.problems.length === 0 ? [] : ['', ...run.problems.map((problem) => `- ${problem}`)]),
    ...(more > 0 ? [`- ${more.toLocaleString('en')} more are in its log.`] : []),
    '',
    `Open the job: ${new URL(`/o365/jobs?open=${run.jobId}`, portal)}`,
  ];
  return { subject: `${result}: ${jobName} (${organizationName})`, text: lines.join('\n') };
}

const HEADINGS: Readonly<Record<EndedRun['result'], string>> = {
  Success: 'The backup succeeded',
  Warning: 'The backup needs a look',
  Failed: 'The backup failed',
};

function timeOf(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return `${format.format(new Date(instant))} (${timeZone})`;
}
