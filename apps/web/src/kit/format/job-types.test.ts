import { expect, test } from 'vitest';
import { formatJobType } from './job-types.ts';

test.each([
  ['SimpleBackupCopy', 'Backup copy'],
  ['BackupVm', 'VM backup'],
  ['EntireComputer', 'Agent (whole computer)'],
  ['Volume', 'Agent (volume)'],
  ['SqlLogBackup', 'SQL log backup'],
  ['Backup', 'Backup'],
])('%s reads %s', (type, text) => {
  expect(formatJobType(type)).toBe(text);
});

test('splits a word that no list has', () => {
  expect(formatJobType('CloudDirectorBackup')).toBe('Cloud director backup');
  expect(formatJobType('SAPHANALogBackup')).toBe('SAPHANA log backup');
  expect(formatJobType('NDMPToTape')).toBe('NDMP to tape');
  expect(formatJobType('file_share-archive')).toBe('File share archive');
});
