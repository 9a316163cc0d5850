import { Connectors, type ConnectorTable } from './base/registry.ts';
import type { Ports } from './ports/ports.ts';

/** Every connector of every port, one line each; the key is its kind. */
const table: ConnectorTable<Ports> = {
  'backup-source': {
    label: 'Backup source',
    kinds: {
      vac: { label: 'Veeam Service Provider Console', load: () => import('./vspc/manifest.ts') },
    },
  },
  'tenant-console': {
    label: 'Console of companies',
    kinds: {
      vcd: { label: 'VMware Cloud Director', load: () => import('./vcd/manifest.ts') },
      zerto: { label: 'Zerto Virtual Manager', load: () => import('./zerto/manifest.ts') },
    },
  },
  mail: {
    label: 'Mail',
    kinds: {
      smtp: { label: 'Mail server (SMTP)', load: () => import('./smtp/manifest.ts') },
    },
  },
  'user-directory': {
    label: 'Sign-in',
    kinds: {
      ad: { label: 'Active Directory', load: () => import('./active-directory/manifest.ts') },
    },
  },
  'identity-provider': {
    label: 'Sign-in',
    kinds: {
      'openid-connect': { label: 'OpenID Connect', load: () => import('./openid-connect/manifest.ts') },
    },
  },
  'sms-codes': {
    label: 'Codes by SMS',
    kinds: {
      twilio: { label: 'Twilio Verify', load: () => import('./twilio/manifest.ts') },
    },
  },
};

export const connectors = new Connectors<Ports>(table);
