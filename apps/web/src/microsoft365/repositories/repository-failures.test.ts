import { deleteM365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { CallFailed, request } from '@keepwatch/contract/wire/client';
import { describe, expect, test } from 'vitest';
import { inSpecifiedWords } from './repository-failures.ts';

const body = {
  id: '00000000-0000-4000-8000-000000000020',
  companyId: '00000000-0000-4000-8000-000000000001',
  repository: 'Archive',
};
const removed = (fetch: typeof globalThis.fetch) =>
  inSpecifiedWords(() => request({ fetch, origin: '', token: () => null }, deleteM365Repository, { body }));

describe('removing a repository says', () => {
  test('that the server did not answer', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    await expect(removed(fetch)).rejects.toThrow('No response received from server. Try again later.');
  });

  test('that the request could not be made', async () => {
    const broken = inSpecifiedWords(() => Promise.reject(new RangeError('a fault of the page')));
    await expect(broken).rejects.toThrow('Error setting up the request. Try again later.');
  });

  test('what the server said, and where it said nothing the words of the call', async () => {
    const reply = { success: false, code: 'REPOSITORY_IN_USE', message: 'A job uses it.' };
    await expect(removed(async () => Response.json(reply, { status: 409 }))).rejects.toThrow('A job uses it.');
    const nothing = removed(async () => new Response('', { status: 502 }));
    await expect(nothing).rejects.toThrow('Error in remove repository.');
    await expect(nothing).rejects.toBeInstanceOf(CallFailed);
  });
});
