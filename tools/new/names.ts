/** The forms of a noun that names files, types, tables and texts. */
export interface Noun {
  /** `cost-center`, `cost-centers`. */
  kebab: string;
  kebabs: string;
  /** `costCenter`, `costCenters`. */
  camel: string;
  camels: string;
  /** `CostCenter`, `CostCenters`. */
  pascal: string;
  pascals: string;
  /** `cost_centers`. */
  table: string;
  /** In texts: `cost center`, `cost centers`. */
  word: string;
  words: string;
}

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Returns the forms of a noun that is given in the singular. Throws for what is not written as `cost-center`. */
export function nounOf(kebab: string, plural = pluralOf(kebab)): Noun {
  for (const given of [kebab, plural])
    if (!KEBAB.test(given)) throw new Error(`"${given}" is not written like cost-center.`);
  return {
    kebab,
    kebabs: plural,
    camel: camelOf(kebab),
    camels: camelOf(plural),
    pascal: pascalOf(kebab),
    pascals: pascalOf(plural),
    table: plural.replaceAll('-', '_'),
    word: kebab.replaceAll('-', ' '),
    words: plural.replaceAll('-', ' '),
  };
}

function pluralOf(kebab: string): string {
  if (/[^aeiou]y$/.test(kebab)) return `${kebab.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(kebab) ? `${kebab}es` : `${kebab}s`;
}

export function camelOf(kebab: string): string {
  return kebab.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function pascalOf(kebab: string): string {
  return capital(camelOf(kebab));
}

/** `cost centers` becomes `Cost centers`. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `COST_CENTER`. */
export function constantOf({ kebab }: Noun): string {
  return kebab.replaceAll('-', '_').toUpperCase();
}
