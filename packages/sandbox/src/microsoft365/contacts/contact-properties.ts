import type { JsonObject } from '../wire/json.ts';

/** A contact without anything. */
export const blankContact: JsonObject = {
  assistantName: null,
  birthday: null,
  businessAddress: {},
  businessHomePage: null,
  businessPhones: [],
  categories: [],
  children: [],
  companyName: null,
  department: null,
  displayName: '',
  emailAddresses: [],
  fileAs: '',
  generation: null,
  givenName: null,
  homeAddress: {},
  homePhones: [],
  imAddresses: [],
  initials: null,
  jobTitle: null,
  manager: null,
  middleName: null,
  mobilePhone: null,
  nickName: null,
  officeLocation: null,
  otherAddress: {},
  personalNotes: '',
  profession: null,
  spouseName: null,
  surname: null,
  title: null,
  yomiCompanyName: null,
  yomiGivenName: null,
  yomiSurname: null,
};

/** Everything of a contact can be set. */
export const contactProperties = Object.keys(blankContact);
