import type { MimeNode } from '@zone-eu/mailsplit';
import libmime from 'libmime';

const LONGEST_NAME = 255;

/**
 * What an attachment is called. The name comes from a stranger: only its last part is taken, without control characters, so that
 * nobody who saves it under its name writes elsewhere.
 */
export function partName(node: MimeNode, index: number): string {
  const given = node.filename ? libmime.decodeWords(node.filename) : '';
  const last = given.split(/[\\/]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is to be removed
  const clean = last.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  if (clean && !/^\.+$/.test(clean)) {
    return shortened(clean);
  }
  return `attachment-${index + 1}.${extension(node.contentType || '')}`;
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
