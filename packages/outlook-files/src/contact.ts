import type { EmailAddress, ItemDetails } from './item-details.ts';

export interface PostalAddress {
  street?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  country?: string;
}

/** A person or company. Calendar days are `YYYY-MM-DD`. */
export interface ContactDetails extends ItemDetails {
  kind: 'contact';
  displayName?: string;
  fileAs?: string;
  title?: string;
  givenName?: string;
  middleName?: string;
  surname?: string;
  generation?: string;
  initials?: string;
  nickName?: string;
  /** Phonetic readings, used in Japan. */
  yomiGivenName?: string;
  yomiSurname?: string;
  yomiCompanyName?: string;
  jobTitle?: string;
  companyName?: string;
  department?: string;
  officeLocation?: string;
  profession?: string;
  manager?: string;
  assistantName?: string;
  spouseName?: string;
  children?: readonly string[];
  hobbies?: string;
  /** Outlook has room for three; further ones go into the notes. */
  emailAddresses?: readonly EmailAddress[];
  instantMessaging?: readonly string[];
  webPage?: string;
  businessWebPage?: string;
  /** Outlook has room for two of each; further ones go into the notes. */
  businessPhones?: readonly string[];
  homePhones?: readonly string[];
  mobilePhone?: string;
  businessFax?: string;
  homeFax?: string;
  otherPhone?: string;
  pager?: string;
  assistantPhone?: string;
  companyPhone?: string;
  businessAddress?: PostalAddress;
  homeAddress?: PostalAddress;
  otherAddress?: PostalAddress;
  birthday?: string;
  weddingAnniversary?: string;
  gender?: 'female' | 'male';
  /** JPEG bytes. */
  photo?: Uint8Array;
}
