import { describe, expect, it } from 'vitest';
import { signsOf } from './run-signs.ts';

function signs(message: string | null, given: Partial<Parameters<typeof signsOf>[0]> = {}) {
  return signsOf({ result: 'Success', message, log: [], ...given });
}

describe('what a success says against itself', () => {
  it.each([
    'Nothing to process. All machines were left out of the task list.',
    'Object SRV-01 was not found and has been left out; the job ended without an error.',
    'Finished, but the upload failed.',
    'Cannot connect to the guest; its logs were not read.',
    '0 of 12 objects processed.',
  ])('is found in: %s', (message) => {
    expect(signs(message)).toEqual(['contradiction']);
  });

  it.each([
    null,
    'Success',
    'Finished with 0 errors and no warnings.',
    'errors: 0, failed=0',
    'Completed without any errors.',
    '12 of 12 objects processed.',
    'Snapshot 0ea3445d: 3 files new, 0 changed, 0 unmodified.',
    'No restore points were removed by retention.',
  ])('is not found in: %s', (message) => {
    expect(signs(message)).toEqual([]);
  });

  it('is found in an error line of its log', () => {
    expect(signs(null, { log: [{ at: null, level: 'error', text: 'x' }] })).toEqual(['contradiction']);
    expect(signs(null, { log: [{ at: null, level: 'warning', text: 'Failed once' }] })).toEqual([]);
  });

  it('is a missing restore point when the source says so, or the message does', () => {
    expect(signs(null, { restorePointCreated: false })).toEqual(['no-restore-point']);
    expect(signs(null, { restorePointCreated: null })).toEqual([]);
    expect(signs('No new restore point was made: 0 of 1 objects processed.')).toEqual([
      'no-restore-point',
      'contradiction',
    ]);
  });

  it('is not looked for in runs that wait for a person anyway', () => {
    expect(signs('Failed', { result: 'Failed', restorePointCreated: false })).toEqual([]);
    expect(signs('Failed in part', { result: 'Warning' })).toEqual([]);
  });
});
