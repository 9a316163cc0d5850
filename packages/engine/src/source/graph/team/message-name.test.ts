import { expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { messageName } from './message-name.ts';

const html = (content: string, more: JsonObject = {}): JsonObject => ({
  subject: null,
  body: { contentType: 'html', content },
  attachments: [],
  ...more,
});
const event = (type: string, more: JsonObject = {}) =>
  html('<systemEventMessage/>', {
    eventDetail: { '@odata.type': `#microsoft.graph.${type}EventMessageDetail`, ...more },
  });

it.each<[string, JsonObject]>([
  ['Budget', html('<p>We are over</p>', { subject: 'Budget' })],
  ['Two bold words & a list: eins', html('<p>Two <b>bold</b> words &amp; a&nbsp;list:</p><ul><li>eins</li></ul>')],
  ['a &lt; b', html('a &amp;lt; b')],
  ['5 < 6 &amp; more', { body: { contentType: 'text', content: '5 < 6 &amp; more' } }],
  ['🙂 Thanks', html('<emoji id="smile" alt="🙂" title="Smile"></emoji> Thanks')],
  ['🙂 and 🎉', html('<emoji title="Smile" alt="🙂"/> and <emoji alt="🎉">')],
  ['No character', html('<emoji id="smile"></emoji>No character<emoji alt="')],
  [`${'x'.repeat(80)}…`, html('x'.repeat(90))],
])('a message is called %s by its subject, or else by the beginning of its text', (name, entity) => {
  expect(messageName(entity)).toBe(name);
});

it.each<[string, JsonObject]>([
  ['Picture', html('<p><img src="https://graph.microsoft.com/hostedContents/1/$value"></p>')],
  ['Attachment: Report.docx', html('<attachment id="1"></attachment>', { attachments: [{ name: 'Report.docx' }] })],
  ['Attachment: a.pdf and 1 more', html('', { attachments: [{ name: 'a.pdf' }, { name: 'b.pdf' }] })],
  ['Card', html('', { attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', name: null }] })],
  ['Attachment', html('', { attachments: [{ contentType: 'messageReference' }] })],
  ['Meeting started', event('callStarted', { callEventType: 'meeting' })],
  ['Call ended', event('callEnded', { callEventType: 'call' })],
  ['Members added', event('membersAdded')],
  ['Chat renamed', event('chatRenamed')],
  ['Deleted message', html('', { deletedDateTime: '2026-03-01T00:00:00Z' })],
  ['', html('<p>&nbsp;</p>')],
])('a message without text is called %s by what it has', (name, entity) => {
  expect(messageName(entity)).toBe(name);
});

it('a hostile body takes no time', () => {
  const startedMs = performance.now();
  expect(messageName(html('<emoji '.repeat(2_000) + 'alt="" '.repeat(2_000)))).toBe('');
  expect(performance.now() - startedMs).toBeLessThan(1_000);
});
