import { capital } from './words.ts';

/** What the vendors' words for kinds of jobs mean to a technician. */
const WORDS: Readonly<Record<string, string>> = {
  Backup: 'Backup',
  BackupCopy: 'Backup copy',
  SimpleBackupCopy: 'Backup copy',
  BackupFileCopy: 'File copy',
  BackupFile: 'File share backup',
  BackupVm: 'VM backup',
  ReplicationVM: 'VM replication',
  BackupToTape: 'Backup to tape',
  FileToTape: 'Files to tape',
  SqlLogBackup: 'SQL log backup',
  OracleLogBackup: 'Oracle log backup',
  SureBackup: 'Recovery verification',
  AgentBackupJob: 'Agent backup',
  AgentPolicy: 'Agent policy',
  EntireComputer: 'Agent (whole computer)',
  Volume: 'Agent (volume)',
  FileLevel: 'Agent (files)',
  BackupJob: 'Backup',
  CopyJob: 'Backup copy',
};

/** The words for kinds of jobs, by name. */
export const JOB_TYPE_WORDS: readonly string[] = [...new Set(Object.values(WORDS))].toSorted();

/** The vendors' words for a kind of jobs: `Backup copy` is `BackupCopy` and more. */
export function jobTypesOf(word: string): string[] {
  return Object.keys(WORDS).filter((type) => WORDS[type] === word);
}

/** Formats `SimpleBackupCopy` as `Backup copy`; splits an unknown word: `Cloud director backup`. */
export function formatJobType(type: string): string {
  return WORDS[type] ?? sentenceOf(type);
}

/** Abbreviations stay as they are: `VMware VM tags`, not `v mware v m tags`. */
function sentenceOf(type: string): string {
  const words = type
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .trim()
    .split(/\s+/);
  const [first = '', ...others] = words.map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()));
  return [capital(first), ...others].join(' ');
}
