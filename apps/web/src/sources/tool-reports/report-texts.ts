import { HOOK_PATH, proxmoxHook, proxmoxStart } from './proxmox-hook.ts';
import { cronLine, type Reporting, TOOLS, type Tool, testLine } from './report-lines.ts';
import { systemdService, systemdStart, systemdTimer, unitName } from './systemd-units.ts';
import { scriptPath, windowsScript, windowsTask, windowsTest } from './windows-task.ts';

/** What starts the backup, and so where the report is added. */
export const SCHEDULERS = ['cron', 'systemd', 'windows', 'proxmox'] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

/** A text to copy, with where it goes. */
export interface ReportText {
  label: string;
  text: string;
}

/** The tools that a scheduler starts: borg does not run on Windows, and Proxmox VE has backups of its own. */
export function toolsOf(scheduler: Scheduler): readonly Tool[] {
  if (scheduler === 'proxmox') return [];
  return scheduler === 'windows' ? TOOLS.filter((tool) => tool !== 'borg') : TOOLS;
}

/** The texts with which a tool that a scheduler starts reports, in the order in which they are used. */
export function reportTextsOf(scheduler: Scheduler, tool: Tool, reporting: Reporting): readonly ReportText[] {
  const unit = `/etc/systemd/system/${unitName(reporting)}`;
  switch (scheduler) {
    case 'cron':
      return [{ label: 'Line of the crontab', text: cronLine(tool, reporting) }];
    case 'systemd':
      return [
        { label: `${unit}.service`, text: systemdService(tool, reporting) },
        { label: `${unit}.timer`, text: systemdTimer(reporting) },
        { label: 'Start the timer', text: systemdStart(reporting) },
      ];
    case 'windows':
      return [
        { label: scriptPath(reporting), text: windowsScript(tool === 'borg' ? 'other' : tool, reporting) },
        { label: 'Register the task, as administrator', text: windowsTask(reporting) },
      ];
    case 'proxmox':
      return [
        { label: HOOK_PATH, text: proxmoxHook(reporting) },
        { label: 'Use it for every backup of this node', text: proxmoxStart() },
      ];
  }
}

/** What to try on the computer itself, before the first night. */
export function testTextOf(scheduler: Scheduler, reporting: Reporting): ReportText {
  const text = scheduler === 'windows' ? windowsTest(reporting) : testLine(reporting);
  return { label: 'Try it on that computer: sends a test run', text };
}
