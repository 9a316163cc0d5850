import { connectors } from '@keepwatch/connectors/registry';
import { beginPhone, confirmPhone } from '@keepwatch/contract/identity/phones';
import type { RunningTwilio } from '@keepwatch/sandbox/twilio/server';
import { sealSettings } from '../../../connections/connection-settings.ts';
import { insertConnection } from '../../../connections/connections.ts';
import type { Pool } from '../../../foundation/database.ts';
import { newId } from '../../../foundation/secrets.ts';
import { type Caller, PASSWORD, TEST_NOW, TEST_SECRETS } from '../../../testing/test-portal.ts';

/** Connects a provider with the sandbox's Twilio. */
export async function connectTwilio(
  database: Pool,
  twilio: RunningTwilio,
  { providerId = 1, messagesADay = '1000' }: { providerId?: number; messagesADay?: string } = {},
): Promise<void> {
  const key = { providerId, id: newId() };
  const { settings: fields } = await connectors.load('sms-codes', 'twilio');
  const { accountSid: user, authToken: secret, serviceSid: service, url } = twilio;
  const sealed = sealSettings(TEST_SECRETS, key, fields, { user, secret, service, messagesADay, url });
  const connection = { ...key, port: 'sms-codes', kind: 'twilio', name: 'Codes', isEnabled: true, ...sealed };
  await insertConnection(database, connection, TEST_NOW);
}

/** The code of the last message to a number. */
export function codeFor(twilio: RunningTwilio, number: string): string {
  const [message] = twilio.messagesTo(number);
  if (message === undefined) throw new Error(`The phone ${number} has received nothing.`);
  return message.slice(-6);
}

/** A code that is not this one. */
export function otherThan(code: string): string {
  return code === '123456' ? '654321' : '123456';
}

let phonesSoFar = 0;

/** A mobile number that no other test has. */
export function newNumber(): string {
  phonesSoFar += 1;
  return `+1500556${String(phonesSoFar).padStart(4, '0')}`;
}

/** Adds a phone to a user, as the user does. */
export async function addPhone(person: Caller, twilio: RunningTwilio, number: string): Promise<readonly string[]> {
  const params = { id: person.userId };
  await person.call(beginPhone, { params, body: { password: PASSWORD, mobilePhone: number } });
  const { data } = await person.call(confirmPhone, { params, body: { code: codeFor(twilio, number) } });
  return data.recoveryCodes ?? [];
}
