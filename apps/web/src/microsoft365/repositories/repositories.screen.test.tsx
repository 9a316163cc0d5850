import { listProxies } from '@keepwatch/contract/microsoft365/jobs';
import { listOrganizationNames, readOrganization } from '@keepwatch/contract/microsoft365/organizations';
import {
  createM365Repository,
  deleteM365Repository,
  editM365Repository,
  listRepositoriesOf,
  type Microsoft365Repository,
} from '@keepwatch/contract/microsoft365/repositories';
import { within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildOrganizationName, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildOrganization, buildRepository } from '../testing/builders.ts';

const path = '/o365/repositories';
const user = buildUser({ roles: ['o365_admin'] });
const organization = buildOrganizationName();
const archive = buildRepository(20, { name: 'Archive', organizationName: 'Contoso' });

function answersWith(rows: Microsoft365Repository[], organizations = [organization]) {
  return createAnswers()
    .on(listOrganizationNames, { success: true, data: organizations })
    .on(listRepositoriesOf, { success: true, data: rows });
}

async function openForm(query = `?organization=${buildId(10)}`) {
  const opened = openPortal({ path: path + query, user, answers: answersWith([archive]) });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Create repository' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Create a repository' }));
  await dialog.findByLabelText(/^Name/);
  return { ...opened, dialog };
}

async function fillPassword({ dialog, person }: Awaited<ReturnType<typeof openForm>>) {
  await person.type(dialog.getByLabelText(/^Password/), 'correct horse battery');
  await person.type(dialog.getByLabelText(/^Repeat the password/), 'correct horse battery');
}

async function openOne(repository = archive) {
  const opened = openPortal({ path: `${path}?open=${repository.id}`, user, answers: answersWith([repository]) });
  const panel = within(await opened.page.findByRole('complementary', { name: repository.name }));
  return { ...opened, panel };
}

test('lists repositories with what is used of them and how long they keep', async () => {
  const bucket = buildRepository(21, {
    name: 'Bucket',
    kind: 's3',
    path: 's3://backups/contoso',
    retentionPolicy: null,
    freeBytes: null,
    capacityBytes: null,
  });
  const { page, answers } = openPortal({ path, user, answers: answersWith([archive, bucket]) });
  await page.findByText('Archive');
  const cells = within(page.getByRole('grid', { name: 'Repositories' })).getAllByRole('gridcell');
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    ...['Archive', 'Contoso', '/backups/20', '5 GB', '10.0% full', '5 years', '0'],
    ...['Bucket', 'Organization 10', 's3://backups/contoso', '5 GB', '–', 'Keep forever', '0'],
  ]);
  page.getByText('2 repositories');
  expect(answers.asked(listRepositoriesOf)[0]?.body.organizationsIds).toEqual([buildId(10)]);
});

test('makes a repository in a folder, and shows its recovery sheet once, to be printed', async () => {
  const opened = await openForm();
  const { dialog, page, person, answers, address } = opened;
  answers.on(createM365Repository, { success: true, data: archive });
  const print = vi.fn();
  vi.stubGlobal('print', print);
  onTestFinished(() => void vi.unstubAllGlobals());
  await person.type(dialog.getByLabelText(/^Name/), 'Archive');
  await fillPassword(opened);
  const create = dialog.getByRole('button', { name: 'Create repository' });
  expect(create).toHaveProperty('disabled', true);
  await person.type(dialog.getByRole('textbox', { name: /^Folder/ }), '/backups/contoso');
  await person.type(dialog.getByLabelText(/^Description of the password/), 'vault, entry 12');
  await person.click(create);
  const sheet = within(await page.findByRole('dialog', { name: 'Repository Archive' }));
  sheet.getByText('correct horse battery');
  sheet.getByText('/backups/20');
  await person.click(sheet.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  expect(sheet.getByRole('button', { name: 'Done' })).toHaveProperty('disabled', true);
  await person.click(sheet.getByRole('checkbox'));
  await person.click(sheet.getByRole('button', { name: 'Done' }));
  await page.findByRole('complementary', { name: 'Archive' });
  expect(address()).toContain(`open=${buildId(20)}`);
  expect(answers.asked(createM365Repository)[0]?.body).toEqual({
    organizationId: buildId(10),
    name: 'Archive',
    place: { kind: 'folder', path: '/backups/contoso' },
    password: 'correct horse battery',
    repeatPassword: 'correct horse battery',
    passwordDescription: 'vault, entry 12',
    retentionPolicy: 5,
    immutableDays: 0,
  });
});

test('makes a repository in a bucket that locks what is written', async () => {
  const opened = await openForm();
  const { dialog, page, person, answers } = opened;
  const message = 'The bucket "backups" has no object lock.';
  answers.refuse(createM365Repository, 422, {
    code: 'INVALID_INPUT',
    message,
    errors: [{ path: 'body.immutableDays', message }],
  });
  await person.type(dialog.getByLabelText(/^Name/), 'Bucket');
  await person.click(dialog.getByRole('radio', { name: 'S3 bucket' }));
  await person.type(dialog.getByLabelText(/^Endpoint/), 'https://s3.example.com');
  await person.type(dialog.getByLabelText(/^Bucket/), 'backups');
  await person.type(dialog.getByLabelText(/^Access key ID/), 'key');
  await person.type(dialog.getByLabelText(/^Secret access key/), 'secret');
  await person.clear(dialog.getByLabelText(/^Immutability in days/));
  await person.type(dialog.getByLabelText(/^Immutability in days/), '30');
  await person.selectOptions(dialog.getByLabelText(/^Retention/), 'forever');
  await fillPassword(opened);
  await person.click(dialog.getByRole('button', { name: 'Create repository' }));
  await page.findByText(message);
  expect(answers.asked(createM365Repository)[0]?.body).toMatchObject({
    place: {
      kind: 's3',
      endpoint: 'https://s3.example.com',
      region: 'us-east-1',
      bucket: 'backups',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    },
    retentionPolicy: null,
    immutableDays: 30,
  });
});

test('refuses a password that was repeated otherwise, before it is sent', async () => {
  const { dialog, person, answers } = await openForm();
  await person.type(dialog.getByLabelText(/^Name/), 'Archive');
  await person.type(dialog.getByRole('textbox', { name: /^Folder/ }), '/backups/contoso');
  await person.type(dialog.getByLabelText(/^Password/), 'correct horse battery');
  await person.type(dialog.getByLabelText(/^Repeat the password/), 'correct house battery');
  await person.click(dialog.getByRole('button', { name: 'Create repository' }));
  await dialog.findByText('must be the same password');
  expect(answers.asked(createM365Repository)).toEqual([]);
});

test('changes the retention, and warns of one that deletes more', async () => {
  const { panel, page, person, answers } = await openOne();
  answers.on(editM365Repository, { success: true, data: archive });
  await person.click(panel.getByRole('button', { name: 'Edit' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Edit Archive' }));
  await person.selectOptions(dialog.getByLabelText(/^Retention/), '10');
  expect(dialog.queryByText(/are deleted for good/)).toBeNull();
  await person.selectOptions(dialog.getByLabelText(/^Retention/), '1');
  dialog.getByText(/are deleted for good/);
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('The repository Archive has been changed.');
  expect(answers.asked(editM365Repository)[0]?.body).toEqual({
    name: 'Archive',
    passwordDescription: 'vault, entry 12',
    retentionPolicy: 1,
  });
});

test('asks for the password and the keys of a bucket that were lost, and sends nothing without them', async () => {
  const path = 's3://backups/contoso';
  const bucket = { ...archive, name: 'Bucket', kind: 's3' as const, path, needsPassword: true };
  const { panel, page, person, answers } = await openOne(bucket);
  answers.on(editM365Repository, { success: true, data: { ...bucket, needsPassword: false } });
  panel.getByText('Lost. Edit the repository to enter it again');
  await person.click(panel.getByRole('button', { name: 'Edit' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Edit Bucket' }));
  const save = dialog.getByRole('button', { name: 'Save' });
  await person.type(dialog.getByLabelText(/^Password of the repository/), 'an orange in the attic');
  expect(save).toHaveProperty('disabled', true);
  await person.type(dialog.getByLabelText(/^Access key ID/), 'key');
  await person.type(dialog.getByLabelText(/^Secret access key/), 'secret');
  await person.click(save);
  await page.findByText('The repository Bucket has been changed.');
  expect(answers.asked(editM365Repository)[0]?.body).toMatchObject({
    password: 'an orange in the attic',
    bucketKeys: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
});

test('gives a bucket new keys, and says why they are refused', async () => {
  const bucket = { ...archive, name: 'Bucket', kind: 's3' as const, path: 's3://backups/contoso' };
  const { panel, page, person, answers } = await openOne(bucket);
  const message = 'Nothing can be written in the S3 bucket.';
  answers.refuse(editM365Repository, 409, { code: 'PLACE_REFUSED', message });
  await person.click(panel.getByRole('button', { name: 'Edit' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Edit Bucket' }));
  const keys = within(dialog.getByRole('group', { name: 'New keys of the bucket' }));
  await person.type(keys.getByLabelText(/^Access key ID/), 'new key');
  await person.type(keys.getByLabelText(/^Secret access key/), 'new secret');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(message);
  expect(answers.asked(editM365Repository)[0]?.body.bucketKeys).toEqual({
    accessKeyId: 'new key',
    secretAccessKey: 'new secret',
  });
});

test('offers for a repository of a Veeam server neither verify and prune nor other keys', async () => {
  const bucket = buildRepository(21, { name: 'Bucket', kind: 's3', path: 's3://backups/contoso', engine: 'veeam' });
  const { panel, page, person } = await openOne(bucket);
  expect(panel.queryByRole('button', { name: 'Verify and prune' })).toBeNull();
  for (const term of ['Next prune', 'Next verify']) expect(panel.queryByText(term)).toBeNull();
  await person.click(panel.getByRole('button', { name: 'Edit' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Edit Bucket' }));
  await dialog.findByLabelText(/^Name/);
  expect(dialog.queryByLabelText(/^Access key ID/)).toBeNull();
});

test('the recovery sheet of a bucket says where it is found', async () => {
  const opened = await openForm();
  const { dialog, page, person, answers } = opened;
  answers.on(createM365Repository, { success: true, data: { ...archive, kind: 's3' } });
  await person.type(dialog.getByLabelText(/^Name/), 'Archive');
  await person.click(dialog.getByRole('radio', { name: 'S3 bucket' }));
  await person.type(dialog.getByLabelText(/^Endpoint/), 'https://s3.example.com');
  await person.type(dialog.getByLabelText(/^Bucket/), 'backups');
  await person.type(dialog.getByLabelText(/^Access key ID/), 'key');
  await person.type(dialog.getByLabelText(/^Secret access key/), 'secret');
  await person.type(dialog.getByLabelText(/^Description of the password/), 'vault, entry 12');
  await fillPassword(opened);
  await person.click(dialog.getByRole('button', { name: 'Create repository' }));
  const sheet = within(await page.findByRole('dialog', { name: 'Repository Archive' }));
  sheet.getByText('https://s3.example.com');
  sheet.getByText('us-east-1');
  expect(sheet.queryByText('secret')).toBeNull();
});

test('removes a repository once its name was typed, and says why one stays', async () => {
  const { panel, page, person, answers } = await openOne({ ...archive, jobCount: 1 });
  answers.refuse(deleteM365Repository, 409, { code: 'REPOSITORY_IN_USE', message: 'A job uses it.' });
  await person.click(panel.getByRole('button', { name: 'Remove…' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Remove Archive?' }));
  await person.type(dialog.getByLabelText(/^Name/), 'Archive{Enter}');
  await dialog.findByText('A job uses it.');
  answers.on(deleteM365Repository, { success: true });
  await person.click(dialog.getByRole('button', { name: 'Remove repository' }));
  await page.findByText('The repository Archive has been removed from the portal.');
  expect(answers.asked(deleteM365Repository)[0]?.body).toEqual({
    id: buildId(20),
    companyId: buildId(1),
    repository: 'Archive',
  });
});

test('leads to the organizations where there is none to make a repository for', async () => {
  const { page } = openPortal({ path, user, answers: answersWith([], []) });
  expect((await page.findByRole('link', { name: 'Connect organization' })).getAttribute('href')).toBe(
    '/o365/organizations/new/1',
  );
});

test('makes the first repository of an organization as the last step of connecting it, and leads on to its first job', async () => {
  const answers = answersWith([archive])
    .on(readOrganization, { success: true, data: buildOrganization(10, { name: 'Contoso' }) })
    .on(createM365Repository, { success: true, data: archive })
    .on(listProxies, { success: true, data: [] });
  const opened = openPortal({ path: `/o365/organizations/new/repo?organization=${buildId(10)}`, user, answers });
  const { page, person, address } = opened;
  await page.findByRole('heading', { name: 'Repository for Contoso' });
  expect(page.getByRole('textbox', { name: /^Folder/ })).toHaveProperty('value', 'contoso');
  await fillPassword({ ...opened, dialog: within(page.container) });
  await person.click(page.getByRole('button', { name: 'Create repository' }));
  await page.findByRole('heading', { name: 'Recovery sheet' });
  expect(answers.asked(createM365Repository)[0]?.body.place).toEqual({ kind: 'folder', path: 'contoso' });
  await person.click(page.getByRole('checkbox'));
  await person.click(page.getByRole('button', { name: 'Done' }));
  await page.findByRole('heading', { name: /^Basics/ });
  expect(address()).toBe(`/o365/jobs/1?organization=${buildId(10)}`);
});
