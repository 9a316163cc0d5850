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

/** Words that may be between "cannot connect to" and the name of the host. */
const WORDS_BETWEEN = 6;

/** Returns the first host that is named after a phrase, within its sentence. */
export function firstHostIn(message: string, phrase: RegExp, serverName: string | null): string | null {
  for (const word of (textAfter(message, phrase) ?? '').split(' ').slice(0, WORDS_BETWEEN)) {
    const name = bare(word);
    if (isQuoted(word) || isHostLike(name) || name.toLowerCase() === serverName?.toLowerCase()) return name;
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

function isQuoted(word: string): boolean {
  return QUOTES.includes(word.charAt(0)) && word.length > 2;
}

/** It has a digit, a dot or a backslash, or is in capitals with hyphens: `off-site` is no host. */
function isHostLike(name: string): boolean {
  if (!/^(?:\\\\)?[\p{L}\p{Nd}]/u.test(name) || /^\p{Nd}+$/u.test(name)) return false;
  return /[\p{Nd}.\\]/u.test(name) || /^\p{Lu}+(?:-\p{Lu}+)+$/u.test(name);
}

const EDGE = new Set(`"'“”‘’«»()[],;:.!?`);

function bare(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && EDGE.has(word.charAt(start))) start += 1;
  while (end > start && EDGE.has(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}
