import { getProfile } from '@keepwatch/contract/identity/sessions';
import { CallFailed, type Transport } from '@keepwatch/contract/wire/client';
import { expect, test, vi } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { createApi, messageOf } from './api.ts';

const user = buildUser();
const input = { params: { id: user.id } };

function refusedWith(status: number, message: string) {
  const answers = createAnswers().refuse(getProfile, status, { code: 'INTERNAL_ERROR', message });
  const onExpired = vi.fn();
  let token: string | null = 'a';
  const transport: Transport = { fetch: answers.fetch, origin: '', token: () => token };
  const change = (next: string | null) => {
    token = next;
  };
  return { api: createApi(transport, onExpired), onExpired, change };
}

test('gives the reply of a call', async () => {
  const answers = createAnswers().on(getProfile, { success: true, data: user });
  const api = createApi({ fetch: answers.fetch, origin: '', token: () => 'a' }, vi.fn());
  expect((await api.request(getProfile, input)).data.username).toBe('operator');
});

test('says that the session is over when it has expired, and still fails the call', async () => {
  const { api, onExpired } = refusedWith(401, 'Your session has expired.');
  await expect(api.request(getProfile, input)).rejects.toBeInstanceOf(CallFailed);
  expect(onExpired).toHaveBeenCalledTimes(1);
});

test('keeps the session when a refusal has another reason', async () => {
  const { api, onExpired } = refusedWith(401, 'The current password is not valid.');
  await expect(api.request(getProfile, input)).rejects.toThrow('The current password is not valid.');
  expect(onExpired).not.toHaveBeenCalled();
});

test('keeps the session when something else has expired', async () => {
  const { api, onExpired } = refusedWith(409, 'The certificate has expired.');
  await expect(api.request(getProfile, input)).rejects.toThrow();
  expect(onExpired).not.toHaveBeenCalled();
});

test('keeps a new session when a call of the one before is refused late', async () => {
  const { api, onExpired, change } = refusedWith(401, 'Your session has expired.');
  const asked = api.request(getProfile, input);
  change('b');
  await expect(asked).rejects.toThrow();
  expect(onExpired).not.toHaveBeenCalled();
});

test('does not end a session that there is not', async () => {
  const { api, onExpired, change } = refusedWith(401, 'Your session has expired.');
  change(null);
  await expect(api.request(getProfile, input)).rejects.toThrow();
  expect(onExpired).not.toHaveBeenCalled();
});

test("shows the server's words, and none of the program's own", () => {
  expect(messageOf(new CallFailed(409, { success: false, code: 'INTERNAL_ERROR', message: 'It is in use.' }))).toBe(
    'It is in use.',
  );
  expect(messageOf(new TypeError('x is not a function'))).not.toContain('not a function');
});
