import { guidBytes } from './guid.ts';

/** A property without a fixed id: known by its set and a number or a name, [MS-OXPROPS] 1.3.2. */
export interface NamedProperty {
  set: PropertySet;
  name: number | string;
}

export interface PropertySet {
  guid: Buffer;
  /** The index the formats have for the two best known sets, 0 for others. */
  wellKnownIndex: number;
}

function set(guid: string, wellKnownIndex = 0): PropertySet {
  return { guid: guidBytes(guid), wellKnownIndex };
}

const COMMON = set('00062008-0000-0000-C000-000000000046');
const APPOINTMENT = set('00062002-0000-0000-C000-000000000046');
const MEETING = set('6ED8DA90-450B-101B-98DA-00AA003F1305');
const ADDRESS = set('00062004-0000-0000-C000-000000000046');
const TASK = set('00062003-0000-0000-C000-000000000046');
const NOTE = set('0006200E-0000-0000-C000-000000000046');
const PUBLIC_STRINGS = set('00020329-0000-0000-C000-000000000046', 2);
const INTERNET_HEADERS = set('00020386-0000-0000-C000-000000000046');

function numbered<const T extends Record<string, number>>(of: PropertySet, names: T): Record<keyof T, NamedProperty> {
  const entries = Object.entries(names).map(([key, name]) => [key, { set: of, name }] as const);
  return Object.fromEntries(entries) as Record<keyof T, NamedProperty>;
}

/** [MS-OXPROPS], PSETID_Common. */
export const COMMON_NAMES = numbered(COMMON, {
  reminderDelta: 0x8501,
  reminderTime: 0x8502,
  reminderSet: 0x8503,
  isPrivate: 0x8506,
  sideEffects: 0x8510,
  smartNoAttach: 0x8514,
  commonStart: 0x8516,
  commonEnd: 0x8517,
  taskMode: 0x8518,
  flagRequest: 0x8530,
  mileage: 0x8534,
  billing: 0x8535,
  companies: 0x8539,
  reminderSignalTime: 0x8560,
  validFlagStringProof: 0x85bf,
  toDoOrdinalDate: 0x85a0,
  toDoSubOrdinal: 0x85a1,
  toDoTitle: 0x85a4,
});

/** PSETID_Appointment. */
export const APPOINTMENT_NAMES = numbered(APPOINTMENT, {
  sequence: 0x8201,
  busyStatus: 0x8205,
  auxiliaryFlags: 0x8207,
  location: 0x8208,
  startWhole: 0x820d,
  endWhole: 0x820e,
  duration: 0x8213,
  colour: 0x8214,
  isAllDay: 0x8215,
  recurrenceBlob: 0x8216,
  stateFlags: 0x8217,
  responseStatus: 0x8218,
  replyTime: 0x8220,
  recurring: 0x8223,
  intendedBusyStatus: 0x8224,
  exceptionReplaceTime: 0x8228,
  isInvited: 0x8229,
  recurrenceType: 0x8231,
  recurrencePattern: 0x8232,
  timeZoneStruct: 0x8233,
  timeZoneDescription: 0x8234,
  clipStart: 0x8235,
  clipEnd: 0x8236,
  allAttendees: 0x8238,
  toAttendees: 0x823b,
  ccAttendees: 0x823c,
  definitionStart: 0x825e,
  definitionEnd: 0x825f,
  definitionRecur: 0x8260,
});

/** PSETID_Meeting. */
export const MEETING_NAMES = numbered(MEETING, {
  where: 0x0002,
  globalObjectId: 0x0003,
  isRecurring: 0x0005,
  isException: 0x000a,
  cleanGlobalObjectId: 0x0023,
});

/** PSETID_Address. */
export const ADDRESS_NAMES = numbered(ADDRESS, {
  fileUnder: 0x8005,
  fileUnderId: 0x8006,
  contactItemData: 0x8007,
  hasPicture: 0x8015,
  homeAddress: 0x801a,
  workAddress: 0x801b,
  otherAddress: 0x801c,
  postalAddressId: 0x8022,
  addressBookEmails: 0x8028,
  addressBookKinds: 0x8029,
  htmlPage: 0x802b,
  yomiGivenName: 0x802c,
  yomiSurname: 0x802d,
  yomiCompanyName: 0x802e,
  workStreet: 0x8045,
  workCity: 0x8046,
  workRegion: 0x8047,
  workPostalCode: 0x8048,
  workCountry: 0x8049,
  instantMessaging: 0x8062,
  email1DisplayName: 0x8080,
  email1Type: 0x8082,
  email1Address: 0x8083,
  email1OriginalName: 0x8084,
  email1OriginalId: 0x8085,
  email2DisplayName: 0x8090,
  email2Type: 0x8092,
  email2Address: 0x8093,
  email2OriginalName: 0x8094,
  email2OriginalId: 0x8095,
  email3DisplayName: 0x80a0,
  email3Type: 0x80a2,
  email3Address: 0x80a3,
  email3OriginalName: 0x80a4,
  email3OriginalId: 0x80a5,
  birthdayLocal: 0x80de,
  weddingAnniversaryLocal: 0x80df,
});

/** PSETID_Task. */
export const TASK_NAMES = numbered(TASK, {
  status: 0x8101,
  percentComplete: 0x8102,
  startDate: 0x8104,
  dueDate: 0x8105,
  isAccepted: 0x8108,
  deadOccurrence: 0x8109,
  dateCompleted: 0x810f,
  actualEffort: 0x8110,
  estimatedEffort: 0x8111,
  version: 0x8112,
  state: 0x8113,
  recurrenceBlob: 0x8116,
  isComplete: 0x811c,
  owner: 0x811f,
  ordinal: 0x8123,
  isRecurring: 0x8126,
  ownership: 0x8129,
  acceptanceState: 0x812a,
});

/** PSETID_Note. */
export const NOTE_NAMES = numbered(NOTE, { colour: 0x8b00, width: 0x8b02, height: 0x8b03, x: 0x8b04, y: 0x8b05 });

/** Named by text. */
export const TEXT_NAMES = {
  keywords: { set: PUBLIC_STRINGS, name: 'Keywords' },
  acceptLanguage: { set: INTERNET_HEADERS, name: 'acceptlanguage' },
  onlineMeetingUrl: { set: PUBLIC_STRINGS, name: 'OnlineMeetingExternalLink' },
} as const satisfies Record<string, NamedProperty>;

/** Every named property written here, in the order of the ids a PST gives them. */
export const NAMED_PROPERTIES: readonly NamedProperty[] = [
  COMMON_NAMES,
  APPOINTMENT_NAMES,
  MEETING_NAMES,
  ADDRESS_NAMES,
  TASK_NAMES,
  NOTE_NAMES,
  TEXT_NAMES,
].flatMap((group): NamedProperty[] => Object.values(group));
