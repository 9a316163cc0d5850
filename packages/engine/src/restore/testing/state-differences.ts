/**
 * What two states of one item, as `itemStates` gives them, differ in: `message properties.subject`, `message mime`, `message place`.
 */
export function differencesOf(one: string, other: string): string[] {
  const [was, is] = [one, other].map((text) => partsOf(JSON.parse(text)));
  const names = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  const kind = was?.get('kind');
  return [...names]
    .filter((name) => was?.get(name) !== is?.get(name))
    .map((name) => `${JSON.parse(kind ?? '""')} ${name}`);
}

function partsOf([kind, place, name, contents]: [string?, unknown?, string?, [string, unknown][]?]): Map<
  string,
  string
> {
  const parts = new Map(Object.entries({ kind, place, name }).map(([key, value]) => [key, JSON.stringify(value)]));
  for (const [content, value] of contents ?? []) {
    if (content !== 'properties') parts.set(content, JSON.stringify(value));
    else for (const [key, one] of Object.entries(Object(value))) parts.set(`properties ${key}`, JSON.stringify(one));
  }
  return parts;
}
