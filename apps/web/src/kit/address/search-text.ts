/** `?company=a&company=b` and back: plain texts, repeated keys for lists, as in the contract's queries. */
export type SearchTexts = Record<string, string | string[]>;

export function parseSearch(text: string): SearchTexts {
  const read = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = read.get(name);
    read.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(read);
}

export function stringifySearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const text of [value].flat()) if (typeof text === 'string') written.append(name, text);
  }
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}
