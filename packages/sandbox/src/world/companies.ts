import { type CompanyName, companyNames } from './company-names.ts';
import { type Country, countryOf } from './countries.ts';
import { textHash, uid, unit, whole } from './random.ts';

/** A customer of the invented provider. */
export interface Company {
  id: number;
  uid: string;
  name: string;
  country: Country;
  city: string;
  street: string;
  /** Lower case letters and digits only; part of host, mail and file names. */
  slug: string;
  domain: string;
  /** Three to five capitals, the prefix of its host names. */
  tag: string;
  /** About how many jobs it has. */
  size: number;
  isActive: boolean;
}

/** The provider itself, owner of the shared servers. It is an organization, but not a company of the list. */
export interface Provider {
  id: number;
  uid: string;
  name: string;
}

export function buildProvider(seed: number): Provider {
  return { id: seed, uid: uid(seed, textHash('provider')), name: 'Keystone Managed IT' };
}

/**
 * @param count how many companies; past the length of the name list names come again with a number, as branches do
 */
export function buildCompanies(seed: number, count: number): Company[] {
  return Array.from({ length: count }, (_, index) => buildCompany(seed, index));
}

function buildCompany(seed: number, index: number): Company {
  const [baseName, countryCode, city, street] = nameAt(index);
  const branch = Math.floor(index / companyNames.length);
  const name = branch === 0 ? baseName : `${baseName} ${branch + 1}`;
  const country = countryOf(countryCode);
  const slug = slugOf(name);
  const id = textHash(`${seed}/company/${index}`);
  return {
    id,
    uid: uid(seed, id, 1),
    name,
    country,
    city,
    street,
    slug,
    domain: `${slug}.${country.domain}`,
    tag: slug.slice(0, whole(3, 5, id, 2)).toUpperCase(),
    size: Math.round(10 + 46 * unit(id, 3) ** 2),
    isActive: unit(id, 4) > 0.02,
  };
}

function nameAt(index: number): CompanyName {
  const entry = companyNames[index % companyNames.length];
  if (!entry) throw new Error(`The sandbox has no company name at place ${index}`);
  return entry;
}

function slugOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/ø/g, 'o')
    .replace(/ß/g, 'ss')
    .toLowerCase();
  return plain.replace(/[^a-z0-9]/g, '').slice(0, 18);
}
