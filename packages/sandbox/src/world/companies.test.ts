import { describe, expect, test } from 'vitest';
import { buildCompanies, buildProvider } from './companies.ts';
import { companyNames } from './company-names.ts';
import { buildComputers } from './computers.ts';
import { buildMicrosoft365Servers, buildOwnServers, buildSharedServers } from './servers.ts';
import { buildWorld } from './world.ts';

const companies = buildCompanies(1, 200);

describe('companies', () => {
  test('have names that make addresses: lower case, no accents, in the domain of their country', () => {
    for (const { slug, domain, country } of companies) {
      expect(slug).toMatch(/^[a-z0-9]{3,18}$/);
      expect(domain).toBe(`${slug}.${country.domain}`);
    }
  });

  test('mark their machines with three to five letters in upper case', () => {
    for (const { tag } of companies) expect(tag).toMatch(/^[A-Z0-9]{3,5}$/);
  });

  test('past the length of the list are branches with a number', () => {
    const [first] = companies;
    expect(companies[companyNames.length]?.name).toBe(`${first?.name} 2`);
    expect(companies[companyNames.length]?.uid).not.toBe(first?.uid);
  });

  test('are of all sizes from ten jobs up, mostly small, and nearly all active', () => {
    const sizes = companies.map((company) => company.size).sort((one, other) => one - other);
    expect(sizes[0]).toBeGreaterThanOrEqual(10);
    expect(sizes.at(-1)).toBeLessThanOrEqual(56);
    expect(sizes[100]).toBeLessThan(30);
    const inactive = companies.filter((company) => !company.isActive).length;
    expect(inactive).toBeGreaterThan(0);
    expect(inactive).toBeLessThan(12);
  });
});

describe('servers', () => {
  const provider = buildProvider(1);

  test('of the provider are as many as requested, numbered, and without an owner', () => {
    const shared = buildSharedServers(provider, 3);
    expect(shared.map((server) => server.name)).toEqual(['kst-vbr-01', 'kst-vbr-02', 'kst-vbr-03']);
    expect(shared.every((server) => server.owner === undefined)).toBe(true);
  });

  test('of a customer are the more the larger it is', () => {
    for (const company of companies) {
      const own = buildOwnServers(company);
      expect(own.length).toBeLessThanOrEqual(2);
      if (company.size > 34) expect(own).toHaveLength(2);
      if (company.size > 16) expect(own.length).toBeGreaterThan(0);
      expect(own.every((server) => server.owner === company && server.organizationUid === company.uid)).toBe(true);
    }
  });

  test('for Microsoft 365 are two, of versions of their own', () => {
    const versions = buildMicrosoft365Servers(provider).map((server) => server.version);
    expect(new Set(versions).size).toBe(2);
    expect(versions.every((version) => version.startsWith('8.'))).toBe(true);
  });
});

describe('computers', () => {
  const world = buildWorld(1, 20);

  test('are found for every agent under its name, and some unprotected ones too', () => {
    for (const company of world.companies) {
      const agents = world.agentJobs.filter((job) => job.company === company).map((job) => job.agent);
      const found = buildComputers(company, agents);
      expect(found.filter(({ agent }) => agent).map(({ hostName }) => hostName)).toEqual(
        agents.map(({ name }) => name),
      );
      expect(found.filter(({ agent }) => agent === undefined).length).toBeGreaterThan(0);
    }
  });

  test('are of a kind that fits their system', () => {
    for (const { system, kind } of world.computers) {
      const isWindows = ['DomainController', 'Server', 'Workstation'].includes(kind);
      expect(system === 'Windows' ? isWindows : kind === system).toBe(true);
    }
  });
});
