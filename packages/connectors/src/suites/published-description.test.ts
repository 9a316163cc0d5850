import { describeAgainstVendor } from '@keepwatch/sandbox/testing/vendor-description';
import { expect, it } from 'vitest';
import { publishedDescription } from './published-description.ts';

describeAgainstVendor('checking against a published description', 'vspc-v3.6.1.openapi.json', (published) => {
  const description = publishedDescription(published, '/api/v3');
  function faultsOf(target: string, body: unknown, status = 200) {
    return description.faultsOf({ method: 'GET', url: new URL(target, 'https://vendor.test'), status, body });
  }
  const company = { instanceUid: '5c258c80-6aa8-4408-adcd-1f215879919a', ownerCredentials: { userName: 'a' } };

  it('finds nothing in what is described', () => {
    expect(faultsOf('/api/v3/organizations/companies?limit=1&filter=x', { data: [company] })).toEqual([]);
    expect(faultsOf('/api/v3/organizations/companies', { errors: [] }, 403)).toEqual([]);
  });

  it('finds paths, parameters, properties and types that the vendor does not know', () => {
    expect(faultsOf('/api/v3/companies', {})).toEqual([expect.stringContaining('not described')]);
    expect(faultsOf('/api/v3/about?page=1', { data: {} })).toEqual([expect.stringContaining('page')]);
    const invented = faultsOf('/api/v3/organizations/companies', { data: [{ ...company, invented: 1 }] });
    expect(invented).toEqual([expect.stringContaining('invented')]);
    const mistyped = faultsOf('/api/v3/organizations/companies', { data: [{ ...company, name: 7 }] });
    expect(mistyped).toEqual([expect.stringContaining('/data/0/name')]);
  });
});
