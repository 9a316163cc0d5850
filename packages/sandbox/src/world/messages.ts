import type { MessageFamily } from './job.ts';

type Texts = readonly [string, ...string[]];

/**
 * What the products print. {object}, {host}, {repository}, {server}, {job}, {code} and {gigabytes} are filled in.
 * Line breaks are \r\n, as the published description says.
 */
export const failures: Record<MessageFamily, Texts> = {
  vm: [
    "Processing {object} finished with errors: could not take a quiesced snapshot of the virtual machine within 900 seconds.\r\nGuest tools reported: the VSS writer 'SqlServerWriter' is in a failed state.",
    'Cannot reach host {host}: the connection was refused on port 902. Objects of this host were left out.\r\nJob finished with error.',
    'Failed to open virtual disk {object}_1.vmdk for reading: the file is locked by another process on {host}.',
    "Unable to allocate processing resources: no backup proxy of the job can access datastore 'VMFS-{code}'.",
    'Login to the virtualization server failed: the user name or the password is not correct (account svc-backup).',
    'The changed block map of {object} is not valid. The incremental run was stopped to protect the restore point chain.',
  ],
  copy: [
    'Copying restore points to {repository} stopped: the remote gateway closed the connection (error 10054).',
    'The source restore point of {object} is locked by a running job; the copy window ended before it was released.',
    'Could not verify the copied block 0x{code}: checksum does not match. The copy of {object} was discarded.',
  ],
  replica: [
    'Replica {object}_replica has snapshots that were not made by this product; the run was stopped.',
    'Not enough free memory on target host {host} to register the replica of {object}.',
    'Connection to the target site was lost at 63 %; restore point of {object} was not committed.',
  ],
  log: [
    'Transaction logs of {object} could not be shipped: the log chain is broken, a new image-level backup is needed.',
    'The log shipping server {host} does not answer. Logs of {object} stay in the guest.',
  ],
  tape: [
    'No writable tape in media pool Weekly. Insert a blank tape into drive 1 and retry.',
    'Tape drive 1 reports a hardware error (sense key 4). Cleaning did not help.',
  ],
  agent: [
    'Failed to create a volume snapshot: not enough storage is available for shadow copy on volume C: of {object}.',
    'Backup of {object} failed: cannot write to {repository}, access is denied for the account used by the agent.',
    'The agent on {object} lost its connection to the target (network path was not found). 3 of 3 attempts used.',
    'Volume D: of {object} has file system errors and could not be read at offset {code}. Run a disk check.',
    'Processing {object} was interrupted: the computer went to sleep.',
  ],
  microsoft365: [
    'Mailbox of {object} could not be processed: the application has no consent for full_access_as_app any more (AADSTS700{code}).',
    'The application certificate expired. Renew the certificate of the backup application for this organization.',
    'Requests are throttled by Microsoft 365 (429). Retry limit reached for site https://{object}.',
  ],
  cloud: [
    'Policy run failed: the role of the appliance may not create snapshots of instance {object} (UnauthorizedOperation).',
    'Worker instance could not be started in this region: vCPU quota reached.',
    'Disk of {object} is encrypted with a key that the appliance cannot use.',
  ],
  files: [
    'Cannot access file share {object}: the specified network name is no longer available.',
    'File share backup of {object} stopped: the cache repository is offline.',
    'Authentication to {object} failed: the referenced account is locked out.',
  ],
};

export const warnings: Record<MessageFamily, Texts> = {
  vm: [
    'Guest tools of {object} are out of date; application-aware processing was skipped.',
    'Processing {object}: changed block tracking could not be used, all blocks were read.',
    'Free space on {repository} is low: {gigabytes} GB left.',
    'Could not truncate transaction logs of {object}: access is denied.',
  ],
  copy: ['Restore point of {object} was not copied in the interval set for this job and will be copied next time.'],
  replica: ['Network mapping for {object} has no entry; the replica was connected to the default network.'],
  log: ['{object} has databases in simple recovery model; their logs were left out.'],
  tape: ['Tape {code} was used past its expected life. Replace it soon.'],
  agent: [
    'File C:\\Users\\Public\\{code}.ost on {object} was locked and has been skipped.',
    'Backup of {object} finished, but the recovery image is older than the operating system.',
    'Volume labelled Recovery on {object} was left out: file system not supported.',
  ],
  microsoft365: [
    '2 of the processed objects had warnings: mailbox {object} has no licence and was skipped.',
    'OneDrive of {object} was not found; the user may have been removed.',
  ],
  cloud: ['Snapshot of {object} was made, but the archive copy will follow in the next run.'],
  files: ['{object}: 14 files were skipped because other programs held them open.'],
};

/** Messages of a run with the result Success that contradict it. */
export const contradictions: Texts = [
  'Nothing to process. All machines were left out of the task list.',
  'No new restore point was made: 0 of 1 objects processed.',
  'Object {object} was not found and has been left out; the job ended without an error.',
];

export const repositoryFull =
  'There is not enough space on the disk. Failed to write data to the file {job}.vbk on {repository} ({gigabytes} GB free).\r\nAll further processing was stopped.';

/** Fills the marks of a text; a mark without a value stays as it is, so that a mistake is seen. */
export function fillText(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (mark, name: string) => values[name] ?? mark);
}
