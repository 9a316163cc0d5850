import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endedAttempts } from './history.ts';
import { dayMs } from './schedule.ts';
import { allJobs, buildWorld, type World } from './world.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const anyWorld = fc.record({ seed: fc.nat(), companyCount: fc.integer({ min: 1, max: 14 }) });

/** Checks a property of the world for every seed and every number of companies. */
function always(check: (world: World, given: { seed: number; companyCount: number }) => void): void {
  fc.assert(
    fc.property(anyWorld, (given) => check(buildWorld(given.seed, given.companyCount), given)),
    { numRuns: 12 },
  );
}

test('every world is made again from its seed alone, to the byte', () => {
  always((world, { seed, companyCount }) => {
    expect(JSON.stringify(buildWorld(seed, companyCount))).toBe(JSON.stringify(world));
  });
});

test('in every world no two things of a kind have one id', () => {
  always((world) => {
    const kinds = [
      world.companies,
      [...world.servers, ...world.microsoft365Servers],
      world.repositories,
      world.organizations,
      allJobs(world),
      world.computers,
    ];
    for (const things of kinds) expect(new Set<string>(things.map((thing) => thing.uid)).size).toBe(things.length);
  });
});

test('in every world what is named is there: companies, servers, repositories, the job before', () => {
  always((world) => {
    const servers = new Set([...world.servers, ...world.microsoft365Servers]);
    for (const job of allJobs(world)) {
      if (job.company) expect(world.companies).toContain(job.company);
      if (job.product !== 'agent') expect(servers).toContain(job.server);
      if (job.repository) expect(world.repositories).toContain(job.repository);
      if (job.after) expect(world.serverJobs).toContain(job.after);
    }
    for (const { company, server } of world.organizations) {
      expect(world.companies).toContain(company);
      expect(world.microsoft365Servers).toContain(server);
    }
  });
});

test('in every world a company is the same however many come after it', () => {
  always((world, { seed, companyCount }) => {
    const larger = buildWorld(seed, companyCount + 5);
    expect(larger.companies.slice(0, companyCount)).toEqual(world.companies);
  });
});

test('in every world the history of a span is that of its parts', () => {
  const anySpan = fc.record({ days: fc.integer({ min: 1, max: 20 }), cut: fc.double({ min: 0, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(anyWorld, anySpan, ({ seed }, { days, cut }) => {
      const from = now - days * dayMs;
      const middle = Math.floor(from + cut * days * dayMs);
      for (const job of allJobs(buildWorld(seed, 1))) {
        const parts = [...endedAttempts(job, from, middle, now), ...endedAttempts(job, middle, now, now)];
        expect(parts).toEqual(endedAttempts(job, from, now, now));
      }
    }),
    { numRuns: 12 },
  );
});
