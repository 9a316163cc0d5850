import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../source/graph/json.ts';
import type { TargetContent } from '../source/target.ts';

/** First bytes of the pictures that a message may hold. */
const PICTURES: readonly [string, RegExp][] = [
  ['image/png', /^89504e47/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638/],
  ['image/webp', /^52494646.{8}57454250/],
];

const DELETED = '(deleted)';

export interface ImportedMessage {
  message: JsonObject;
  /** For people: what of it cannot be said again. */
  losses: string[];
}

/**
 * A message as it is imported: by its author, at its instant, with its pictures in it. People reacted to it themselves, and cannot be made
 * to again.
 */
export async function importedMessage(
  entity: JsonObject,
  contents: readonly TargetContent[],
): Promise<ImportedMessage> {
  const losses = objectsOf(entity['reactions']).length > 0 ? ['reactions'] : [];
  const { user, application } = objectOf(entity['from']);
  if (!isObject(user) && isObject(application)) losses.push('that a program wrote it');
  const body = objectOf(entity['body']);
  // A post that people deleted is written for its replies' sake, which nothing else can hold.
  let content = textOf(body['content']) ?? DELETED;
  const pictures: JsonObject[] = [];
  for (const hosted of contents.filter(({ name }) => name.startsWith('hosted/'))) {
    const bytes = await bytesOf(hosted);
    const contentType = PICTURES.find(([, first]) => first.test(bytes.subarray(0, 12).toString('hex')))?.[0];
    const temporaryId = String(pictures.length + 1);
    if (contentType === undefined) {
      losses.push('a code snippet or picture');
      continue;
    }
    content = content.replaceAll(
      addressOf(hosted.name.slice('hosted/'.length)),
      `../hostedContents/${temporaryId}/$value`,
    );
    pictures.push({ '@microsoft.graph.temporaryId': temporaryId, contentBytes: bytes.toString('base64'), contentType });
  }
  return {
    message: {
      createdDateTime: entity['createdDateTime'],
      from: {
        user: isObject(user) ? { id: user['id'], displayName: user['displayName'], userIdentityType: 'aadUser' } : null,
      },
      body: { contentType: body['contentType'] ?? 'text', content },
      importance: textOf(entity['importance']) ?? 'normal',
      ...(textOf(entity['subject']) === undefined ? {} : { subject: entity['subject'] }),
      attachments: objectsOf(entity['attachments']),
      mentions: objectsOf(entity['mentions']),
      ...(pictures.length > 0 ? { hostedContents: pictures } : {}),
    },
    losses,
  };
}

/** The whole address of a picture in a text, wherever it was. */
const addressOf = (id: string): RegExp =>
  new RegExp(`[^"'\\s]*/hostedContents/(?:${escaped(id)}|${escaped(encodeURIComponent(id))})/\\$value`, 'g');

const escaped = (text: string) => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&');

async function bytesOf({ open }: TargetContent): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of open()) parts.push(part);
  return Buffer.concat(parts);
}
