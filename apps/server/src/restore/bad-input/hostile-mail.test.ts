import { execFileSync } from 'node:child_process';
import {
  listMailboxFolders,
  listMailboxItems,
  listRestoreMailboxes,
  type MailboxItem,
} from '@keepwatch/contract/restore/mailboxes';
import { type ItemPreview, previewItem } from '@keepwatch/contract/restore/previews';
import { processorMs } from '@keepwatch/sandbox/testing/processor-time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessionOf } from '../testing/bed-session.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { deliverMail, htmlMail } from '../testing/tenant-mail.ts';

const MEGABYTE = 2 ** 20;
const PICTURE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1.5 * MEGABYTE, 7)]);
const TABLES = '<table><tr><td>';

const ATTACKS = `<html><head><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<link rel="stylesheet" href="https://evil.example/a.css"><style>@import url(https://evil.example/b.css); p { background: url(https://evil.example/c) }</style></head>
<body onload="alert(1)" background="https://evil.example/d"><p style="background:url(https://evil.example/e)" onclick="alert(2)">Dear Ada</p>
<script src="https://evil.example/f.js"></script><script>alert(3)</script><noscript><img src="https://evil.example/g"></noscript>
<form action="https://evil.example/h"><input name="password" type="password"><textarea></textarea><button formaction="https://evil.example/i">Go</button></form>
<iframe src="https://evil.example/j" srcdoc="<script>alert(4)</script>"></iframe><frameset><frame src="https://evil.example/k"></frameset>
<object data="https://evil.example/l"></object><embed src="https://evil.example/m"><video src="https://evil.example/n" poster="https://evil.example/o"></video>
<svg onload="alert(5)"><image href="https://evil.example/p"/><foreignObject><script>alert(6)</script></foreignObject></svg><math><mtext></mtext></math>
<img src="https://evil.example/q" srcset="https://evil.example/r 2x" onerror="alert(7)"><img src="cid:logo@x"><picture><source srcset="https://evil.example/s"></picture>
<a href="javascript:alert(8)">a</a><a href="data:text/html,<script>alert(9)</script>">b</a><a href="vbscript:x">c</a><a href="https://contoso.example/">d</a>
<table background="https://evil.example/t"><tr><td>cell</td></tr></table><marquee onstart="alert(10)">e</marquee><details ontoggle="alert(11)" open>f</details>`;

const MAILS: Readonly<Record<string, string>> = {
  attacks: ATTACKS,
  'five megabytes': `<p>${'Words and <b>more words</b> &amp; signs. '.repeat((5 * MEGABYTE) / 40)}</p>`,
  'five megabytes of signs': '&'.repeat(5 * MEGABYTE),
  'one picture many times': '<img src="cid:logo@x">'.repeat(40_000),
  'megabytes of tables': TABLES.repeat((5 * MEGABYTE) / TABLES.length),
  'a hundred megabytes of tables': TABLES.repeat((100 * MEGABYTE) / TABLES.length),
  'open brackets': '<'.repeat(5 * MEGABYTE),
  'open comments': '<!--'.repeat(MEGABYTE),
  'open attributes': `<a ${'href '.repeat(MEGABYTE)}`,
};

let bed: RestoreBed;
let caller: Caller;
let params: { restoreSessionId: string; mailboxId: string };
let mails: ReadonlyMap<string, MailboxItem>;

beforeAll(async () => {
  bed = await startRestoreBed({ users: 2 });
  caller = await bed.as('o365_admin');
  const [owner] = (await bed.stored.catalog.findObjects({ kinds: ['mailbox'], limit: 10 })).rows;
  const mailboxId = owner?.id ?? '';
  for (const [subject, html] of Object.entries(MAILS))
    deliverMail(bed, mailboxId, subject, htmlMail(subject, html, PICTURE));
  await bed.backUp();
  const restoreSessionId = await openSessionOf(bed, caller, 'vex');
  expect((await caller.call(listRestoreMailboxes, { params: { restoreSessionId } })).data.results).not.toEqual([]);
  params = { restoreSessionId, mailboxId };
  const folders = (await caller.call(listMailboxFolders, { params, query: { limit: 50 } })).data.results;
  const parentId = folders.find(({ category }) => category === 'inbox')?.id ?? '';
  const { results } = (await caller.call(listMailboxItems, { params, query: { parentId, limit: 20, sort: '-date' } }))
    .data;
  mails = new Map(results.map((item) => [item.subject, item]));
}, 120_000);
afterAll(() => bed.stop());

/** The preview of a mail, with how many bytes the answer has. */
async function previewOf(subject: string) {
  const query = { objectId: params.mailboxId, itemId: mails.get(subject)?.id ?? '' };
  const response = await caller.send(previewItem, { params: { restoreSessionId: params.restoreSessionId }, query });
  const text = await response.text();
  expect([subject, response.status]).toEqual([subject, 200]);
  const { data }: { data: ItemPreview } = JSON.parse(text);
  return { data, bytes: text.length };
}

/** Tags with their attributes, as an HTML parser of another program sees them. */
const READ_HTML = `
import sys, json, html.parser
seen = []
class Reader(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        seen.append([tag, dict(attributes)])
Reader().feed(sys.stdin.read())
print(json.dumps(seen))`;

function tagsOf(html: string): [tag: string, attributes: Record<string, string>][] {
  return JSON.parse(execFileSync('python3', ['-c', READ_HTML], { input: html, maxBuffer: 2 ** 28 }).toString());
}

it('a mail that attacks is shown without anything that runs, is sent, is framed or is fetched', async () => {
  const { data } = await previewOf('attacks');
  const tags = tagsOf(data.html ?? '');
  const never =
    /^(?:script|style|link|meta|base|form|input|button|textarea|i?frame|frameset|object|embed|svg|math|video|source|picture|body)$/;
  expect(tags.map(([tag]) => tag).filter((tag) => never.test(tag))).toEqual([]);
  const attributes = tags.flatMap(([, given]) => Object.entries(given));
  expect(attributes.filter(([name]) => !['href', 'rel', 'src', 'alt'].includes(name))).toEqual([]);
  expect(attributes.flatMap(([name, value]) => (name === 'href' ? [value] : []))).toEqual(['https://contoso.example/']);
  const sources = attributes.flatMap(([name, value]) => (name === 'src' ? [value] : []));
  expect(sources.map((source) => source.slice(0, 22))).toEqual(['data:image/png;base64,']);
  expect(data.html).not.toContain('evil.example');
  expect(data.html).toContain('Dear Ada');
});

const LARGE = Object.keys(MAILS).filter((subject) => subject !== 'attacks');

it.each(LARGE)(
  'a mail of %s is answered with five seconds of CPU time, and with so much as a browser shows',
  async (subject) => {
    const read = async () => {
      const { data, bytes } = await previewOf(subject);
      expect(bytes).toBeLessThan(20 * MEGABYTE);
      expect((data.html?.match(/<table>/g) ?? []).length).toBeLessThanOrEqual(200);
      expect(data.isCut || data.losses.length > 0 || (data.html ?? '').length < 20 * MEGABYTE).toBe(true);
    };
    expect(await processorMs(read)).toBeLessThan(5_000);
  },
);

it('a mail of five megabytes says that it is cut, and one of a hundred that its text is a file', async () => {
  expect((await previewOf('five megabytes')).data).toMatchObject({ isCut: true, losses: [] });
  const { data } = await previewOf('a hundred megabytes of tables');
  expect(data).toMatchObject({ html: null, losses: [expect.stringContaining('too large')] });
  expect(data.parts.some(({ sizeBytes }) => sizeBytes >= 100 * MEGABYTE - TABLES.length)).toBe(true);
});
