/** A product with licences; ids, part numbers and plans as Microsoft publishes them. */
export interface Product {
  skuId: string;
  skuPartNumber: string;
  servicePlans: readonly { servicePlanId: string; servicePlanName: string; service: string }[];
}

const exchange = {
  servicePlanId: 'efb87545-963c-4e0d-99df-69c6916d9eb0',
  servicePlanName: 'EXCHANGE_S_ENTERPRISE',
  service: 'exchange',
};
const sharePoint = {
  servicePlanId: '5dbe027f-2339-4123-9542-606e4d348a72',
  servicePlanName: 'SHAREPOINTENTERPRISE',
  service: 'SharePoint',
};
const teams = {
  servicePlanId: '57ff2da0-773e-42df-b2af-ffb7a2317929',
  servicePlanName: 'TEAMS1',
  service: 'TeamspaceAPI',
};

export const officeE3: Product = {
  skuId: '6fd2c87f-b296-42f0-b197-1e91e994b900',
  skuPartNumber: 'ENTERPRISEPACK',
  servicePlans: [exchange, sharePoint, teams],
};

export const exchangePlan1: Product = {
  skuId: '4b9405b0-7788-4568-add1-99614e613b69',
  skuPartNumber: 'EXCHANGESTANDARD',
  servicePlans: [
    {
      servicePlanId: '9aaf7827-d63c-4b61-89c3-182f06f82e5c',
      servicePlanName: 'EXCHANGE_S_STANDARD',
      service: 'exchange',
    },
  ],
};

export const products: readonly Product[] = [officeE3, exchangePlan1];
