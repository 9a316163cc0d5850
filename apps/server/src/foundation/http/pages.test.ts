import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startTestPortal } from '../../testing/test-portal.ts';
import { addPages, type PageBrand } from './pages.ts';

const PAGE = `<!doctype html><html lang="en"><head><title>Portal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml" /></head></html>`;

/** The address of a portal that serves a built application of two files. */
async function served(
  brandOf: (host: string) => Promise<PageBrand | null>,
  settings: Parameters<typeof startTestPortal>[1] = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'assets', 'main-1a2b.js'), 'export {};');
  const portal = await startTestPortal((server) => addPages(server, folder, brandOf), settings);
  onTestFinished(async () => {
    await portal.stop();
    await rm(folder, { recursive: true });
  });
  return portal.url;
}

const noBrand = async () => null;

it('serves the files of the browser application to an office behind one address, however many calls it makes', async () => {
  const url = await served(noBrand, { requestsPerMinute: 5 });
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
  const calls: number[] = [];
  for (let call = 0; call < 8; call += 1) calls.push(await statusOf('/api/monitoring/none'));
  expect(calls).toContain(429);
  for (let file = 0; file < 20; file += 1) expect(await statusOf('/assets/main-1a2b.js')).toBe(200);
  expect(await statusOf('/login')).toBe(200);
});

it('answers the name of a file that is not there with the page where a person opens it, and else with 404', async () => {
  const url = await served(noBrand);
  const opened = await fetch(`${url}/companies/acme.corp`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect((await fetch(`${url}/assets/main-0000.js`)).status).toBe(404);
  expect((await fetch(`${url}/api/none`, { headers: { accept: 'text/html' } })).status).toBe(404);
});

it("has the title, the icon and the layout of the host's brand in the page itself, and no markup of theirs", async () => {
  const asked: string[] = [];
  const url = await served(async (host) => {
    asked.push(host);
    return { title: '</title><script>"$&" & Sons', layout: 'vmo', favIconUrl: 'https://cdn.example/i.png?a="1"' };
  });
  const html = await (await fetch(`${url}/login`)).text();
  expect(asked).toEqual([new URL(url).hostname]);
  expect(
    html,
  ).toBe(`<!doctype html><html lang="en" data-brand="vmo"><head><title>&lt;/title&gt;&lt;script&gt;&quot;$&amp;&quot; &amp; Sons</title>
<link rel="icon" href="https://cdn.example/i.png?a=&quot;1&quot;" /></head></html>`);
});

it('serves the page without a brand where there is none, and where it cannot be read', async () => {
  for (const brandOf of [noBrand, () => Promise.reject(new Error('The database is down.'))]) {
    const reply = await fetch(`${await served(brandOf)}/login`);
    expect([reply.status, await reply.text()]).toEqual([200, PAGE]);
  }
});

it('lets the pages of a brand load exactly what the brand has outside of the portal, and no other address', async () => {
  const outside = { frame: 'https://chat.example.com/a;b,c?x=1', script: 'https://stats.example.com/hook.js' };
  const page = { title: 'A', layout: 'vmo', favIconUrl: null };
  const policyOf = async (url: string) => {
    const policy = (await fetch(`${url}/login`)).headers.get('content-security-policy') ?? '';
    return Object.fromEntries(
      policy.split(';').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
    );
  };
  expect(await policyOf(await served(async () => ({ ...page, outside })))).toMatchObject({
    'default-src': "'self'",
    'frame-src': 'https://chat.example.com/a%3Bb%2Cc',
    'script-src': "'self' https://stats.example.com/hook.js",
    'connect-src': "'self' https://stats.example.com",
  });
  const none = await policyOf(await served(async () => ({ ...page, outside: {} })));
  expect(none).toMatchObject({ 'default-src': "'self'", 'connect-src': "'self'" });
  expect(Object.keys(none)).not.toContain('frame-src');
  expect(Object.keys(none)).not.toContain('script-src');
});
