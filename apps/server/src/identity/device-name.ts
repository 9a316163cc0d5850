/** What the texts of user agents say, the more special first: Edge says Chrome, too, and Chrome says Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];
const NAME_LENGTH_MAX = 60;

/** Names the device of a user agent: `Firefox on Windows`; of a program its own name, without the version. */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null;
  const [browser, system] = [BROWSERS, SYSTEMS].map((known) => known.find(([text]) => text.test(userAgent))?.[1]);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return (/^[\w .-]+/.exec(userAgent)?.[0].trim() || 'Unknown program').slice(0, NAME_LENGTH_MAX);
}
