import type { Branding } from '@keepwatch/contract/branding/branding';
import { expect, onTestFinished, test } from 'vitest';
import { buildBranding, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

async function open(fields: Partial<Branding> = {}) {
  const opened = openPortal({
    path: '/monitoring/dashboard',
    user: buildUser(),
    branding: buildBranding({ name: 'Harbour', ...fields }),
    screens: [
      {
        path: '/monitoring/dashboard',
        title: 'Dashboard',
        access: 'signed-in',
        hasFooter: true,
        load: async () => ({ default: () => <p>Dashboard content</p> }),
      },
    ],
  });
  await opened.page.findByText('Dashboard content');
  return opened;
}

async function openPolicy(fields: Partial<Branding> = {}) {
  const opened = await open(fields);
  await opened.person.click(opened.page.getByRole('button', { name: 'Privacy Policy' }));
  const dialog = await opened.page.findByRole('dialog', { name: 'Privacy Policy' });
  return { ...opened, dialog };
}

test('covers every topic of the Privacy Policy in the name of the brand', async () => {
  const { dialog } = await openPolicy();
  expect([...dialog.querySelectorAll('h3')].map((title) => title.textContent)).toEqual([
    'Web logs',
    'Cookies',
    'Beacons',
    'E-mails',
    'Surveys',
    'Messages',
    'Card data',
    'Children under 13',
    'Disclosures',
    'Opt-out',
  ]);
  expect(dialog.textContent).toContain('Harbour does not sell your data.');
  expect(dialog.querySelector('a')?.getAttribute('href')).toBe('mailto:support@example.test');
});

test('names the support without an address where the brand has none', async () => {
  const { dialog } = await openPolicy({ supportEmail: null });
  expect(dialog.textContent).toContain('Ask the support of Harbour.');
  expect(dialog.querySelector('a')).toBeNull();
});

test('opens the Privacy Policy with the keyboard, and gives the focus back on Escape', async () => {
  const { page, person } = await open();
  page.getByRole('button', { name: 'Privacy Policy' }).focus();
  await person.keyboard('{Enter}');
  const dialog = await page.findByRole('dialog', { name: 'Privacy Policy' });
  await expect.poll(() => dialog.contains(document.activeElement)).toBe(true);
  await person.keyboard('{Escape}');
  await expect.poll(() => page.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Privacy Policy' }));
});

test('gives the focus back also after Close', async () => {
  const { page, person } = await openPolicy();
  await person.click(page.getByRole('button', { name: 'Close' }));
  await expect.poll(() => page.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Privacy Policy' }));
});

test('gives assistive technology the number and address even if only an icon is visible', async () => {
  const { page } = await open({ supportPhone: '+1 555 0100' });
  expect(page.getByRole('link', { name: '+1 555 0100' }).getAttribute('href')).toBe('tel:+1 555 0100');
  const mail = page.getByRole('link', { name: 'support@example.test' });
  expect(mail.getAttribute('href')).toBe('mailto:support@example.test');
});

test('leads from the address of the support to the page for a request, if the brand has it', async () => {
  const { features } = buildBranding();
  const off = { enabled: false };
  const links = { request: { enabled: true }, live: off, downloads: off, faq: off };
  const { page } = await open({ features: { ...features, supportSection: { enabled: true, links } } });
  const mail = page.getByRole('link', { name: 'support@example.test' });
  expect(mail.getAttribute('href')).toBe('/monitoring/support/request');
});

test('loads the usage tracking only for who agreed, remembers it, and asks again where the user wants that', async () => {
  const url = 'https://stats.example.test/hook.js';
  const scripts = () =>
    [...document.querySelectorAll<HTMLScriptElement>('script[data-tracking]')].map(({ src }) => src);
  onTestFinished(() => document.querySelector('script[data-tracking]')?.remove());
  const first = await open({ id: 16, trackingUrl: url });
  await first.page.findByRole('region', { name: 'Usage tracking' });
  expect(scripts()).toEqual([]);
  await first.person.click(first.page.getByRole('button', { name: 'Decline' }));
  await expect.poll(() => first.page.queryByRole('region', { name: 'Usage tracking' })).toBeNull();
  expect(scripts()).toEqual([]);
  await first.person.click(await first.page.findByRole('button', { name: 'Usage tracking is off: change' }));
  await first.person.click(await first.page.findByRole('button', { name: 'Allow' }));
  await expect.poll(scripts).toEqual([url]);
  first.page.unmount();
  document.querySelector('script[data-tracking]')?.remove();
  const second = await open({ id: 16, trackingUrl: url });
  await expect.poll(scripts).toEqual([url]);
  expect(second.page.queryByRole('region', { name: 'Usage tracking' })).toBeNull();
  await second.page.findByRole('button', { name: 'Usage tracking is on: change' });
});

test('asks nothing where the brand has no usage tracking', async () => {
  const { page } = await open({ id: 16 });
  expect(page.queryByRole('region', { name: 'Usage tracking' })).toBeNull();
  expect(page.queryByRole('button', { name: /Usage tracking/ })).toBeNull();
});

test('has nothing but the answer about the usage tracking where the brand switched it off', async () => {
  const features = { ...buildBranding().features, footer: false };
  const brand = { id: 16, features, supportPhone: '+1 555 0100', trackingUrl: 'https://stats.example.test/hook.js' };
  const { page, person } = await open(brand);
  await person.click(await page.findByRole('button', { name: 'Decline' }));
  await page.findByRole('button', { name: 'Usage tracking is off: change' });
  expect(page.getByRole('contentinfo').textContent).toBe('Usage tracking is off: change');
  page.unmount();
  const { page: other } = await open({ ...brand, trackingUrl: null });
  expect(other.queryByRole('contentinfo')).toBeNull();
});

test('has no Privacy Policy for any other brand', async () => {
  const { page } = await open({ id: 2 });
  expect(page.getByText('© 2026 Harbour')).toBeDefined();
  expect(page.queryByRole('button', { name: 'Privacy Policy' })).toBeNull();
});
