import {
  getSecretKey,
  removePreviousKey,
  rotateSecretKey,
  type SecretKey,
} from '@keepwatch/contract/administration/secret-key';
import { sendTestMail } from '@keepwatch/contract/administration/test-mail';
import {
  type Connection,
  type ConnectorKind,
  checkConnection,
  createConnection,
  listConnections,
  listConnectorKinds,
  testConnection,
} from '@keepwatch/contract/connections/connections';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const path = '/admin/settings';
const field = { hint: '', isRequired: true };
const mailKind: ConnectorKind = {
  port: 'mail',
  purpose: 'Mail',
  kind: 'smtp',
  label: 'Mail server (SMTP)',
  isManagedHere: true,
  settings: [
    { ...field, name: 'url', label: 'Address', kind: 'url' },
    { ...field, name: 'password', label: 'Password', kind: 'secret' },
    { ...field, name: 'from', label: 'Sender', kind: 'text' },
  ],
};
const smsKind: ConnectorKind = { ...mailKind, port: 'sms-codes', purpose: 'SMS', kind: 'twilio', label: 'Twilio' };

const shared = { isEnabled: true, companies: 0, isManagedHere: true, health: null };
const mail: Connection = {
  ...shared,
  _id: buildId(1),
  port: 'mail',
  purpose: 'Mail',
  kind: 'smtp',
  label: 'Mail server (SMTP)',
  name: 'Office',
  settings: { url: 'smtp://mail.example.com:587', from: 'backup@example.com' },
};
const sms: Connection = {
  ...mail,
  _id: buildId(2),
  port: 'sms-codes',
  kind: 'twilio',
  label: 'Twilio',
  name: 'Codes',
  settings: {},
};

const OLD = '0123456789abcdef';

function buildKey(fields: Partial<SecretKey> = {}): SecretKey {
  return {
    id: 'fedcba9876543210',
    origin: 'file',
    since: '2026-03-01T12:00:00.000Z',
    canRotate: true,
    values: 40,
    lost: 0,
    previous: null,
    ...fields,
  };
}

function open({
  connections = [mail, sms],
  key = {},
  user = buildUser({ roles: ['super-admin'] }),
}: {
  connections?: Connection[];
  key?: Partial<SecretKey>;
  user?: ReturnType<typeof buildUser>;
} = {}) {
  const answers = createAnswers()
    .on(listConnections, { success: true, data: connections })
    .on(listConnectorKinds, { success: true, data: [mailKind, smsKind] })
    .on(getSecretKey, { success: true, data: buildKey(key) });
  return openPortal({ path, user, answers });
}

test('shows the mail server without its password, and sends a test mail', async () => {
  const { page, person, answers } = open();
  const section = within(await page.findByRole('region', { name: 'Mail' }));
  await section.findByText('smtp://mail.example.com:587');
  section.getByText('Encrypted, never shown');
  const message = 'The mail to a@example.test: the server refused it: 550 5.1.1 no such mailbox';
  answers.on(sendTestMail, { success: true, data: { outcome: 'not-allowed', message } });
  await person.click(section.getByRole('button', { name: 'Send a test mail to me' }));
  await section.findByText(message);
  section.getByText(/^The mail server refuses this mail/);
});

test('sets up a mail server where there is none, by the form of its kind', async () => {
  const { page, person, answers } = open({ connections: [] });
  answers
    .on(testConnection, { success: true, data: { outcome: 'works', message: 'It answers.' } })
    .on(createConnection, { success: true, data: mail });
  await person.click(await page.findByRole('button', { name: 'Set up mail' }));
  const dialog = within(await page.findByRole('dialog'));
  await person.type(await dialog.findByLabelText(/^Name/), 'Office');
  await person.type(dialog.getByLabelText(/^Address/), 'smtp://mail.example.com:587');
  await person.type(dialog.getByLabelText(/^Password/), 'secret');
  await person.type(dialog.getByLabelText(/^Sender/), 'backup@example.com');
  await person.click(dialog.getByRole('button', { name: 'Test' }));
  await dialog.findByText('It answers.');
  answers.on(listConnections, { success: true, data: [mail] });
  await person.click(dialog.getByRole('button', { name: 'Connect' }));
  await page.findByText('smtp://mail.example.com:587');
  expect(answers.asked(createConnection).map(({ body }) => [body.port, body.kind])).toEqual([['mail', 'smtp']]);
});

test('tests the SMS service, and leads to where it is changed', async () => {
  const { page, person, answers } = open();
  const section = within(await page.findByRole('region', { name: 'SMS' }));
  answers.on(checkConnection, { success: true, data: { outcome: 'works', message: 'Twilio answers.' } });
  await person.click(section.getByRole('button', { name: 'Test' }));
  await section.findByText('Twilio answers.');
  expect(section.getByRole('link', { name: 'Change it in Connectors' }).getAttribute('href')).toContain(
    `/admin/connectors?open=${sms._id}`,
  );
});

test('rotates the key after a word, and shows how far it is', async () => {
  const { page, person, answers } = open();
  await page.findByText('fedcba9876543210');
  answers.on(rotateSecretKey, () => {
    const previous = { id: OLD, origin: 'file' as const, values: 30, isNeeded: true };
    answers.on(getSecretKey, { success: true, data: buildKey({ previous }) });
    return { success: true as const };
  });
  await person.click(page.getByRole('button', { name: 'Rotate key…' }));
  const word = await page.findByLabelText(/^Type rotate to go on/);
  await person.type(word, 'yes');
  await person.click(page.getByRole('button', { name: 'Rotate key' }));
  await page.findByText('Type rotate to confirm.');
  await person.clear(word);
  await person.type(word, 'rotate');
  await person.click(page.getByRole('button', { name: 'Rotate key' }));
  await page.findByText(/^10 of 40 stored secrets are encrypted with the key in force; 30 are still under/);
  expect(page.queryByRole('button', { name: /^Delete previous key/ })).toBeNull();
  const previous = { id: OLD, origin: 'file' as const, values: 0, isNeeded: false };
  answers.on(getSecretKey, { success: true, data: buildKey({ previous }) });
  await page.findByRole('button', { name: 'Delete previous key…' }, { timeout: 4_000 });
});

test('deletes the previous key after a question that names what needs it', async () => {
  const { page, person, answers } = open({
    key: { previous: { id: OLD, origin: 'file', values: 0, isNeeded: false } },
  });
  answers.on(removePreviousKey, { success: true });
  await person.click(await page.findByRole('button', { name: 'Delete previous key…' }));
  await page.findByText(new RegExp(`^Backups that were made before the rotation need ${OLD}`));
  await person.click(page.getByRole('button', { name: 'Delete previous key' }));
  await page.findByText('The previous key is deleted.');
});

test('says how a key is rotated that the environment gives, and how many secrets no key opens', async () => {
  const { page } = open({ key: { origin: 'environment', canRotate: false, lost: 1, since: null } });
  await page.findByText(/^Set KEEPWATCH_PREVIOUS_SECRET to the key in force/);
  page.getByText(/^1 stored secret cannot be opened/);
  page.getByText('Before this was recorded');
  expect(page.queryByRole('button', { name: /^Rotate key/ })).toBeNull();
});

test('shows no key to those who look after one provider', async () => {
  const user = buildUser({ roles: ['super-admin'], serviceProviderId: 2 });
  const { page, answers } = open({ user });
  await page.findByRole('region', { name: 'SMS' });
  page.getByText(/^No captcha is used/);
  expect(answers.asked(getSecretKey)).toEqual([]);
});
