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
  mail: {
    label: 'Mail',
    kinds: {
      smtp: { label: 'Mail server (SMTP)', load: () => import('./smtp/manifest.ts') },
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
