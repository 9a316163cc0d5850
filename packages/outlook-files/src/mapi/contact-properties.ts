import type { ContactDetails, PostalAddress } from '../contact.ts';
import type { EmailAddress } from '../item-details.ts';
import { oneOffEntryId, shownName } from './addresses.ts';
import { contactPhoto } from './attachment-properties.ts';
import { itemObject, MESSAGE_FLAG } from './item-properties.ts';
import type { MapiMessage } from './mapi-object.ts';
import type { NamedProperty } from './named-properties.ts';
import { ADDRESS_NAMES } from './named-properties.ts';
import type { PropertyBag } from './property-bag.ts';

const ICON = 0x200;
const GENDER = { female: 1, male: 2 } as const;
const BUSINESS_IS_MAILING_ADDRESS = 2;
const FREE_FILE_AS = -1;

/** The properties of the three e-mail addresses a contact has room for. */
const EMAIL_SLOTS = [1, 2, 3].map((slot) => ({
  name: emailName(slot, 'DisplayName'),
  type: emailName(slot, 'Type'),
  address: emailName(slot, 'Address'),
  originalName: emailName(slot, 'OriginalName'),
  originalId: emailName(slot, 'OriginalId'),
}));

function emailName(slot: number, part: string): NamedProperty {
  const entry = Object.entries(ADDRESS_NAMES).find(([name]) => name === `email${slot}${part}`);
  if (!entry) {
    throw new TypeError(`There is no property ${part} for e-mail address ${slot}.`);
  }
  return entry[1];
}

/** A contact, [MS-OXOCNTC] 2.2.1. */
export function contactObject(contact: ContactDetails): MapiMessage {
  const displayName = nameOf(contact);
  const bodyText = [contact.bodyText, ...overflow(contact)].filter(Boolean).join('\r\n') || undefined;
  const object = itemObject(
    { ...contact, subject: contact.subject ?? displayName, bodyText },
    { messageClass: 'IPM.Contact', icon: ICON, flags: MESSAGE_FLAG.read, date: contact.modifiedAt },
  );
  const { properties } = object;
  nameProperties(properties, contact, displayName);
  workProperties(properties, contact);
  phoneProperties(properties, contact);
  addressProperties(properties, contact);
  emailProperties(properties, contact.emailAddresses ?? []);
  personalProperties(properties, contact);
  if (contact.photo && contact.photo.length > 0) {
    object.attachments.push(contactPhoto(contact.photo));
  }
  return object;
}

function nameOf(contact: ContactDetails): string {
  const full = [contact.title, contact.givenName, contact.middleName, contact.surname, contact.generation]
    .filter(Boolean)
    .join(' ');
  return (
    contact.displayName || full || contact.companyName || contact.emailAddresses?.[0]?.email || contact.fileAs || ''
  );
}

function nameProperties(properties: PropertyBag, contact: ContactDetails, displayName: string): void {
  properties
    .text(0x3001, displayName)
    .text(ADDRESS_NAMES.fileUnder, contact.fileAs ?? displayName)
    .integer(ADDRESS_NAMES.fileUnderId, FREE_FILE_AS)
    .text(0x3a45, contact.title)
    .text(0x3a06, contact.givenName)
    .text(0x3a44, contact.middleName)
    .text(0x3a11, contact.surname)
    .text(0x3a05, contact.generation)
    .text(0x3a0a, contact.initials)
    .text(0x3a4f, contact.nickName)
    .text(ADDRESS_NAMES.yomiGivenName, contact.yomiGivenName)
    .text(ADDRESS_NAMES.yomiSurname, contact.yomiSurname)
    .text(ADDRESS_NAMES.yomiCompanyName, contact.yomiCompanyName);
}

function workProperties(properties: PropertyBag, contact: ContactDetails): void {
  properties
    .text(0x3a17, contact.jobTitle)
    .text(0x3a16, contact.companyName)
    .text(0x3a18, contact.department)
    .text(0x3a19, contact.officeLocation)
    .text(0x3a46, contact.profession)
    .text(0x3a4e, contact.manager)
    .text(0x3a30, contact.assistantName)
    .text(0x3a51, contact.businessWebPage)
    .text(0x3a50, contact.webPage)
    .text(ADDRESS_NAMES.htmlPage, contact.businessWebPage ?? contact.webPage)
    .text(ADDRESS_NAMES.instantMessaging, contact.instantMessaging?.[0]);
}

function phoneProperties(properties: PropertyBag, contact: ContactDetails): void {
  properties
    .text(0x3a08, contact.businessPhones?.[0])
    .text(0x3a1b, contact.businessPhones?.[1])
    .text(0x3a09, contact.homePhones?.[0])
    .text(0x3a2f, contact.homePhones?.[1])
    .text(0x3a1c, contact.mobilePhone)
    .text(0x3a24, contact.businessFax)
    .text(0x3a25, contact.homeFax)
    .text(0x3a1f, contact.otherPhone)
    .text(0x3a21, contact.pager)
    .text(0x3a2e, contact.assistantPhone)
    .text(0x3a57, contact.companyPhone);
}

function addressProperties(properties: PropertyBag, contact: ContactDetails): void {
  const { businessAddress: business, homeAddress: home, otherAddress: other } = contact;
  for (const [property, part] of [
    [ADDRESS_NAMES.workStreet, business?.street],
    [ADDRESS_NAMES.workCity, business?.city],
    [ADDRESS_NAMES.workRegion, business?.region],
    [ADDRESS_NAMES.workPostalCode, business?.postalCode],
    [ADDRESS_NAMES.workCountry, business?.country],
    [0x3a5d, home?.street],
    [0x3a59, home?.city],
    [0x3a5c, home?.region],
    [0x3a5b, home?.postalCode],
    [0x3a5a, home?.country],
    [0x3a63, other?.street],
    [0x3a5f, other?.city],
    [0x3a62, other?.region],
    [0x3a61, other?.postalCode],
    [0x3a60, other?.country],
    [0x3a29, business?.street],
    [0x3a27, business?.city],
    [0x3a28, business?.region],
    [0x3a2a, business?.postalCode],
    [0x3a26, business?.country],
  ] as const) {
    properties.text(property, part);
  }
  properties
    .text(ADDRESS_NAMES.workAddress, inOneText(business))
    .text(ADDRESS_NAMES.homeAddress, inOneText(home))
    .text(ADDRESS_NAMES.otherAddress, inOneText(other))
    .text(0x3a15, inOneText(business))
    .integer(ADDRESS_NAMES.postalAddressId, business ? BUSINESS_IS_MAILING_ADDRESS : 0);
}

function inOneText(address: PostalAddress | undefined): string | undefined {
  if (!address) {
    return undefined;
  }
  const city = [address.postalCode, address.city, address.region].filter(Boolean).join(' ');
  return [address.street, city, address.country].filter(Boolean).join('\r\n');
}

function emailProperties(properties: PropertyBag, addresses: readonly EmailAddress[]): void {
  const inSlots = addresses.slice(0, EMAIL_SLOTS.length);
  EMAIL_SLOTS.forEach((slot, index) => {
    const address = inSlots[index];
    if (address) {
      properties
        .text(slot.name, address.name ? `${address.name} (${address.email})` : address.email)
        .text(slot.type, 'SMTP')
        .text(slot.address, address.email)
        .text(slot.originalName, shownName(address))
        .binary(slot.originalId, oneOffEntryId(address));
    }
  });
  if (inSlots.length > 0) {
    properties.integers(
      ADDRESS_NAMES.addressBookEmails,
      inSlots.map((_, index) => index),
    );
    properties.integer(ADDRESS_NAMES.addressBookKinds, (1 << inSlots.length) - 1);
  }
}

function personalProperties(properties: PropertyBag, contact: ContactDetails): void {
  const birthday = day(contact.birthday);
  const wedding = day(contact.weddingAnniversary);
  properties
    .time(0x3a42, birthday)
    .time(ADDRESS_NAMES.birthdayLocal, birthday)
    .time(0x3a41, wedding)
    .time(ADDRESS_NAMES.weddingAnniversaryLocal, wedding)
    .text(0x3a48, contact.spouseName)
    .texts(0x3a58, contact.children)
    .text(0x3a43, contact.hobbies)
    .short(0x3a4d, contact.gender && GENDER[contact.gender])
    .flag(ADDRESS_NAMES.hasPicture, contact.photo !== undefined && contact.photo.length > 0);
}

function day(date: string | undefined): Date | undefined {
  return date ? new Date(`${date.slice(0, 10)}T00:00:00Z`) : undefined;
}

/** What Outlook has no field for goes into the notes: nothing of a contact is to be lost. */
function overflow(contact: ContactDetails): string[] {
  const emails = (contact.emailAddresses ?? []).slice(EMAIL_SLOTS.length);
  return [
    ...emails.map((address) => (address.name ? `${address.name} <${address.email}>` : address.email)),
    ...(contact.businessPhones ?? []).slice(2),
    ...(contact.homePhones ?? []).slice(2),
    ...(contact.instantMessaging ?? []).slice(1),
  ];
}
