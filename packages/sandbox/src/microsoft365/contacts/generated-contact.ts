import { pick, unit } from '../../world/random.ts';
import { jobTitles, people } from '../directory/person-names.ts';
import { categories, sentences } from '../mail/phrases.ts';
import type { PlainSeed } from '../mailbox/plain-seed.ts';
import type { JsonObject } from '../wire/json.ts';

/** The contact of a number. */
export function generateContact({ seed, number }: PlainSeed): JsonObject {
  const [givenName, surname, country, , address] = pick(people, seed, number, 731);
  const displayName = `${givenName} ${surname}`;
  const hasAddress = unit(seed, number, 732) < 0.5;
  return {
    displayName,
    givenName,
    surname,
    middleName: null,
    fileAs: `${surname}, ${givenName}`,
    initials: null,
    nickName: null,
    title: null,
    jobTitle: pick(jobTitles, seed, number, 733),
    companyName: 'Partner & Söhne',
    department: null,
    officeLocation: null,
    profession: null,
    assistantName: null,
    manager: null,
    spouseName: null,
    generation: null,
    businessHomePage: null,
    personalNotes: unit(seed, number, 734) < 0.3 ? pick(sentences, seed, number, 735) : '',
    birthday: unit(seed, number, 736) < 0.2 ? '1975-05-17T11:59:00Z' : null,
    categories: unit(seed, number, 737) < 0.2 ? [pick(categories, seed, number, 738)] : [],
    children: [],
    imAddresses: [],
    businessPhones: [`+49 421 ${100_000 + (number % 900_000)}`],
    homePhones: [],
    mobilePhone: null,
    emailAddresses: [{ name: displayName, address: `${address}@partner.example` }],
    businessAddress: hasAddress
      ? { street: 'Am Wall 1', city: 'Bremen', postalCode: '28195', countryOrRegion: country }
      : {},
    homeAddress: {},
    otherAddress: {},
  };
}
