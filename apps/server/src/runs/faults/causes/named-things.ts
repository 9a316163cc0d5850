import { ipv6AddressIn, isHostLike, isLoopback, isNoHost } from './host-names.ts';

/** How far after a phrase a name is looked for. */
const REACH_LENGTH = 300;
const QUOTES = `"'“‘«`;

function textAfter(message: string, phrase: RegExp): string | null {
  const found = phrase.exec(message);
  if (found === null) return null;
  const at = found.index + found[0].length;
  return message.slice(at, at + REACH_LENGTH);
}

/** Returns the word after a phrase if it is one of a host, a file server or an address. */
export function hostAfter(message: string, phrase: RegExp): string | null {
  const word = /^[^\s]+/u.exec(textAfter(message, phrase) ?? '')?.[0] ?? '';
  const name = bare(word);
  return isHostLike(name) ? name : null;
}

/** Returns the name in quotes after a phrase. */
export function quotedAfter(message: string, phrase: RegExp): string | null {
  return /^["'“‘«]([^"'”’»]{1,200})["'”’»]/u.exec(textAfter(message, phrase) ?? '')?.[1] ?? null;
}

/** An error code after what could not be reached: `the database (SQL1034C)`. */
const CODE_IN_BRACKETS = /^[([][A-Z]{2,4}\d{3,5}[A-Z][)\]]/;

/** Words that may be between "cannot connect to" and the name of the host. */
const WORDS_BETWEEN = 6;

/** Returns the first host that is named in the beginning of a text, within its sentence. */
export function firstHostIn(text: string, serverName: string | null): string | null {
  for (const word of text.split(' ').slice(0, WORDS_BETWEEN)) {
    const name = bare(word);
    const isHost = ((isQuoted(word) && !isNoHost(name)) || isHostLike(name)) && !CODE_IN_BRACKETS.test(word);
    if (isHost || isLoopback(name) || name.toLowerCase() === serverName?.toLowerCase()) return name;
    if (/[.:;,!?]$/.test(word)) return null;
  }
  return null;
}

const ACCOUNT = /\b(?:account|user(?: ?name)?|login) (["'“‘]?[^\s"'”’()]{2,200}["'”’]?)/giu;

/** Returns the account that a message names: in quotes, or in a form that no word has. */
export function accountIn(message: string): string | null {
  for (const [, word = ''] of message.matchAll(ACCOUNT)) {
    const name = bare(word);
    if (isQuoted(word) || /[\p{Nd}\\@$_-]/u.test(name)) return name;
  }
  return null;
}

/** Words after which the host comes on which an account is. */
const ON = /\b(?:on|at|to|server|host|computer|machine|instance) (?=([^\s]{1,255}))/giu;

/** Returns the host on which an account is refused, as far as a message names it. */
export function hostOfAccount(message: string, account: string, serverName: string | null): string | null {
  for (const [, word = ''] of message.matchAll(ON)) {
    const name = bare(word);
    if (name.toLowerCase() === account.toLowerCase()) continue;
    const isHost = isHostLike(name) || isLoopback(name) || name.toLowerCase() === serverName?.toLowerCase();
    if (isHost) return name;
  }
  return null;
}

function isQuoted(word: string): boolean {
  return QUOTES.includes(word.charAt(0)) && word.length > 2;
}

const EDGE = new Set(`"'“”‘’«»()[],;:.!?`);

/** Before an account of the computer itself. */
const LOCAL = '.\\';

function bare(word: string): string {
  const address = ipv6AddressIn(word);
  if (address !== null) return address;
  let [start, end] = [0, word.length];
  while (start < end && EDGE.has(word.charAt(start)) && !word.startsWith(LOCAL, start)) start += 1;
  while (end > start && EDGE.has(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}
