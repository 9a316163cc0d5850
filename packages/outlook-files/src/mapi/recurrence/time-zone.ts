import { findIana, findWindows } from 'windows-iana';
import { offsetMinutes, yearTransitions } from './zone-offsets.ts';

/** When a year's clock change happens: "the last Sunday of March at 2:00", as SYSTEMTIME says it. */
export interface ChangeRule {
  /** 1 to 12 */
  month: number;
  /** 0 is Sunday */
  weekday: number;
  /** 1 to 4, 5 for the last of the month */
  occurrence: number;
  hour: number;
  minute: number;
}

/** A zone's rules in a year. Biases are minutes to add to local time to get UTC. */
export interface ZoneRules {
  /** The name Windows has for it, or the given one where Windows has none. */
  name: string;
  iana: string;
  bias: number;
  daylightBias: number;
  toStandard: ChangeRule | undefined;
  toDaylight: ChangeRule | undefined;
}

const cache = new Map<string, ZoneRules>();

/**
 * @param name IANA or Windows name. An unknown one is read as UTC: an item with an odd zone is better than none, and its
 *   instants are right in any case.
 */
export function zoneRules(name: string, year: number): ZoneRules {
  const key = `${name} ${year}`;
  const known = cache.get(key);
  if (known) {
    return known;
  }
  const rules = computeRules(ianaName(name), name, year);
  cache.set(key, rules);
  return rules;
}

export function ianaName(name: string): string {
  const candidates = [...findIana(name), name];
  return candidates.find(isZone) ?? 'UTC';
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // that is the question this function answers
  }
}

function computeRules(iana: string, given: string, year: number): ZoneRules {
  const name = findIana(given).length > 0 ? given : (findWindows(iana)[0] ?? given);
  const transitions = yearTransitions(iana, year);
  const offsets = [offsetMinutes(iana, new Date(Date.UTC(year, 0, 1))), ...transitions.map((change) => change.after)];
  const standard = Math.min(...offsets);
  const daylight = Math.max(...offsets);
  // Zones that changed their offset for good within the year have one transition; they are written without rules.
  const isSeasonal = transitions.length >= 2 && daylight > standard;
  const find = (after: number) => transitions.find((change) => isSeasonal && change.after === after);
  const [toStandard, toDaylight] = [find(standard), find(daylight)];
  return {
    name,
    iana,
    bias: 0 - standard,
    daylightBias: isSeasonal ? standard - daylight : 0,
    toStandard: toStandard && changeRule(toStandard),
    toDaylight: toDaylight && changeRule(toDaylight),
  };
}

/** The rule that gives a change's moment, on the clock as it was before. */
function changeRule(change: { at: Date; before: number }): ChangeRule {
  const local = new Date(change.at.getTime() + change.before * 60_000);
  const day = local.getUTCDate();
  const daysInMonth = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  return {
    month: local.getUTCMonth() + 1,
    weekday: local.getUTCDay(),
    occurrence: day + 7 > daysInMonth ? 5 : Math.ceil(day / 7),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}

/** PidLidTimeZoneStruct, [MS-OXOCAL] 2.2.1.39. */
export function timeZoneStruct(rules: ZoneRules): Buffer {
  const bytes = Buffer.alloc(48);
  writeBiases(bytes, 0, rules);
  systemTime(rules.toStandard).copy(bytes, 14);
  systemTime(rules.toDaylight).copy(bytes, 32);
  return bytes;
}

const RULE_BYTES = 66;
const EFFECTIVE = 0x0002;
const FOR_RECURRENCES = 0x0001;

/** PidLidAppointmentTimeZoneDefinition…, 2.2.1.41 to 2.2.1.43. */
export function timeZoneDefinition(rules: ZoneRules, isForRecurrence: boolean): Buffer {
  const name = Buffer.from(rules.name, 'utf16le');
  const head = Buffer.alloc(8);
  head.writeUInt8(2, 0);
  head.writeUInt8(1, 1);
  head.writeUInt16LE(6 + name.length, 2);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(rules.name.length, 6);
  const ruleCount = Buffer.from([1, 0]);
  const rule = Buffer.alloc(RULE_BYTES);
  rule.writeUInt8(2, 0);
  rule.writeUInt8(1, 1);
  rule.writeUInt16LE(0x3e, 2);
  rule.writeUInt16LE(EFFECTIVE | (isForRecurrence ? FOR_RECURRENCES : 0), 4);
  rule.writeUInt16LE(1601, 6);
  writeBiases(rule, 22, rules);
  systemTime(rules.toStandard).copy(rule, 34);
  systemTime(rules.toDaylight).copy(rule, 50);
  return Buffer.concat([head, name, ruleCount, rule]);
}

function writeBiases(bytes: Buffer, at: number, rules: ZoneRules): void {
  bytes.writeInt32LE(rules.bias, at);
  bytes.writeInt32LE(0, at + 4);
  bytes.writeInt32LE(rules.daylightBias, at + 8);
}

function systemTime(rule: ChangeRule | undefined): Buffer {
  const bytes = Buffer.alloc(16);
  if (rule) {
    [0, rule.month, rule.weekday, rule.occurrence, rule.hour, rule.minute].forEach((value, index) => {
      bytes.writeUInt16LE(value, index * 2);
    });
  }
  return bytes;
}
