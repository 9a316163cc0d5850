import { mix, pick, uid, unit, whole } from '../../world/random.ts';
import { type Attachment, blankMessage, type EmailAddress, type Message } from './message.ts';
import { categories, fileNames, sentences, subjects } from './phrases.ts';
import { specialKinds } from './special-messages.ts';

/** What an invented message is a function of. */
export interface MessageSeed {
  seed: number;
  /** Of the item within its mailbox. */
  number: number;
  owner: EmailAddress;
  domain: string;
  receivedMs: number;
  isDraft: boolean;
  isSent: boolean;
  isRead: boolean;
}

/** The message of a number: always the same, so that nothing of it has to be stored. */
export function generateMessage(from: MessageSeed): Message {
  const { seed, number, domain, receivedMs } = from;
  const chance = unit(seed, number, 601);
  const other = correspondent(from);
  const author = from.isSent || from.isDraft ? from.owner : other;
  const reader = author === from.owner ? other : from.owner;
  const blank = blankMessage(receivedMs, uid(seed, number, 602), domain);
  let made: string | undefined;
  const message: Message = {
    ...blank,
    subject: pick(subjects, seed, number, 603),
    from: author,
    sender: author,
    to: chance < 0.02 ? [] : [reader],
    cc: unit(seed, number, 604) < 0.2 ? [correspondent({ ...from, number: number + 7 })] : [],
    sentMs: receivedMs - whole(1, 90, seed, number, 605) * 1000,
    importance: unit(seed, number, 606) < 0.06 ? 'high' : 'normal',
    categories: unit(seed, number, 607) < 0.12 ? [pick(categories, seed, number, 608)] : [],
    flag: unit(seed, number, 609) < 0.05 ? { flagStatus: 'flagged', times: {} } : blank.flag,
    inferenceClassification: unit(seed, number, 610) < 0.2 ? 'other' : 'focused',
    isRead: from.isRead,
    isDraft: from.isDraft,
    conversationId: uid(seed, number >> 2, 611),
    headers: from.isDraft
      ? []
      : [
          { name: 'X-Mailer', value: 'Sandbox' },
          { name: 'X-Number', value: String(number) },
        ],
    attachments: attachmentsOf(from, other),
    bodyType: isText(from) ? 'text' : 'html',
    // Made on first access: a list that did not select the body of 100,000 messages makes none.
    get body() {
      made ??= bodyOf(from);
      return made;
    },
  };
  const special = from.isDraft ? undefined : specialKinds[Math.floor(unit(seed, number, 612) * 60)];
  return special ? special(message) : message;
}

function correspondent({ seed, number, domain }: MessageSeed): EmailAddress {
  const names = ['Ada Lovelace', 'Émile Zola', '山田 太郎', 'Анна Ахматова', 'Newsletter', 'O\'Neil, "Shaq"'] as const;
  const index = mix(seed, number, 620) % 40;
  return { name: pick(names, index), address: `partner${index}@${index % 3 === 0 ? domain : 'partner.example'}` };
}

const isText = ({ seed, number }: MessageSeed) => unit(seed, number, 630) < 0.4;

function bodyOf(from: MessageSeed): string {
  const { seed, number } = from;
  const kind = unit(seed, number, 630);
  if (kind < 0.03) return '';
  const count = kind > 0.97 ? 400 : whole(2, 30, seed, number, 631);
  const lines = Array.from({ length: count }, (_, at) => pick(sentences, seed, number, at, 632));
  if (isText(from)) return lines.join('\r\n');
  const picture = hasPicture(seed, number) ? `<p><img src="cid:${pictureId(number)}" alt=""></p>` : '';
  const paragraphs = lines.map((line) => `<p>${line.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`);
  return `<html><head><meta charset="utf-8"></head><body>${paragraphs.join('\r\n')}${picture}</body></html>`;
}

const pictureId = (number: number) => `picture-${number}@sandbox.example`;

const hasPicture = (seed: number, number: number) => unit(seed, number, 640) < 0.1 && unit(seed, number, 630) >= 0.4;

/** The smallest PNG: one transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function attachmentsOf(from: MessageSeed, other: EmailAddress): Attachment[] {
  const { seed, number, receivedMs } = from;
  const attachments: Attachment[] = [];
  const facts = () => ({ number: attachments.length + 1, contentId: null, isInline: false, modifiedMs: receivedMs });
  if (hasPicture(seed, number)) {
    const contentId = pictureId(number);
    const named = { ...facts(), name: 'picture.png', contentType: 'image/png', isInline: true, contentId };
    attachments.push({ ...named, kind: 'file', size: pixel.length, bytes: () => pixel });
  }
  const files = unit(seed, number, 641) < 0.18 ? whole(1, 3, seed, number, 642) : 0;
  for (let file = 0; file < files; file += 1) {
    const size = Math.floor(200 * 2 ** (unit(seed, number, file, 643) * 9));
    attachments.push({
      ...facts(),
      kind: 'file',
      name: pick(fileNames, seed, number, file, 644),
      contentType: 'application/octet-stream',
      size,
      bytes: () => bytesOf(size, mix(seed, number, file, 645)),
    });
  }
  if (unit(seed, number, 646) < 0.03) {
    const nested = blankMessage(receivedMs - 86_400_000, uid(seed, number, 647), from.domain);
    attachments.push({
      ...facts(),
      kind: 'item',
      name: 'Embedded: 転送',
      contentType: 'message/rfc822',
      message: {
        ...nested,
        isDraft: false,
        subject: 'Embedded: 転送',
        from: other,
        sender: other,
        to: [from.owner],
        body: 'Within.',
      },
    });
  }
  return attachments;
}

/** Bytes that hardly compress: a slice of a pool, because new ones for each message would cost more than all the rest of it. */
function bytesOf(size: number, seed: number): Buffer {
  const start = seed % (pool.length - size);
  return pool.subarray(start, start + size);
}

const pool = makePool(1 << 18);

function makePool(size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let state = 1;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}
