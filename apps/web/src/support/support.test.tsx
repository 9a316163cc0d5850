import type { Branding } from '@keepwatch/contract/branding/branding';
import { makeChatToken, requestSupport } from '@keepwatch/contract/support/support';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildBranding, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

type Links = Branding['features']['supportSection']['links'];
const user = buildUser();

function brandWith(links: Partial<Links>): Branding {
  const off = { enabled: false };
  const section = { enabled: true, links: { request: off, live: off, downloads: off, faq: off, ...links } };
  return buildBranding({ name: 'Harbour', features: { ...buildBranding().features, supportSection: section } });
}

test('sends a request with the page from which the user came, and says where it went', async () => {
  const answers = createAnswers().on(requestSupport, {
    success: true,
    data: { sentTo: 'support@example.test', copyTo: user.email },
  });
  const branding = brandWith({ request: { enabled: true }, downloads: { enabled: true } });
  const { page, person } = openPortal({ path: '/monitoring/downloads?a=1', user, answers, branding });
  await page.findByText('No downloads yet');
  await person.click(page.getByRole('link', { name: 'Request' }));
  expect(await page.findByLabelText(/^Page/)).toHaveProperty(
    'value',
    expect.stringMatching(/^\/monitoring\/downloads/),
  );
  await person.type(page.getByLabelText(/^Subject/), 'No backup since Monday');
  await person.type(page.getByLabelText(/^How can we help/), 'Please look at it.');
  await person.click(page.getByRole('button', { name: 'Send request' }));
  await page.findByText('Request sent');
  page.getByText(
    `It is on its way to support@example.test. A copy is mailed to ${user.email}; answer that to add something.`,
  );
  expect(answers.asked(requestSupport).map(({ body }) => body)).toMatchObject([
    {
      subject: 'No backup since Monday',
      message: 'Please look at it.',
      page: expect.stringMatching(/^\/monitoring\/downloads/),
    },
  ]);
});

test('promises no copy to a user without an address', async () => {
  const answers = createAnswers().on(requestSupport, {
    success: true,
    data: { sentTo: 'support@example.test', copyTo: null },
  });
  const branding = brandWith({ request: { enabled: true } });
  const { page, person } = openPortal({
    path: '/monitoring/support/request',
    user: buildUser({ email: '' }),
    answers,
    branding,
  });
  await page.findByText(/has no e-mail address: write how you can be reached\.$/);
  await person.type(page.getByLabelText(/^Subject/), 'Help');
  await person.type(page.getByLabelText(/^How can we help/), 'Please.');
  await person.click(page.getByRole('button', { name: 'Send request' }));
  await page.findByText(
    'It is on its way to support@example.test. No copy is mailed, as your account has no e-mail address.',
  );
});

test('says why a request was refused, and keeps what was written', async () => {
  const message = 'This portal cannot send mails: no mail server is connected. Write to support@example.test instead.';
  const answers = createAnswers().refuse(requestSupport, 409, { code: 'CONFLICT', message });
  const branding = brandWith({ request: { enabled: true } });
  const { page, person } = openPortal({ path: '/monitoring/support/request', user, answers, branding });
  await person.type(await page.findByLabelText(/^Subject/), 'Help');
  await person.type(page.getByLabelText(/^How can we help/), 'Please.');
  await person.click(page.getByRole('button', { name: 'Send request' }));
  await page.findByText(message);
  expect(page.getByLabelText(/^How can we help/)).toHaveProperty('value', 'Please.');
});

test('loads the chat of the brand after a press alone, with the token by which it recognises the user', async () => {
  const answers = createAnswers().on(makeChatToken, {
    success: true,
    data: { token: 'a.b.c', expiresAt: '2026-03-15T12:05:00.000Z' },
  });
  const branding = brandWith({ live: { enabled: true, url: 'https://chat.example.test/widget?x=1' } });
  const { page, person } = openPortal({ path: '/monitoring/support/live', user, answers, branding });
  const start = await page.findByRole('button', { name: 'Start chat' });
  page.getByText(/^The chat is at chat.example.test/);
  expect(document.querySelector('iframe')).toBeNull();
  expect(answers.asked(makeChatToken)).toEqual([]);
  await person.click(start);
  const frame = await page.findByTitle('Chat with Harbour');
  expect(frame.getAttribute('src')).toBe('https://chat.example.test/widget?x=1#identity=a.b.c');
  const { name, email, serviceProviderId } = user;
  expect(answers.asked(makeChatToken).map(({ body }) => body)).toEqual([{ name, email, serviceProviderId }]);
});

test('leads to the downloads of the brand', async () => {
  const branding = brandWith({ downloads: { enabled: true, url: 'https://files.example.test' } });
  const { page } = openPortal({ path: '/monitoring/downloads', user, branding });
  const link = await page.findByRole('link', { name: 'Open the downloads of Harbour' });
  expect(link.getAttribute('href')).toBe('https://files.example.test');
});

test('is closed where the brand has no support', async () => {
  const { page } = openPortal({ path: '/monitoring/support/request', user, branding: buildBranding() });
  await page.findByText(/do not have|No access|permission/i);
});
