import * as z from 'zod/mini';

/** Fields that many calls share. Query fields accept the texts of an address as well as the values of a typed caller. */

/** Most rows a list gives in one reply. */
export const LIMIT_MAX = 1_000;
/** Rows a list gives when the caller sets no limit. */
export const LIMIT_DEFAULT = 10;

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** A whole number within bounds, as number or as decimal text. */
export function wholeNumber(min: number, max: number) {
  const error = 'must be one whole number';
  return z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^-?\d{1,15}$/, error))], error),
    z.pipe(z.transform(Number), z.int().check(z.minimum(min), z.maximum(max))),
  );
}

/** `limit` and `offset` of a list. */
export const page = {
  limit: z._default(wholeNumber(1, LIMIT_MAX), LIMIT_DEFAULT),
  offset: z._default(wholeNumber(0, 10_000_000), 0),
};

/** `field` ascending, `-field` descending. */
export function sortBy<const F extends readonly string[]>(fields: F) {
  type Sort = F[number] | `-${F[number]}`;
  const allowed = fields.flatMap((field) => [field, `-${field}`]) as [Sort, ...Sort[]];
  return z.optional(z.enum(allowed));
}

/** One or more of something; a key given once is a list of one. */
export function oneOrMore<T extends z.ZodMiniType>(item: T) {
  return z.pipe(
    z.union([z.array(item).check(z.maxLength(1_000)), item]),
    z.transform((value): z.output<T>[] => (Array.isArray(value) ? value : [value])),
  );
}

/** `true` or `false`, also as text. */
export const flag = z.pipe(
  z.union([z.boolean(), z.enum(['true', 'false'])]),
  z.transform((value) => value === true || value === 'true'),
);

/** A UTC instant, quoted (`"2026-01-01T00:00:00.000Z"`) or bare, between the years 2000 and 2100. Leaves as ISO text. */
export const instantInQuery = z.pipe(
  z.string().check(z.maxLength(40)),
  z.pipe(
    z.transform((text: string) => text.replace(/^"(.*)"$/, '$1')),
    z.pipe(
      instantText(),
      z.transform((text) => new Date(text).toISOString()),
    ),
  ),
);

/** A UTC instant in a reply: ISO 8601 with time and zone. */
export const instant = instantText();

/** The same in a body. Leaves as ISO text in UTC, whatever zone it was given in. */
export const instantInBody = z.pipe(
  instantText(),
  z.transform((text: string) => new Date(text).toISOString()),
);

function instantText() {
  return z.string().check(
    z.regex(
      /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/,
      // Only the first reason is reported.
      { error: 'must be a date like 2026-01-31T00:00:00.000Z', abort: true },
    ),
    z.refine(
      (text) => isPlausible(Date.parse(text)) && isRealDay(text.slice(0, 10)),
      'must be a real date between the years 2000 and 2100',
    ),
  );
}

function isPlausible(at: number): boolean {
  return Number.isFinite(at) && at >= EARLIEST && at < LATEST;
}

/** Programs read 31 February as 3 March; people do not mean that. */
function isRealDay(day: string): boolean {
  const at = Date.parse(day);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(day);
}

/** From and to of a reporting range; both required, `to` not before `from`, at most 400 days. */
export const range = { from: instantInQuery, to: instantInQuery };

/** A day: a backup day of the provider, unless its call says that it is one of UTC. */
export const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, 'must be a day like 2026-01-31'));

/** An id made by us. */
export const id = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be an id'));

/** A text a person types: bounded, no control characters but line breaks and tabs. */
export function text(max: number) {
  return z.string().check(
    z.maxLength(max),
    // Half of a surrogate pair is no character; PostgreSQL accepts none.
    z.refine((value) => value.isWellFormed(), 'must be well-formed Unicode'),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    z.regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'must not contain control characters'),
  );
}

/** A name a person or a tool gives: a text that says something, without blanks around it. */
export function nameText(max: number) {
  return text(max).check(
    z.overwrite((value) => value.trim()),
    z.minLength(1, 'must not be blank'),
  );
}

/** A name on one line, for mails: a second line would read as text of the portal there, and in a subject as another header. */
export function lineText(max: number) {
  return nameText(max).check(z.regex(/^[^\r\n\t\u0085\u2028\u2029]*$/, 'must be one line'));
}

/** An e-mail address; only its form is checked. */
export const emailAddress = text(200).check(z.regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address'));

/** A link that a person may follow: a page of this portal (`/monitoring/sources`), or an address of http or https. */
export const webAddress = text(2_000).check(
  z.regex(/^(https?:\/\/[^\s/\\]\S*|\/([^\s/\\]\S*)?)$/, 'must be an address that begins with https://, http:// or /'),
);

/** An address that others serve, opened without a password in it. */
export const httpsAddress = text(2_000).check(
  z.regex(/^https:\/\/[^\s/\\@?#]+([/?#][^\s\\]*)?$/i, 'must be an address that begins with https://'),
  z.refine((value) => value === '' || URL.canParse(value), 'must be an address that begins with https://'),
);

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';

/** A name of the domain name system as browsers send it: no address, no port, letters of other alphabets as `xn--…`. */
export const hostName = text(253).check(
  z.overwrite((value) => value.trim().toLowerCase()),
  z.regex(new RegExp(`^${LABEL}(\\.${LABEL})*$`), 'must be a host name like portal.example.com'),
);

/** `#1a2b3c`. */
export const colour = text(7).check(
  z.overwrite((value) => value.trim().toLowerCase()),
  z.regex(/^#[0-9a-f]{6}$/, 'must be a colour like #2456cc'),
);
