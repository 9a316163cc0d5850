import { jobNameIn, type Reporting, type Tool, targetOf, testOf } from './report-lines.ts';

export const SCRIPT_FOLDER = 'C:\\Scripts';

export function scriptPath({ jobName }: Reporting): string {
  return `${SCRIPT_FOLDER}\\backup-${jobNameIn(jobName)}.ps1`;
}

/** Older versions of Windows begin with a TLS that servers refuse. */
const TLS = '[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor "Tls12"';
/** An exit code of Windows may be any 32 bits; 255 says that it is not 0. */
const EXIT_CODE = '$code = $LASTEXITCODE\nif ($code -lt 0 -or $code -gt 255) { $code = 255 }';
/** Whatever separates times in the language of the computer. */
const NOW = "(Get-Date).ToUniversalTime().ToString('s') + 'Z'";

/**
 * A script that backs up and reports. What restic prints goes through cmd into a file, byte by byte: PowerShell itself would write it in
 * another encoding.
 */
export function windowsScript(tool: Exclude<Tool, 'borg'>, reporting: Reporting): string {
  const uri = `-Uri "$address&exitCode=$code"`;
  const lines =
    tool === 'restic'
      ? [
          '$file = (New-TemporaryFile).FullName',
          'cmd /c "restic backup --json --quiet C:\\Data > $file 2>&1"',
          EXIT_CODE,
          TLS,
          `Invoke-RestMethod -Method Post -TimeoutSec 60 ${uri} -InFile $file`,
          'Remove-Item $file',
        ]
      : [
          `$started = ${NOW}`,
          'cmd /c "C:\\path\\to\\backup.cmd"',
          EXIT_CODE,
          TLS,
          `$run = @{ startedAt = $started; endedAt = ${NOW}; result = 'Success' } | ConvertTo-Json`,
          `Invoke-RestMethod -Method Post -TimeoutSec 60 ${uri} -Body $run`,
        ];
  return [`$address = '${targetOf(reporting)}'`, ...lines].join('\n');
}

/** Registers the script as a task: every night at two, signed in or not. */
export function windowsTask(reporting: Reporting): string {
  const argument = `-NoProfile -ExecutionPolicy Bypass -File ${scriptPath(reporting)}`;
  return [
    `$action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument '${argument}'`,
    '$trigger = New-ScheduledTaskTrigger -Daily -At 02:00',
    `Register-ScheduledTask -TaskName 'Backup ${jobNameIn(reporting.jobName)}' -Action $action -Trigger $trigger -User 'SYSTEM' -RunLevel Highest`,
  ].join('\n');
}

/** Reports a test run from PowerShell: it shows that this computer reaches the portal. */
export function windowsTest(reporting: Reporting): string {
  return [
    TLS,
    `$now = ${NOW}`,
    "$run = @{ tool = 'Test run'; startedAt = $now; endedAt = $now; result = 'Success' } | ConvertTo-Json",
    `Invoke-RestMethod -Method Post -TimeoutSec 60 -Uri '${targetOf(testOf(reporting))}' -Body $run`,
  ].join('\n');
}
