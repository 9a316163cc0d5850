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
  if (isCode(token)) return token;
  if (!/\p{Nd}/u.test(token)) return isHost(token) ? MARK : token;
  if (/^\p{Nd}+$/u.test(token)) return isNumberOfCode(token, around) ? token : MARK;
  if (!token.includes('.') || /^[\p{Nd}._-]+$/u.test(token) || isDomain(token)) return MARK;
  const labels = token.split('.').map((label) => (label === '' ? '' : shapeOf(label, NOTHING)));
  return labels.join('.');
}

const NOTHING: Around = { before: '', after: '' };

const CODES = [
  /^0x[0-9a-f]{8}$/i,
  /^AADSTS\d+$/,
  /^(?:ORA|RMAN|TNS)-\d{4,5}$/,
  // Constants such as VSS_E_BAD_STATE; a name such as SRV_01 has a part that begins with a digit.
  /^[A-Z]+(?:_[A-Z][A-Z0-9]*)+$/,
];

function isCode(token: string): boolean {
  return CODES.some((code) => code.test(token));
}

/** Words after which a number is a code. */
const SAYS_CODE = /\b(?:error|code|status|errno|http(?:\/[\d.]{1,3})?|event(?: id)?|sense key)[^\p{L}\p{Nd}]{1,3}$/iu;

function isNumberOfCode(token: string, { before, after }: Around): boolean {
  const isAlone = /[([]$/.test(before) && /^[)\]]/.test(after);
  return (isAlone && token.length >= 3 && token.length <= 5) || SAYS_CODE.test(before);
}

/** `DB-PROD`, `srv.corp.local`. Words with a capital after a dot, such as `System.IO`, are names of a program's parts. */
function isHost(token: string): boolean {
  return /^[A-Z]+(?:-[A-Z]+)+$/.test(token) || isDomain(token) || token.endsWith('$');
}

const DOMAINS = [
  /^[\p{Ll}\p{Nd}_$-]+(?:\.[\p{Ll}\p{Nd}_-]+)*\.\p{Ll}{2,}$/u,
  /^[\p{Lu}\p{Nd}_$-]+(?:\.[\p{Lu}\p{Nd}_-]+)*\.\p{Lu}{2,}$/u,
];

function isDomain(token: string): boolean {
  return DOMAINS.some((domain) => domain.test(token));
}
