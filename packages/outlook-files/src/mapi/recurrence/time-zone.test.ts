import { describe, expect, it } from 'vitest';
import { timeZoneDefinition, timeZoneStruct, zoneRules } from './time-zone.ts';

describe('a time zone', () => {
  it.each(['Europe/Berlin', 'W. Europe Standard Time'])(
    '%s has its offsets and the rules of its clock changes',
    (name) => {
      expect(zoneRules(name, 2026)).toMatchObject({
        name: 'W. Europe Standard Time',
        bias: -60,
        daylightBias: -60,
        toDaylight: { month: 3, weekday: 0, occurrence: 5, hour: 2, minute: 0 },
        toStandard: { month: 10, weekday: 0, occurrence: 5, hour: 3, minute: 0 },
      });
    },
  );

  it('of the southern half has its summer at the turn of the year', () => {
    expect(zoneRules('Australia/Sydney', 2026)).toMatchObject({
      bias: -600,
      toStandard: { month: 4, weekday: 0, occurrence: 1, hour: 3 },
      toDaylight: { month: 10, weekday: 0, occurrence: 1, hour: 2 },
    });
  });

  it('without clock changes has no rules, half hours included', () => {
    expect(zoneRules('Asia/Kolkata', 2026)).toMatchObject({
      bias: -330,
      daylightBias: 0,
      toStandard: undefined,
      toDaylight: undefined,
    });
  });

  it('that is unknown is written as UTC', () => {
    expect(zoneRules('Customized Time Zone', 2026)).toMatchObject({
      name: 'UTC',
      iana: 'UTC',
      bias: 0,
    });
  });

  it('is written with the lengths that readers expect', () => {
    const rules = zoneRules('Europe/Berlin', 2026);
    const definition = timeZoneDefinition(rules, true);
    expect(timeZoneStruct(rules)).toHaveLength(48);
    expect(definition).toHaveLength(4 + definition.readUInt16LE(2) + 66 + 0);
    expect(definition.readUInt16LE(6)).toBe(rules.name.length);
  });
});
