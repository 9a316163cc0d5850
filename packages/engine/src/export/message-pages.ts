import type { ItemVersion } from '../model/items.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../source/graph/json.ts';
import { encoded, safeHtml } from './safe-html.ts';

export interface ShownMessage {
  html: string;
}

export const ARCHIVE_STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1d1d1f}
article{border:1px solid #d8d8dc;border-radius:8px;padding:.75rem 1rem;margin:1rem 0;overflow-wrap:anywhere}
article article{margin:.75rem 0 0 1.5rem;background:#f7f7f9}
header{color:#5f5f66}header b{color:#1d1d1f}footer{color:#5f5f66;font-size:.9em}
img{max-width:100%}h2{font-size:1.05em;margin:.25rem 0}
`;

/** A page without anything that runs, and without a question to any network. */
export function page(
  title: string,
  links: readonly { href: string; text: string }[],
  messages: readonly ShownMessage[],
): string {
  const policy =
    "script-src 'none'; object-src 'none'; connect-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'";
  const shownLinks = links.map(({ href, text }) => `<li><a href="${encoded(href)}">${encoded(text)}</a></li>`).join('');
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${encoded(policy)}">
<meta name="referrer" content="no-referrer"><title>${encoded(title)}</title><link rel="stylesheet" href="style.css"></head>
<body><h1>${encoded(title)}</h1><ul>${shownLinks}</ul>
${messages.map(({ html }) => html).join('\n')}
</body></html>
`;
}

/** @param images paths of the pictures by their ids */
export function shownMessage(
  { details }: ItemVersion,
  properties: JsonObject,
  images: ReadonlyMap<string, string>,
  replies: readonly ShownMessage[],
): ShownMessage {
  const at = textOf(properties['createdDateTime']) ?? '';
  const edited = textOf(properties['lastEditedDateTime']) === undefined ? '' : ' (edited)';
  const subject = textOf(properties['subject']);
  const html = [
    `<article><header><b>${encoded(details.from ?? 'Unknown')}</b> <time datetime="${encoded(at)}">${encoded(at)}</time>${edited}</header>`,
    subject === undefined ? '' : `<h2>${encoded(subject)}</h2>`,
    bodyOf(properties, images),
    attachmentsOf(properties),
    reactionsOf(properties),
    ...replies.map((reply) => reply.html),
    '</article>',
  ];
  return { html: html.filter((part) => part !== '').join('\n') };
}

function bodyOf(properties: JsonObject, images: ReadonlyMap<string, string>): string {
  if (textOf(properties['deletedDateTime']) !== undefined) return '<p><i>This message was deleted.</i></p>';
  const { contentType, content } = objectOf(properties['body']);
  const text = textOf(content) ?? '';
  if (textOf(contentType)?.toLowerCase() !== 'html') return `<pre>${encoded(text)}</pre>`;
  return `<div>${safeHtml(text, (address) => hostedImage(address, images))}</div>`;
}

/** The picture that an address in a message means, of those that were stored with it by their ids. */
export function hostedImage(address: string, images: ReadonlyMap<string, string>): string | null {
  const id = /\/hostedContents\/([^/"'\\]+)\/\$value/.exec(address)?.[1];
  if (id === undefined) return null;
  return images.get(id) ?? images.get(safelyDecoded(id)) ?? null;
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Files are in the team's drive: they are named here. */
function attachmentsOf(properties: JsonObject): string {
  const names = objectsOf(properties['attachments']).flatMap(({ name }) => textOf(name) ?? []);
  return names.length === 0 ? '' : `<footer>Attached: ${names.map(encoded).join(', ')}</footer>`;
}

/** How often each reaction was given. */
export function reactionCounts(properties: JsonObject): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { reactionType } of objectsOf(properties['reactions'])) {
    const name = textOf(reactionType) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts];
}

function reactionsOf(properties: JsonObject): string {
  const shown = reactionCounts(properties).map(([name, count]) => `${encoded(name)} ${count}`);
  return shown.length === 0 ? '' : `<footer>Reactions: ${shown.join(', ')}</footer>`;
}
