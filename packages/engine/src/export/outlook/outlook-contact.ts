import type { ContactDetails, PostalAddress } from '@keepwatch/outlook-files/contact';
import type { OutlookContact } from '@keepwatch/outlook-files/outlook-item';
import type { ItemVersion } from '../../model/items.ts';
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../../source/graph/json.ts';
import { contentOf, type ExportParts, readWhole } from '../export-parts.ts';
import { flagOf, known, sharedDetails } from './outlook-fields.ts';

/** Fields that are called the same, and are texts. */
const TEXTS = [
  'displayName',
  'fileAs',
  'title',
  'givenName',
  'middleName',
  'surname',
  'generation',
  'initials',
  'nickName',
  'yomiGivenName',
  'yomiSurname',
  'yomiCompanyName',
  'jobTitle',
  'companyName',
  'department',
  'officeLocation',
  'profession',
  'manager',
  'assistantName',
  'spouseName',
  'mobilePhone',
] as const;

/** https://learn.microsoft.com/graph/api/resources/contact; the photo is the content `attachments/photo`. */
export async function outlookContact(
  parts: ExportParts,
  item: ItemVersion,
  properties: JsonObject,
): Promise<OutlookContact> {
  const photo = contentOf(item, 'attachments/photo');
  const emailAddresses = objectsOf(properties['emailAddresses']).flatMap(({ name, address }) => {
    const email = textOf(address);
    return email === undefined ? [] : [{ email, ...known({ name: textOf(name) }) }];
  });
  return {
    kind: 'contact',
    subject: textOf(properties['displayName']) ?? item.name,
    ...sharedDetails(properties),
    ...known(Object.fromEntries(TEXTS.map((name) => [name, textOf(properties[name])]))),
    ...known({
      bodyText: textOf(properties['personalNotes']),
      flag: flagOf(properties['flag']),
      emailAddresses: some(emailAddresses),
      instantMessaging: some(textsOf(properties['imAddresses'])),
      children: some(textsOf(properties['children'])),
      businessPhones: some(textsOf(properties['businessPhones'])),
      homePhones: some(textsOf(properties['homePhones'])),
      businessWebPage: textOf(properties['businessHomePage']),
      businessAddress: addressOf(properties['businessAddress']),
      homeAddress: addressOf(properties['homeAddress']),
      otherAddress: addressOf(properties['otherAddress']),
      birthday: /^\d{4}-\d{2}-\d{2}/.exec(textOf(properties['birthday']) ?? '')?.[0],
      photo: photo === null ? undefined : await readWhole(parts, photo),
    } satisfies { [K in keyof ContactDetails]?: unknown }),
  };
}

const some = <T>(values: readonly T[]) => (values.length > 0 ? values : undefined);

function addressOf(value: unknown): PostalAddress | undefined {
  const address = objectOf(value);
  const fields = known({
    street: textOf(address['street']),
    city: textOf(address['city']),
    region: textOf(address['state']),
    postalCode: textOf(address['postalCode']),
    country: textOf(address['countryOrRegion']),
  });
  return Object.keys(fields).length > 0 ? fields : undefined;
}
