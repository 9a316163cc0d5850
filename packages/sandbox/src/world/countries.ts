/** Where the invented companies live. */
export interface Country {
  code: string;
  name: string;
  /** The number of a country in the console (here: the international dialling code). */
  systemId: number;
  region: string;
  /** Fixed offset of local time from UTC; the sandbox has no summer time, so that a nightly slot never doubles. */
  offsetMinutes: number;
  domain: string;
}

const rows: [string, string, number, string, number, string][] = [
  ['DE', 'Germany', 49, 'Bavaria', 60, 'de'],
  ['AT', 'Austria', 43, 'Styria', 60, 'at'],
  ['CH', 'Switzerland', 41, 'Zurich', 60, 'ch'],
  ['GB', 'United Kingdom', 44, 'England', 0, 'co.uk'],
  ['IE', 'Ireland', 353, 'Leinster', 0, 'ie'],
  ['FR', 'France', 33, 'Bretagne', 60, 'fr'],
  ['ES', 'Spain', 34, 'Valencia', 60, 'es'],
  ['PT', 'Portugal', 351, 'Norte', 0, 'pt'],
  ['IT', 'Italy', 39, 'Lombardia', 60, 'it'],
  ['NL', 'Netherlands', 31, 'Utrecht', 60, 'nl'],
  ['BE', 'Belgium', 32, 'Flanders', 60, 'be'],
  ['DK', 'Denmark', 45, 'Midtjylland', 60, 'dk'],
  ['SE', 'Sweden', 46, 'Skåne', 60, 'se'],
  ['NO', 'Norway', 47, 'Vestland', 60, 'no'],
  ['FI', 'Finland', 358, 'Pirkanmaa', 120, 'fi'],
  ['PL', 'Poland', 48, 'Lesser Poland', 60, 'pl'],
  ['CZ', 'Czechia', 420, 'South Moravia', 60, 'cz'],
  ['RO', 'Romania', 40, 'Cluj', 120, 'ro'],
  ['GR', 'Greece', 30, 'Attica', 120, 'gr'],
  ['TR', 'Türkiye', 90, 'Izmir', 180, 'com.tr'],
  ['US', 'United States', 1, 'Ohio', -300, 'com'],
  ['CA', 'Canada', 1, 'Ontario', -300, 'ca'],
  ['MX', 'Mexico', 52, 'Jalisco', -360, 'mx'],
  ['BR', 'Brazil', 55, 'Paraná', -180, 'com.br'],
  ['ZA', 'South Africa', 27, 'Western Cape', 120, 'co.za'],
  ['KE', 'Kenya', 254, 'Nairobi', 180, 'co.ke'],
  ['AE', 'United Arab Emirates', 971, 'Dubai', 240, 'ae'],
  ['IN', 'India', 91, 'Karnataka', 330, 'in'],
  ['SG', 'Singapore', 65, 'Central', 480, 'sg'],
  ['JP', 'Japan', 81, 'Kansai', 540, 'jp'],
  ['AU', 'Australia', 61, 'Victoria', 600, 'com.au'],
  ['NZ', 'New Zealand', 64, 'Otago', 720, 'co.nz'],
];

const countries = new Map<string, Country>(
  rows.map(([code, name, systemId, region, offsetMinutes, domain]) => [
    code,
    { code, name, systemId, region, offsetMinutes, domain },
  ]),
);

/** @throws Error for a code the sandbox does not know (a mistake in its own lists). */
export function countryOf(code: string): Country {
  const country = countries.get(code);
  if (!country) throw new Error(`The sandbox has no country with the code ${code}`);
  return country;
}
