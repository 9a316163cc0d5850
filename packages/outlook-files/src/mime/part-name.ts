import type { MimeNode } from '@zone-eu/mailsplit';
import libmime from 'libmime';
import { contentTypeOf } from './content-type.ts';
import { headerValue } from './header-text.ts';

const LONGEST_NAME = 255;

/**
 * The name of an attachment. It comes from the sender: only what follows the last slash is used, without control characters, so that a
 * file saved under this name is written nowhere else.
 */
export function partName(node: MimeNode, index: number): string {
  const given = givenName(node);
  const last = given.split(/[\\/]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is to be removed
  const clean = last.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  if (clean && !/^\.+$/.test(clean)) {
    return shortened(clean);
  }
  return `attachment-${index + 1}.${extension(contentTypeOf(node) || '')}`;
}

/** Parameters of RFC 2231 come decoded from the library, and others as they are in the header. */
function givenName({ headers }: MimeNode): string {
  if (!headers) return '';
  const { filename, isDecoded } =
    named(headerValue(headers, 'content-disposition'), 'filename') ??
    named(headerValue(headers, 'content-type'), 'name') ??
    NAMELESS;
  return isDecoded ? filename : libmime.decodeWords(filename);
}

const NAMELESS = { filename: '', isDecoded: true };

function named(header: string, parameter: string): typeof NAMELESS | undefined {
  const filename = libmime.parseHeaderValue(header).params[parameter];
  return filename ? { filename, isDecoded: header.toLowerCase().includes(`${parameter}*`) } : undefined;
}

/** Keeps the ending: by it programs know a file. */
function shortened(name: string): string {
  if (name.length <= LONGEST_NAME) {
    return name;
  }
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, LONGEST_NAME - ending.length)}${ending}`;
}

function extension(contentType: string): string {
  if (contentType === 'message/rfc822') {
    return 'eml';
  }
  return contentType === 'text/calendar' ? 'ics' : libmime.detectExtension(contentType) || 'bin';
}
