import type { Role } from '@keepwatch/contract/abilities';
import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import {
  createOrganization,
  editOrganization,
  listOrganizations,
  type OrganizationDetail,
  readOrganization,
  requestDeviceCode,
} from '@keepwatch/contract/microsoft365/organizations';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildOrganization } from '../testing/builders.ts';

const base = '/o365/organizations/new';
/** Is limited to one company, which is chosen then. */
const user = buildUser({ roles: ['o365_admin'], companyIds: [buildId(1)] });
const company = { _id: buildId(1), name: 'Contoso Ltd', vacId: null, vcdId: null, zertoId: null };
const made = buildOrganization(10, { name: 'Contoso' });
const code = {
  userCode: 'ABCD-EFGH',
  verificationUrl: 'https://microsoft.com/devicelogin',
  expiresIn: 900,
  interval: 0,
  message: '',
};
const pending = { code: 'DEVICE_CODE_PENDING', message: 'The code was not entered yet.' } as const;

function quietAnswers() {
  return createAnswers()
    .on(listReportingCompanies, { success: true, count: 1, data: [company], query: { limit: 1, offset: 0 } })
    .on(requestDeviceCode, { success: true, data: code })
    .on(readOrganization, { success: true, data: made });
}

type Opened = ReturnType<typeof openPortal>;
const next = async ({ page, person }: Opened) => person.click(page.getByRole('button', { name: 'Next' }));
const heading = ({ page }: Opened, name: RegExp) => page.findByRole('heading', { name });

/** Goes to the credentials of a sign-in. */
async function openCredentials(auth: RegExp | null) {
  const opened = openPortal({ path: `${base}/1`, user, answers: quietAnswers() });
  await heading(opened, /^Basics/);
  await next(opened);
  await heading(opened, /^Region and sign-in/);
  if (auth !== null) await opened.person.click(opened.page.getByRole('radio', { name: auth }));
  await next(opened);
  return opened;
}

test('connects with a new application by a code, which is asked for until it was entered', async () => {
  const opened = await openCredentials(null);
  const { page, answers, address } = opened;
  await heading(opened, /^Credentials/);
  expect(address()).toBe(`${base}/4a/modern`);
  await page.findByPlaceholderText('KEEPWATCH-Contoso Ltd');
  answers.refuse(createOrganization, 409, pending);
  await next(opened);
  await page.findByText('ABCD-EFGH');
  expect(address()).toBe(`${base}/5/modern`);
  page.getByRole('button', { name: 'Copy Code' });
  page.getByText(/15:00 left/);
  expect(page.getByRole('link', { name: code.verificationUrl }).getAttribute('href')).toBe(code.verificationUrl);
  await waitFor(() => expect(answers.asked(createOrganization).length).toBeGreaterThan(1));
  expect(page.queryByText(pending.message)).toBeNull();
  answers.on(createOrganization, { success: true, data: made, missing: [], consentUrl: null });
  await heading(opened, /^Repository for Contoso/);
  expect(address()).toBe(`${base}/repo?organization=${buildId(10)}`);
  const settings = { userCode: 'ABCD-EFGH', newApplicationName: 'KEEPWATCH-Contoso Ltd' };
  expect(answers.asked(createOrganization)[0]?.body).toEqual({
    type: 'Office365',
    companyObjId: buildId(1),
    isExchangeOnline: true,
    isSharePointOnline: true,
    isTeamsOnline: true,
    isTeamsChatsOnline: false,
    region: 'Worldwide',
    authType: 'modern',
    exchangeOnlineSettings: settings,
    sharePointOnlineSettings: { ...settings, sharePointSaveAllWebParts: false },
  });
});

test('replaces a code that has expired', async () => {
  const answers = quietAnswers();
  answers.refuse(createOrganization, 409, pending);
  let count = 0;
  answers.on(requestDeviceCode, () => {
    count += 1;
    const data = count === 1 ? { ...code, expiresIn: 0 } : { ...code, userCode: 'NEXT-CODE' };
    return { success: true as const, data };
  });
  const { page } = openPortal({ path: `${base}/5/modern`, user, answers });
  await page.findByText('NEXT-CODE');
  await waitFor(() => {
    const last = answers.asked(createOrganization).at(-1)?.body;
    expect(last?.exchangeOnlineSettings?.userCode).toBe('NEXT-CODE');
  });
});

test('replaces a code that the server no longer knows', async () => {
  const answers = quietAnswers();
  answers.refuse(createOrganization, 409, { code: 'DEVICE_CODE_EXPIRED', message: 'The code has expired.' });
  const { page } = openPortal({ path: `${base}/5/modern`, user, answers });
  await page.findByText('ABCD-EFGH');
  answers.on(requestDeviceCode, { success: true, data: { ...code, userCode: 'NEXT-CODE' } });
  await page.findByText('NEXT-CODE');
});

test('says why a sign-in was refused and stops asking, until there is another code', async () => {
  const answers = quietAnswers();
  const message = 'The account is no administrator of the tenant.';
  answers.refuse(createOrganization, 409, { code: 'ADMINISTRATOR_REQUIRED', message });
  const { page, person } = openPortal({ path: `${base}/5/modern`, user, answers });
  await page.findByText(message);
  expect(answers.asked(createOrganization)).toHaveLength(1);
  answers.on(requestDeviceCode, { success: true, data: { ...code, userCode: 'NEXT-CODE' } });
  answers.on(createOrganization, { success: true, data: made, missing: [], consentUrl: null });
  await person.click(page.getByRole('button', { name: 'New code' }));
  await page.findByRole('heading', { name: /^Repository for Contoso/ });
});

test('says what is left out without full control, as nothing that has to be granted', async () => {
  const answers = quietAnswers();
  const without = 'no list of the applications that a site is given to';
  const missing = [{ permission: 'Sites.FullControl.All', use: 'backup' as const, without, isOptional: true }];
  answers.on(createOrganization, { success: true, data: made, missing, consentUrl: 'https://login.example.test' });
  const { page, person } = openPortal({ path: `${base}/5/modern`, user, answers });
  await page.findByRole('heading', { name: 'Contoso is connected' });
  page.getByText(new RegExp(without));
  expect(page.queryByRole('link', { name: /Grant/ })).toBeNull();
  await person.click(page.getByRole('button', { name: 'Continue' }));
  await page.findByRole('heading', { name: /^Repository for Contoso/ });
});

test('names the permissions that are missing, with the address at which they are granted', async () => {
  const answers = quietAnswers();
  const consentUrl = 'https://login.microsoftonline.com/contoso/adminconsent';
  const missing = [
    { permission: 'Chat.Read.All', use: 'backup' as const, without: 'chats are not backed up', isOptional: false },
  ];
  answers.on(createOrganization, { success: true, data: made, missing, consentUrl });
  const { page, person } = openPortal({ path: `${base}/5/modern`, user, answers });
  await page.findByText('Chat.Read.All');
  page.getByText(/chats are not backed up/);
  const grant = page.getByRole('link', { name: 'Grant permissions at Microsoft' });
  expect(grant.getAttribute('href')).toBe(consentUrl);
  answers.on(editOrganization, { success: true, data: made, missing, consentUrl });
  await person.click(page.getByRole('button', { name: 'Check again' }));
  await page.findByText(/^Still missing/);
  expect(answers.asked(editOrganization)[0]?.body.exchangeOnlineSettings?.applicationId).toBe(
    made.exchangeOnlineSettings.applicationId,
  );
  answers.on(editOrganization, { success: true, data: made, missing: [], consentUrl: null });
  await person.click(page.getByRole('button', { name: 'Check again' }));
  await page.findByRole('heading', { name: /^Repository for Contoso/ });
});

test('explains that basic authentication was refused, and leads on to an application with one press', async () => {
  const opened = await openCredentials(/^Basic/);
  const { page, person, answers, address } = opened;
  await heading(opened, /^Credentials/);
  expect(address()).toBe(`${base}/4/basic`);
  await person.click(page.getByRole('button', { name: 'Back' }));
  expect(address()).toBe(`${base}/3/basic`);
  await next(opened);
  const [account] = await page.findAllByLabelText(/^Account/);
  const [password] = page.getAllByLabelText(/^Password/);
  await person.type(account as HTMLElement, 'backup@contoso.test');
  await person.type(password as HTMLElement, ' secret ');
  const message = 'Microsoft refuses basic authentication for this tenant.';
  answers.refuse(createOrganization, 409, { code: 'BASIC_AUTHENTICATION_ENDED', message });
  await person.click(page.getByRole('button', { name: 'Connect organization' }));
  await page.findByText(message);
  expect(answers.asked(createOrganization)[0]?.body).toMatchObject({
    authType: 'basic',
    exchangeOnlineSettings: { account: 'backup@contoso.test', password: ' secret ' },
  });
  await person.click(page.getByRole('button', { name: 'Continue with modern authentication' }));
  await heading(opened, /^Credentials/);
  await page.findByPlaceholderText('KEEPWATCH-Contoso Ltd');
  expect(address()).toBe(`${base}/4a/modern`);
  expect(page.queryByText(message)).toBeNull();
  await next(opened);
  await page.findByText('ABCD-EFGH');
  page.getByText('Contoso Ltd');
});

test('goes back in the history to the sign-in that was chosen there', async () => {
  const opened = await openCredentials(/^Basic/);
  const { page, person, router, address } = opened;
  await person.click(await page.findByRole('button', { name: 'Continue with modern authentication' }));
  await page.findByPlaceholderText('KEEPWATCH-Contoso Ltd');
  router.history.back();
  await page.findAllByLabelText(/^Account/);
  expect(address()).toBe(`${base}/4/basic`);
});

test('begins at the first step where another one was opened by its address', async () => {
  const opened = openPortal({ path: `${base}/4/legacy`, user, answers: quietAnswers() });
  await heading(opened, /^Basics/);
  await waitFor(() => expect(opened.address()).toBe(`${base}/1`));
});

test('sends the secret of an application that is already there', async () => {
  const opened = await openCredentials(/^Legacy/);
  const { page, person, answers, address } = opened;
  await heading(opened, /^Credentials/);
  expect(address()).toBe(`${base}/4/legacy`);
  const tenant = await page.findByLabelText(/^Tenant/);
  for (const field of [
    tenant,
    page.getByLabelText(/^Application \(client\) ID/),
    page.getByLabelText(/^Client secret/),
  ])
    expect(field).toHaveProperty('required', true);
  await person.type(tenant, 'contoso.onmicrosoft.com');
  await person.type(page.getByLabelText(/^Application \(client\) ID/), 'app-1');
  await person.type(page.getByLabelText(/^Client secret/), 'secret');
  answers.on(createOrganization, { success: true, data: made, missing: [], consentUrl: null });
  await person.click(page.getByRole('button', { name: 'Connect organization' }));
  await heading(opened, /^Repository for Contoso/);
  expect(answers.asked(createOrganization)[0]?.body).toMatchObject({
    authType: 'modernLegacy',
    exchangeOnlineSettings: {
      officeOrganizationName: 'contoso.onmicrosoft.com',
      applicationId: 'app-1',
      applicationSecret: 'secret',
    },
  });
});

test('says what each permission is for, of the services that are backed up', async () => {
  const opened = await openCredentials(null);
  await heading(opened, /^Credentials/);
  await opened.page.findByText('reads mail');
  opened.page.getByText('restores mailboxes');
  expect(opened.page.queryByText('reads chats of users')).toBeNull();
});

test('asks for a service before the next step', async () => {
  const opened = openPortal({ path: `${base}/1`, user, answers: quietAnswers() });
  await heading(opened, /^Basics/);
  for (const name of ['Exchange Online', 'SharePoint Online and OneDrive', 'Microsoft Teams'])
    await opened.person.click(opened.page.getByRole('checkbox', { name }));
  await next(opened);
  await opened.page.findByText('Choose at least one service.');
});

test.each<[string, Partial<OrganizationDetail['exchangeOnlineSettings']>, RegExp]>([
  ['modern where it has a certificate', {}, /^Modern/],
  ['legacy where it has an application alone', { applicationCertificateThumbprint: null }, /^Legacy/],
  ['basic otherwise', { applicationCertificateThumbprint: null, applicationId: null, account: 'a@b.test' }, /^Basic/],
])('opens an organization for editing as %s', async (_, fields, name) => {
  const settings = { ...made.exchangeOnlineSettings, ...fields };
  const data = { ...made, exchangeOnlineSettings: settings, sharePointOnlineSettings: settings };
  const answers = quietAnswers().on(readOrganization, { success: true, data });
  const opened = openPortal({ path: `${base}/1?organization=${buildId(10)}`, user, answers });
  await heading(opened, /^Basics/);
  await next(opened);
  expect(await opened.page.findByRole('radio', { name })).toHaveProperty('checked', true);
});

test('saves an organization without credentials that were not entered again', async () => {
  const answers = quietAnswers()
    .on(editOrganization, { success: true, data: made, missing: [], consentUrl: null })
    .on(listOrganizations, { success: true, count: 1, data: [made] });
  const opened = openPortal({ path: `${base}/1?organization=${buildId(10)}`, user, answers });
  await heading(opened, /^Basics/);
  await opened.person.type(opened.page.getByLabelText('Name'), ' West');
  await next(opened);
  await heading(opened, /^Region/);
  await next(opened);
  await heading(opened, /^Credentials/);
  answers.refuse(createOrganization, 500, { code: 'INTERNAL_ERROR', message: 'must not be asked' });
  await opened.person.click(opened.page.getByRole('button', { name: 'Save organization' }));
  await waitFor(() => expect(answers.asked(editOrganization)).toHaveLength(1));
  expect(answers.asked(editOrganization)[0]?.body).toMatchObject({
    name: 'Contoso West',
    exchangeOnlineSettings: { applicationId: made.exchangeOnlineSettings.applicationId, configureApplication: false },
  });
  await opened.page.findByRole('complementary', { name: 'Contoso' });
});

test('names what an organization lacks after it was changed, too', async () => {
  const lacking = {
    permission: 'Sites.Read.All',
    use: 'backup' as const,
    without: 'No site is backed up.',
    isOptional: false,
  };
  const answers = quietAnswers()
    .on(editOrganization, {
      success: true,
      data: made,
      missing: [lacking],
      consentUrl: 'https://microsoft.test/consent',
    })
    .on(listOrganizations, { success: true, count: 1, data: [made] });
  const opened = openPortal({ path: `${base}/1?organization=${buildId(10)}`, user, answers });
  await heading(opened, /^Basics/);
  await next(opened);
  await heading(opened, /^Region/);
  await next(opened);
  await heading(opened, /^Credentials/);
  await opened.person.click(opened.page.getByRole('button', { name: 'Save organization' }));
  await opened.page.findByText('Sites.Read.All');
  expect(opened.page.getByRole('link', { name: 'Grant permissions at Microsoft' }).getAttribute('href')).toContain(
    '/consent',
  );
});

test('the only company there is, is chosen', async () => {
  const all = buildUser({ roles: ['o365_admin'] });
  const opened = openPortal({ path: `${base}/1`, user: all, answers: quietAnswers() });
  await heading(opened, /^Basics/);
  await opened.page.findByRole('button', { name: /^Company.*Contoso Ltd/ });
});

const none = { success: true, count: 0, query: { limit: 2, offset: 0 } } as const;
const openWithoutCompany = (roles: Role[]) => {
  const answers = quietAnswers().on(listReportingCompanies, { ...none, data: [] });
  return openPortal({ path: `${base}/1`, user: buildUser({ roles }), answers });
};

test('where there is no company, it says who adds one', async () => {
  const alone = openWithoutCompany(['o365_admin']);
  const said = await alone.page.findByText(/Companies are added by users with the role admin/);
  expect(said.textContent).toContain('There is no company yet.');
  expect(alone.page.queryByRole('button', { name: /^Company/ })).toBeNull();
});

test('where there is no company, who may add one does it there', async () => {
  const both = openWithoutCompany(['o365_admin', 'admin']);
  await both.page.findByText(/There is none yet: type its name to add it/);
  await both.page.findByRole('button', { name: /^Company/ });
});
