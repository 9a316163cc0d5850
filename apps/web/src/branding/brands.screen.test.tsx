import {
  type Brand,
  editBrand,
  listBrands,
  removeBrandImage,
  removeChatSecret,
  setChatSecret,
  storeBrandImage,
} from '@keepwatch/contract/branding/brands';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const user = buildUser({ roles: ['super-admin'] });

const ACME: Brand = {
  ...{ id: 2, name: 'Acme', domain: 'acme.example', title: 'Acme', sidebarTitle: 'Acme Backup' },
  signsInByDirectory: false,
  ...{ hasFooter: true, hasSocialMedia: false, hasRules: false, hasHints: true, hasReporting: true },
  serviceLevels: { free: '', basic: '', advanced: '', businessCritical: '', licenseStorage: '', ACH: '' },
  ...{
    hasInvoiceAutomation: false,
    collectsCards: false,
    isStripeEnabled: false,
    hasSupportSection: false,
    hasRequest: false,
  },
  ...{ hasLive: false, hasDownloads: false, hasFaq: false, hasOutlook: true, hasOneDrive: true },
  ...{ hasSharePoint: true, hasTeams: true, reportingVisibleFor: ['all'], supportEmail: 'help@acme.example' },
  layout: 'vmo',
  logo: null,
  icon: null,
  hasChatSecret: false,
};
const { id: _id, logo: _logo, icon: _icon, hasChatSecret: _hasChatSecret, ...SETTINGS } = ACME;

function answersOf(brand: Brand, canSetDomain = true) {
  return createAnswers()
    .on(listBrands, { success: true, data: [brand], canSetDomain })
    .on(editBrand, { success: true, data: brand })
    .on(storeBrandImage, { success: true, data: brand })
    .on(removeBrandImage, { success: true, data: brand });
}

const path = '/admin/brands/2';

test('lists the brands; a row leads to its editor', async () => {
  const { page, person, address } = openPortal({ path: '/admin/brands', user, answers: answersOf(ACME) });
  await person.click(await page.findByText('acme.example'));
  await page.findByRole('heading', { name: 'Acme' });
  expect(address()).toBe(path);
});

test('saves what was changed, and leaves out what is empty', async () => {
  const answers = answersOf(ACME);
  const { page, person } = openPortal({ path, user, answers });
  await person.clear(await page.findByLabelText('Support e-mail'));
  await person.type(page.getByLabelText('Accent colour'), '#1a5fb4');
  await person.click(page.getByLabelText('FAQ'));
  await person.type(page.getByLabelText('Address of FAQ'), 'https://acme.example/faq');
  await person.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText('Acme is saved. People see it when they next open the portal.');
  const { supportEmail: _, ...others } = SETTINGS;
  const changed = { accent: '#1a5fb4', hasFaq: true, faqUrl: 'https://acme.example/faq' };
  expect(answers.asked(editBrand)).toEqual([{ params: { id: 2 }, query: undefined, body: { ...others, ...changed } }]);
});

test('offers service levels under the names that are entered, and card payments through Stripe', async () => {
  const answers = answersOf(ACME);
  const { page, person } = openPortal({ path, user, answers });
  await person.type(await page.findByLabelText('Service level Business critical'), ' Gold ');
  await person.click(page.getByLabelText('Card payments through Stripe'));
  await person.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText('Acme is saved. People see it when they next open the portal.');
  const changed = {
    isStripeEnabled: true,
    serviceLevels: { ...SETTINGS.serviceLevels, businessCritical: 'Gold' },
  };
  expect(answers.asked(editBrand).map(({ body }) => body)).toEqual([{ ...SETTINGS, ...changed }]);
});

test('says beside the field what is wrong with an address, and does not send it', async () => {
  const answers = answersOf(ACME);
  const { page, person } = openPortal({ path, user, answers });
  await person.type(await page.findByLabelText('Address of the terms of use'), 'http://acme.example');
  await person.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText('must be an address that begins with https://');
  expect(answers.asked(editBrand)).toEqual([]);
});

test('shows the refusal of a host name beside it', async () => {
  const message = 'acme.test is the host name of the brand Bolt. Choose another.';
  const answers = answersOf(ACME).refuse(editBrand, 422, {
    code: 'INVALID_INPUT',
    message: 'The brand was not saved.',
    errors: [{ path: 'body.domain', message }],
  });
  const { page, person } = openPortal({ path, user, answers });
  const domain = await page.findByLabelText(/^Host name/);
  await person.clear(domain);
  await person.type(domain, 'acme.test');
  await person.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText(message);
});

test('shows the host name to those who cannot change it', async () => {
  const { page } = openPortal({ path, user, answers: answersOf(ACME, false) });
  await page.findByText('acme.example');
  expect(page.queryByLabelText(/^Host name/)).toBeNull();
});

test.each([
  ['#1a5fb4', /contrast of 6\.2 : 1, which is good \(WCAG level AA\)\.$/],
  [
    '#ffcc00',
    /contrast of 1\.5 : 1, which is too little to be read .* Buttons and links get the darker #[0-9a-f]{6}\.$/,
  ],
  ['#112233', /which is very good \(WCAG level AAA\)\.$/],
])('says in words whether white text on %s can be read', async (accent, said) => {
  const { page } = openPortal({ path, user, answers: answersOf({ ...ACME, accent }) });
  await page.findByText(said);
});

test('previews name, layout and accent as they are typed', async () => {
  const { page, person } = openPortal({ path, user, answers: answersOf(ACME) });
  const preview = within(await page.findByRole('region', { name: 'Preview' }));
  await person.type(page.getByLabelText(/^Name/), ' Cloud');
  preview.getByText('Log in to Acme Cloud');
  await person.selectOptions(page.getByLabelText(/^Layout/), 'managecast');
  expect(preview.getByText('Log in to Acme Cloud').closest('[data-layout]')).toHaveProperty(
    'dataset.layout',
    'managecast',
  );
  await person.type(page.getByLabelText('Accent colour'), '#1a5fb4');
  expect(page.container.innerHTML).toContain('--mantine-primary-color-7: #1a5fb4');
});

test('stores a logo at once, and removes it', async () => {
  const answers = answersOf({ ...ACME, logo: { url: '/api/branding/images/1', width: 320, height: 64 } });
  const { page, person } = openPortal({ path, user, answers });
  await page.findByText('320 × 64 pixels');
  await person.upload(page.getByLabelText('Logo'), new File(['bytes'], 'logo.png', { type: 'image/png' }));
  await waitFor(() => expect(answers.asked(storeBrandImage)).toHaveLength(1));
  expect(answers.asked(storeBrandImage)[0]).toMatchObject({
    params: { id: 2, kind: 'logo' },
    body: { content: btoa('bytes') },
  });
  await person.click(page.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(answers.asked(removeBrandImage)).toHaveLength(1));
});

test('says that a file is too large, and does not send it', async () => {
  const answers = answersOf(ACME);
  const { page, person } = openPortal({ path, user, answers });
  const file = new File(['x'.repeat(200_001)], 'logo.png', { type: 'image/png' });
  await person.upload(await page.findByLabelText('Logo'), file);
  await page.findByText(/^The image has .* Save it smaller\.$/);
  expect(answers.asked(storeBrandImage)).toEqual([]);
});

test('says that there is no such brand', async () => {
  const { page } = openPortal({ path: '/admin/brands/9', user, answers: answersOf(ACME) });
  await page.findByText('No such brand');
});

test('stores the secret of the live chat, shows that there is one, and removes it', async () => {
  const secret = 'a secret of at least thirty-two characters';
  let hasChatSecret = false;
  const brandNow = () => ({ success: true as const, data: { ...ACME, hasChatSecret } });
  const answers = answersOf(ACME)
    .on(listBrands, () => ({ success: true as const, data: [{ ...ACME, hasChatSecret }], canSetDomain: true }))
    .on(setChatSecret, () => {
      hasChatSecret = true;
      return brandNow();
    })
    .on(removeChatSecret, () => {
      hasChatSecret = false;
      return brandNow();
    });
  const { page, person } = openPortal({ path, user, answers });
  const field = await page.findByLabelText(/^Secret of the live chat/);
  await person.type(field, 'short');
  await person.click(page.getByRole('button', { name: 'Save secret' }));
  await page.findByText('Enter at least 32 characters.');
  await person.clear(field);
  await person.type(field, secret);
  await person.click(page.getByRole('button', { name: 'Save secret' }));
  await page.findByText('The secret of the live chat of Acme is saved.');
  expect(answers.asked(setChatSecret).map(({ body }) => body)).toEqual([{ secret }]);
  expect(await page.findByPlaceholderText('A secret is stored')).toHaveProperty('value', '');
  await person.click(await page.findByRole('button', { name: 'Remove secret' }));
  await page.findByRole('button', { name: 'Save secret' });
});
