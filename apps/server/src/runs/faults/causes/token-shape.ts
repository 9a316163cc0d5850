import { hasEndingOfName } from './name-endings.ts';
import { saysCode, saysCodeOfLetters, saysNumberOfMessage, saysPlace, saysPosition } from './words-around.ts';

/** What is around a token. */
interface Around {
  before: string;
  after: string;
}

/** What varies. Names and numbers have one mark: an id of eight digits is sometimes all numbers. */
export const MARK = '#';

/** Returns a mark for a token that varies, and the token itself where it distinguishes causes. */
export function tokenShape(token: string, around: Around): string {
  const core = token.replace(/[.-]$/, '');
  return core === '' || core === token ? shapeOf(token, around) : shapeOf(core, around) + token.slice(core.length);
}

function shapeOf(token: string, around: Around): string {
  if (isCode(token, around.before)) return token;
  if (!/\p{Nd}/u.test(token)) return isHost(token, around.before) ? MARK : token;
  if (/^\p{Nd}+$/u.test(token)) return isNumberOfCode(token, around) ? token : MARK;
  if (!token.includes('.') || /^[\p{Nd}._-]+$/u.test(token) || isDotted(token)) return MARK;
  const labels = token.split('.').map((label) => (label === '' ? '' : shapeOf(label, NOTHING)));
  return labels.join('.');
}

const NOTHING: Around = { before: '', after: '' };

const CODES = [
  /^AADSTS\d+$/,
  /^(?:ORA|RMAN|TNS)-\d{4,5}$/,
  // Constants such as VSS_E_BAD_STATE; a name such as SRV_01 has a part that begins with a digit.
  /^[A-Z]+(?:_[A-Z][A-Z0-9]*)+$/,
];
/** The results of Windows have any length: 0x1, 0x41306, 0x80070005. A longer number is an id or an address in memory. */
const HEXADECIMAL = /^0x[0-9a-f]{1,8}$/i;
/** The messages of IBM, with a letter for how bad it is: SQL1034C, ANS1017E. */
const MESSAGE_ID = /^[A-Z]{2,4}\d{3,5}[CDEINSTW]$/;
const CODE_OF_LETTERS = /^(?:[A-Z\d]{1,8}|[a-f\d]{8})$/;

function isCode(token: string, before: string): boolean {
  if (HEXADECIMAL.test(token)) return !saysPosition(before);
  if (MESSAGE_ID.test(token)) return !saysPlace(before);
  return CODES.some((code) => code.test(token)) || (CODE_OF_LETTERS.test(token) && saysCodeOfLetters(before));
}

/** `ERROR 10:30:46`, `status 28/11/2026`. */
const IN_TIME_OR_DATE = /^[:/]\p{Nd}/u;

function isNumberOfCode(token: string, { before, after }: Around): boolean {
  const isAlone = /[([]$/.test(before) && /^[)\]]/.test(after);
  if (isAlone && token.length >= 3 && token.length <= 5) return true;
  if (IN_TIME_OR_DATE.test(after)) return false;
  return saysCode(before) || saysNumberOfMessage(before, after);
}

/** `on DB-PROD`, `srv.corp.local`, or the name of a file. `DISK-FULL` and `quota.exceeded` may as well be codes: nothing says that they are names. */
function isHost(token: string, before: string): boolean {
  if (token.endsWith('$')) return true;
  if (isDotted(token)) return hasEndingOfName(token) || saysPlace(before);
  return /^[A-Z]+(?:-[A-Z]+)+$/.test(token) && saysPlace(before);
}

const DOTTED = [
  /^[\p{Ll}\p{Nd}_$-]+(?:\.[\p{Ll}\p{Nd}_-]+)*\.\p{Ll}{2,}$/u,
  /^[\p{Lu}\p{Nd}_$-]+(?:\.[\p{Lu}\p{Nd}_-]+)*\.\p{Lu}{2,}$/u,
];

/** In the form of a domain. Words with a capital after a dot, such as `System.IO`, are names of a program's parts. */
function isDotted(token: string): boolean {
  return DOTTED.some((dotted) => dotted.test(token));
}
