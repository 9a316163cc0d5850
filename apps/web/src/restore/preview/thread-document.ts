import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import { formatDateTime } from '../../kit/format/dates.ts';
import { frameDocument } from './mail-body.tsx';

const STYLE =
  'article{border:1px solid #d8d8dc;border-radius:6px;padding:8px 12px;margin:0 0 8px}article[data-open]{border-color:#1d64d8;border-width:2px}header,footer{color:#5f5f66;font-size:12px}header b{color:#1a1d23;font-size:13px}h2{font-size:14px;margin:4px 0}p{margin:4px 0}pre{font:inherit;white-space:pre-wrap;margin:4px 0}';

/** A conversation as one document for a sandboxed frame: who said what and when, with what was attached and how others reacted. */
export function threadDocument(messages: readonly ItemPreview[], openId: string): string {
  return frameDocument(messages.map((message) => articleOf(message, message.id === openId)).join(''), STYLE);
}

function articleOf({ from, sentAt, html, text, isCut, facts, losses }: ItemPreview, isOpen: boolean): string {
  const time = sentAt === null ? '' : `<time datetime="${sentAt}">${escaped(formatDateTime(sentAt))}</time>`;
  const known = facts.map(({ name, value, type }) => `${name}: ${type === 'instant' ? formatDateTime(value) : value}`);
  const notes = [
    ...known,
    ...(isCut ? ['Only the beginning is shown. Open the message to see all of it.'] : []),
    ...losses,
  ];
  return [
    `<article${isOpen ? ' data-open' : ''}>`,
    `<header><b>${escaped(from?.name ?? 'Unknown')}</b> ${time}${isOpen ? ' · this message' : ''}</header>`,
    html === null ? `<pre>${escaped(text ?? '')}</pre>` : `<div>${html}</div>`,
    ...notes.map((note) => `<footer>${escaped(note)}</footer>`),
    '</article>',
  ].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
