import { jobNameIn, type Reporting } from './report-lines.ts';

export const HOOK_PATH = '/usr/local/bin/backup-report';

/**
 * The script that vzdump of Proxmox VE calls in each phase of a backup (vzdump.conf, `script`). Each guest is a job of its own. vzdump ends the
 * backup of a guest whose hook fails: it must not, so the script always ends with 0, and soon: the next guest waits for it.
 */
export function proxmoxHook({ address, jobName }: Reporting): string {
  return String.raw`#!/bin/bash
address='${address}'
name='${jobNameIn(jobName)}'
phase=$1 guest=$3
state=/run/backup-report-$guest

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
# As a text of JSON: one line, without control characters, quotes escaped.
text() { tr '\n\t' '  ' | tr -d '\000-\037' | sed 's/[\\"]/\\&/g; s/ *$//'; }
report() {
  started=$(cat "$state" 2>/dev/null || now)
  size=$(stat -c '"sizeBytes":%s,' "$TARGET" 2>/dev/null)
  curl -fsS -m 60 --retry 2 --retry-connrefused --data-binary @- "$address?job=$name-$guest" <<END
{"tool":"Proxmox VE","group":"managed-servers","startedAt":"$started","endedAt":"$(now)",$size"result":"$1","message":"$2"}
END
  rm -f "$state"
}

case $phase in
  backup-start) now >"$state" ;;
  backup-end) report Success "$(echo "$VMTYPE $guest, $HOSTNAME" | text)" ;;
  backup-abort) report Failed "$(tail -n 3 "/var/log/vzdump/$VMTYPE-$guest.log" 2>&1 | text)" ;;
esac
exit 0`;
}

export function proxmoxStart(): string {
  return `chmod 700 ${HOOK_PATH} && echo 'script: ${HOOK_PATH}' >>/etc/vzdump.conf`;
}
