import { type RunningTwilio, startTwilio } from '@keepwatch/sandbox/twilio/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quiet, testContext } from '../testing/context.ts';
import { manifest } from './manifest.ts';

const signal = quiet();
let twilio: RunningTwilio;
beforeAll(async () => {
  twilio = await startTwilio();
});
afterAll(() => twilio.stop());

const open = (changes: Record<string, string> = {}) =>
  manifest.open(
    {
      ...{ user: twilio.accountSid, secret: twilio.authToken, service: twilio.serviceSid },
      ...{ messagesADay: '100', url: twilio.url, ...changes },
    },
    testContext(),
  );
const codeFor = (number: string) => twilio.messagesTo(number)[0]?.slice(-6) ?? '';
const other = (code: string) => (code === '123456' ? '654321' : '123456');

describe('Twilio Verify', () => {
  it('names the service that its test has found', async () => {
    expect(await open().test(signal)).toEqual({ version: '(Keystone Backup)' });
  });

  it('says which setting is wrong', async () => {
    await expect(open({ secret: 'x' }).test(signal)).rejects.toThrow('refuses the API key or its secret');
    const service = `VA${'0'.repeat(32)}`;
    await expect(open({ service }).test(signal)).rejects.toThrow('Verify service: Twilio has none of this SID');
    expect(() => open({ user: 'me' })).toThrow('API key or account');
    expect(() => open({ url: 'ftp://x' })).toThrow('Address');
  });

  it('takes the code that the phone shows, once', async () => {
    const number = '+15005550006';
    const codes = open();
    const id = await codes.send(number, signal);
    expect(await codes.isCode(id, other(codeFor(number)), signal)).toBe(false);
    expect(await codes.isCode(id, codeFor(number), signal)).toBe(true);
    expect(await codes.isCode(id, codeFor(number), signal)).toBe(false);
  });

  it('does not take a code that is too old', async () => {
    const number = '+15005550008';
    const id = await open().send(number, signal);
    twilio.advanceClock(10 * 60_000);
    expect(await open().isCode(id, codeFor(number), signal)).toBe(false);
  });

  it('says that too many codes were sent or tried', async () => {
    const number = '+15005550009';
    const id = await open().send(number, signal);
    for (let sent = 1; sent < 5; sent += 1) await open().send(number, signal);
    await expect(open().send(number, signal)).rejects.toMatchObject({ kind: 'throttled' });
    for (let tried = 0; tried < 5; tried += 1) await open().isCode(id, other(codeFor(number)), signal);
    await expect(open().isCode(id, codeFor(number), signal)).rejects.toMatchObject({ kind: 'throttled' });
  });

  it.each([
    ['(500) 555-0006', '+15005550006'],
    ['+1 900 555 0100', null],
    ['+1 800 555 0100', null],
    ['+44 20 7946 0000', null],
    ['+49', null],
  ])('writes %j as %j', async (given, number) => {
    expect(await open().mobileNumber(given, signal)).toBe(number);
  });

  it('refuses what is no mobile number without quoting it', async () => {
    const error = await open().send('+442079460000', signal).catch(String);
    expect(error).toContain('error 60205');
    expect(error).not.toContain('7946');
  });
});
