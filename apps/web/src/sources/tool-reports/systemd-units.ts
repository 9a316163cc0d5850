import { jobNameIn, type Reporting, shellLine, type Tool } from './report-lines.ts';

/** As `ExecStart` wants it within single quotes: `\` begins an escape, `$` a variable and `%` a specifier there, too. */
function quoted(line: string): string {
  return `'${line.replaceAll('\\', '\\\\').replaceAll('$', '$$$$').replaceAll('%', '%%')}'`;
}

export function unitName({ jobName }: Reporting): string {
  return `backup-${jobNameIn(jobName)}`;
}

/** A service that backs up once and reports. */
export function systemdService(tool: Tool, reporting: Reporting): string {
  return `[Unit]
Description=Backup ${jobNameIn(reporting.jobName)}, with its report
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart=/bin/sh -c ${quoted(shellLine(tool, reporting))}`;
}

/** Starts it every night at two, and after that if the computer was off. */
export function systemdTimer({ jobName }: Reporting): string {
  return `[Unit]
Description=Backup ${jobNameIn(jobName)}, every night

[Timer]
OnCalendar=*-*-* 02:00:00
Persistent=true

[Install]
WantedBy=timers.target`;
}

export function systemdStart(reporting: Reporting): string {
  return `systemctl daemon-reload && systemctl enable --now ${unitName(reporting)}.timer`;
}
