import {
  type Connection,
  type ConnectorKind,
  checkConnection,
  createConnection,
  deleteConnection,
  editConnection,
  listConnections,
  listConnectorKinds,
  testConnection,
} from '@keepwatch/contract/connections/connections';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { OUTCOME_TEXTS } from '../entities/connection/test-outcome.tsx';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/admin/connectors';
const user = buildUser({ roles: ['super-admin'] });
const field = { hint: '', isRequired: false };

/** A kind with fields of every kind. */
const mail: ConnectorKind = {
  port: 'mail',
  purpose: 'Mail',
  kind: 'mail',
  label: 'Mail service',
  isManagedHere: true,
  settings: [
    { ...field, name: 'url', label: 'Address', hint: 'With its port.', kind: 'url', isRequired: true },
    { ...field, name: 'sender', label: 'Sender', kind: 'text' },
    { ...field, name: 'token', label: 'Token', kind: 'secret', isRequired: true },
    {
      ...field,
      name: 'priority',
      label: 'Priority',
      kind: 'choice',
      isRequired: true,
      options: [
        { value: 'normal', label: 'Normal' },
        { value: 'high', label: 'High' },
      ],
    },
    { ...field, name: 'archive', label: 'Keep a copy', kind: 'flag' },
    { ...field, name: 'perMinute', label: 'Messages a minute', kind: 'number', min: 1, max: 600 },
    { ...field, name: 'key', label: 'Signing key', hint: 'A PEM file.', kind: 'file', accept: '.pem' },
  ],
};

const consoleKind: ConnectorKind = {
  port: 'backup-source',
  purpose: 'Backup source',
  kind: 'vac',
  label: 'Service Provider Console',
  isManagedHere: false,
  settings: [{ ...field, name: 'url', label: 'Address', kind: 'url', isRequired: true }],
};

const health = {
  state: 'ok',
  since: '2026-03-14T12:00:00.000Z',
  checkedAt: '2026-03-15T11:55:00.000Z',
  message: 'Mail service 3.1 answers.',
} as const;

function buildConnection(fields: Partial<Connection> = {}): Connection {
  return {
    _id: buildId(700),
    port: 'mail',
    purpose: 'Mail',
    kind: 'mail',
    label: 'Mail service',
    name: 'Our mail',
    isEnabled: true,
    settings: { url: 'https://mail.test', sender: '', priority: 'high', archive: 'true', perMinute: '60' },
    health,
    companies: 0,
    isManagedHere: true,
    ...fields,
  };
}

const failing = buildConnection({
  _id: buildId(701),
  name: 'Old mail',
  health: { ...health, state: 'failing', message: 'The token was refused; enter another.' },
});
const ofConsole = buildConnection({
  _id: buildId(702),
  port: 'backup-source',
  purpose: 'Backup source',
  kind: 'vac',
  label: 'Service Provider Console',
  name: 'Main console',
  settings: { url: 'https://console.test' },
  companies: 12,
  isManagedHere: false,
});

function open({ connections = [buildConnection(), failing, ofConsole], query = '', roles = user.acl } = {}) {
  const answers = createAnswers()
    .on(listConnections, { success: true, data: connections })
    .on(listConnectorKinds, { success: true, data: [consoleKind, mail] });
  return openPortal({ path: path + query, user: { ...user, acl: roles }, answers });
}

const panelOf = async (page: ReturnType<typeof open>['page'], name: string) =>
  within(await page.findByRole('complementary', { name }));
const works = { success: true, data: { outcome: 'works', message: 'Mail service 3.1 answers.' } } as const;

async function openNew() {
  const opened = open();
  await opened.person.click(await opened.page.findByRole('button', { name: 'Add connection' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Add a connection' }));
  await dialog.findByLabelText(/^Address/);
  return { ...opened, dialog };
}

test('lists the connections of all ports, and narrows them by words and health', async () => {
  const { page, person } = open();
  await page.findByText('Our mail');
  page.getByText('3 connections');
  await person.type(page.getByLabelText('Search connections'), 'backup');
  await page.findByText('1 connection');
  page.getByText('Main console');
  expect(page.queryByText('Our mail')).toBeNull();
  await person.clear(page.getByLabelText('Search connections'));
  await page.findByText('3 connections');
  await person.click(page.getByRole('button', { name: /^Health/ }));
  await person.click(page.getByRole('option', { name: 'Failing' }));
  await page.findByText('1 connection');
  page.getByText('Old mail');
});

test('shows the health and the settings of a connection, but no secret', async () => {
  const { page } = open({ query: `?open=${failing._id}` });
  const panel = await panelOf(page, 'Old mail');
  panel.getByText('Failing');
  panel.getByText('The token was refused; enter another.');
  panel.getByText('5 minutes ago');
  expect((await panel.findByText('Priority')).nextSibling?.textContent).toBe('High');
  expect(panel.getByText('Keep a copy').nextSibling?.textContent).toBe('Yes');
  expect(panel.getAllByText('Encrypted, never shown')).toHaveLength(2);
});

test('tests a connection and says the outcome in words', async () => {
  const { page, person, answers } = open({ query: `?open=${failing._id}` });
  answers.on(checkConnection, works);
  const panel = await panelOf(page, 'Old mail');
  await person.click(panel.getByRole('button', { name: 'Test' }));
  await panel.findByText(OUTCOME_TEXTS.works);
  expect(answers.asked(checkConnection)[0]?.params).toEqual({ id: failing._id });
  expect(answers.asked(listConnections).length).toBeGreaterThan(1);
});

test('links to the screen on which a console is managed', async () => {
  const roles = [{ role: 'super-admin' as const }, { role: 'admin' as const }];
  const { page } = open({ query: `?open=${ofConsole._id}`, roles });
  const panel = await panelOf(page, 'Main console');
  expect(panel.getByRole('link', { name: 'Managed in Sources' }).getAttribute('href')).toBe('/monitoring/sources');
  panel.getByText('12 companies');
  expect(panel.queryByRole('button', { name: 'Edit' })).toBeNull();
});

test('draws each kind of field as what it is, and sends all of them as text once they work', async () => {
  const { page, dialog, person, answers, address } = await openNew();
  const saved = buildConnection({ _id: buildId(703), name: 'New mail' });
  answers.on(testConnection, works).on(createConnection, { success: true, data: saved });
  answers.on(listConnections, { success: true, data: [saved] });
  dialog.getByText('With its port.');
  expect(dialog.getByLabelText(/^Token/)).toHaveProperty('type', 'password');
  await person.type(dialog.getByLabelText(/^Name/), 'New mail');
  await person.type(dialog.getByLabelText(/^Address/), 'https://mail.test');
  await person.type(dialog.getByLabelText(/^Token/), ' secret ');
  expect(dialog.getByRole('button', { name: 'Test' })).toHaveProperty('disabled', true);
  await person.selectOptions(dialog.getByLabelText(/^Priority/), 'High');
  await person.click(dialog.getByRole('checkbox', { name: 'Keep a copy' }));
  await person.type(dialog.getByLabelText(/^Messages a minute/), '601');
  dialog.getByText(/1 to 600/);
  await person.type(dialog.getByLabelText(/^Messages a minute/), '{Backspace}');
  expect(dialog.getByLabelText(/^Signing key/).getAttribute('accept')).toBe('.pem');
  await person.upload(dialog.getByLabelText(/^Signing key/), new File(['KEY\nOF US\n'], 'key.pem'));
  await person.click(dialog.getByRole('button', { name: 'Test' }));
  await dialog.findByText(OUTCOME_TEXTS.works);
  await person.click(dialog.getByRole('button', { name: 'Connect' }));
  await page.findByText('New mail is connected.');
  const settings = {
    url: 'https://mail.test',
    token: ' secret ',
    priority: 'high',
    archive: 'true',
    perMinute: '60',
    key: 'KEY\nOF US\n',
  };
  expect(answers.asked(testConnection)[0]?.body).toEqual({ port: 'mail', kind: 'mail', settings });
  const connection = { port: 'mail', kind: 'mail', name: 'New mail', isEnabled: true, settings };
  expect(answers.asked(createConnection)[0]?.body).toEqual(connection);
  expect(address()).toContain(saved._id);
});

test('shows what is refused beside its field', async () => {
  const { dialog, person, answers } = await openNew();
  const errors = [{ path: 'body.settings.priority', message: 'Priority must be one of normal, high.' }];
  answers.refuse(testConnection, 422, { code: 'INVALID_INPUT', message: 'Not valid.', errors });
  await person.type(dialog.getByLabelText(/^Address/), 'https://mail.test');
  await person.type(dialog.getByLabelText(/^Token/), 'secret');
  await person.selectOptions(dialog.getByLabelText(/^Priority/), 'High');
  await person.click(dialog.getByRole('button', { name: 'Test' }));
  await dialog.findByText('Priority must be one of normal, high.');
  expect(dialog.getByLabelText(/^Priority/).getAttribute('aria-invalid')).toBe('true');
});

test('refuses a file that is too long for a setting', async () => {
  const { dialog, person } = await openNew();
  await person.upload(dialog.getByLabelText(/^Signing key/), new File(['x'.repeat(20_001)], 'key.pem'));
  await dialog.findByText('The file has more than 20,000 characters.');
});

test('renames and switches off without entering a secret again', async () => {
  const { page, person, answers } = open({ query: `?open=${buildId(700)}` });
  const edited = buildConnection({ name: 'Mail', isEnabled: false });
  answers.on(editConnection, { success: true, data: edited });
  await person.click((await panelOf(page, 'Our mail')).getByRole('button', { name: 'Edit' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Edit Our mail' }));
  const name = await dialog.findByLabelText(/^Name/);
  expect(dialog.getByLabelText(/^Token/)).toHaveProperty('placeholder', 'Unchanged');
  await person.clear(name);
  await person.type(name, 'Mail');
  await person.click(dialog.getByRole('checkbox', { name: /^Switched on/ }));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('Mail is saved.');
  expect(answers.asked(editConnection)[0]?.body).toEqual({
    name: 'Mail',
    isEnabled: false,
    settings: { url: 'https://mail.test', sender: '', priority: 'high', archive: 'true', perMinute: '60' },
  });
});

test('deletes a connection after a question', async () => {
  const { page, person, answers, address } = open({ query: `?open=${failing._id}` });
  answers.on(deleteConnection, () => {
    answers.on(listConnections, { success: true, data: [ofConsole] });
    return { success: true as const };
  });
  await person.click((await panelOf(page, 'Old mail')).getByRole('button', { name: 'Delete…' }));
  expect(answers.asked(deleteConnection)).toEqual([]);
  await person.click(await page.findByRole('button', { name: 'Delete connection' }));
  await page.findByText('Old mail is deleted.');
  await page.findByText('1 connection');
  expect(address()).toBe(path);
});

test('says what to do where nothing is connected, and where the address names a connection that is gone', async () => {
  const empty = open({ connections: [] });
  await empty.page.findByText('No connections yet');
  empty.page.unmount();
  const gone = open({ query: `?open=${buildId(799)}` });
  await gone.person.click(await gone.page.findByRole('button', { name: /filters|all/i }));
  await gone.page.findByText('Our mail');
});

test('is in the switcher of those who may open it, and of no others', async () => {
  const roles = [{ role: 'super-admin' as const }, { role: 'operator' as const }];
  const { page, person } = open({ roles });
  await person.click(await page.findByRole('button', { name: 'Administration' }));
  page.getByRole('button', { name: 'Monitoring' });
  page.unmount();
  const other = open({ roles: [{ role: 'operator' }] });
  await other.page.findByText("You don't have access to Connectors");
  expect(other.address()).toContain('/admin/forbidden');
  expect(other.page.queryByRole('button', { name: /Monitoring|Administration/ })).toBeNull();
});
