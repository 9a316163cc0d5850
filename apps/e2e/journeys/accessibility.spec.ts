import * as places from '../../web/src/entities/places.ts';
import { buildOrganization } from '../../web/src/microsoft365/testing/builders.ts';
import { expectNoBarriers } from '../portal/barriers.ts';
import { expect, test } from '../portal/journey.ts';
import { demonstration, enterAs, open } from '../portal/person.ts';

/** The button that opens each, and where it is. */
const DIALOGS = [
  ['Create a token', '/monitoring/sources'],
  ['Connect a console', '/monitoring/sources'],
  ['Add company', '/monitoring/companies'],
] as const;

const ORGANIZATION = buildOrganization(10, { name: 'Contoso', certificateDaysLeft: 12 });
const CODE = {
  userCode: 'ABCD-EFGH',
  verificationUrl: 'https://microsoft.com/devicelogin',
  expiresIn: 900,
  interval: 5,
  message: '',
};

test('sign-in has no barrier', async ({ page }) => {
  await page.goto(`${demonstration()}/login`);
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expectNoBarriers(page);
});

test('the page after a sign-in elsewhere has no barrier', async ({ page }) => {
  await open(page, places.signInReturn.path);
  await expect(page.getByRole('heading', { name: 'You are not logged in' })).toBeVisible();
  await expectNoBarriers(page);
});

// No user of the demonstration has to add a second factor: what the server says of one is played.
test('the pages that ask for a phone and its code have no barrier', async ({ page }) => {
  await page.route('**/api/auth/login/db/sms/phone', (route) =>
    route.fulfill({ json: { success: true, phone: '•••••••••42' } }),
  );
  await open(page, places.smsVerification.path);
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expectNoBarriers(page);
  await open(page, places.givePhone.path);
  await page.getByLabel(/User name/).fill('grace');
  await page
    .getByLabel(/Password/)
    .first()
    .fill('a password');
  await page.getByLabel(/Mobile phone/).fill('+1 500 555 0042');
  await expectNoBarriers(page);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('textbox', { name: 'Code from your phone' })).toBeVisible();
  await expectNoBarriers(page);
});

test('the pages of a forgotten password have no barrier', async ({ page }) => {
  for (const { path } of [places.unlock, places.resetByQuestions]) {
    await open(page, path);
    await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
    await expectNoBarriers(page);
  }
  await open(page, places.forgotPassword.path);
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible();
  await expectNoBarriers(page);
  await open(page, `${places.setPassword.path}?hash=spent`);
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  await expectNoBarriers(page);
});

test('a page that is not there has no barrier for a stranger', async ({ page }) => {
  await open(page, '/nowhere');
  await expectNoBarriers(page);
});

// The portal of the demonstration has its accounts: what the server of a new one says is played.
test('setup has no barrier, also where the server refuses what was typed', async ({ page }) => {
  const errors = [{ path: 'body.password', message: 'is too easy to guess' }];
  await page.route('**/api/auth/setup/*', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { success: true } })
      : route.fulfill({ status: 422, json: { success: false, code: 'INVALID_INPUT', message: 'No', errors } }),
  );
  await open(page, '/setup/one-time-token');
  await page.getByLabel(/User name/).fill('first-user');
  for (const label of [/Full name/, /Password/]) await page.getByLabel(label).first().fill('a user with a name');
  await page.getByLabel(/E-mail/).fill('user@example.test');
  await expectNoBarriers(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('is too easy to guess')).toBeVisible();
  await expectNoBarriers(page);
});

test('a setup link that is spent has no barrier', async ({ page }) => {
  await open(page, '/setup/one-time-token');
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  await expectNoBarriers(page);
});

// The demonstration has no organization: what the server says of one is played.
test('the renewal of a certificate has no barrier', async ({ page }) => {
  await page.route('**/api/o365/organizations?*', (route) =>
    route.fulfill({ json: { success: true, count: 1, data: [ORGANIZATION] } }),
  );
  await page.route(`**/api/o365/organizations/${ORGANIZATION.id}*`, (route) =>
    route.fulfill({ json: { success: true, data: ORGANIZATION } }),
  );
  await page.route('**/api/o365/organizations/app-device-code', (route) =>
    route.fulfill({ json: { success: true, data: CODE } }),
  );
  await page.route('**/api/o365/organizations/renew-certificate', (route) => {
    const message = 'The code was not entered yet.';
    return route.fulfill({ status: 409, json: { success: false, code: 'DEVICE_CODE_PENDING', message } });
  });
  await enterAs(page, 'm365');
  await open(page, `/o365/organizations/certificate/${ORGANIZATION.companyId}/${ORGANIZATION.id}`);
  await expect(page.getByText(CODE.userCode)).toBeVisible();
  await expectNoBarriers(page);
});

test('the prompt to make the first organization has no barrier', async ({ page }) => {
  await enterAs(page, 'm365', { isPrompted: true });
  await page.goto(demonstration() + places.o365Organizations.path);
  await expect(page.getByRole('dialog', { name: 'Get started' })).toBeVisible();
  await expectNoBarriers(page);
});

for (const [name, path] of DIALOGS) {
  test(`the dialog "${name}" has no barrier`, async ({ pageOf }) => {
    const page = await pageOf('everything');
    await open(page, path);
    await page.getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog', { name: /^(Create an intake token|Connect a console|Add a company)$/ });
    await expect(dialog.getByLabel(/^Name/)).toBeVisible();
    const company = dialog.getByRole('button', { name: 'Company', exact: true });
    if (await company.isVisible()) {
      await company.click();
      await page.getByLabel('Search companies').fill('A company that is not there');
      await expect(page.getByRole('button', { name: /^Create company/ })).toBeVisible();
    }
    await expectNoBarriers(page);
  });
}

test('an opened run has no barrier', async ({ pageOf }) => {
  const page = await pageOf('operator');
  await open(page, '/monitoring/daily-checks?state=all');
  await page.getByRole('grid', { name: 'Job executions' }).getByRole('row').nth(2).click();
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await expectNoBarriers(page);
});
