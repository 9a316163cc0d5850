import { Connectors } from './base/registry.ts';
import type { Ports } from './ports/ports.ts';

/** Every connector of every port, one line each; the key is its kind. */
export const connectors = new Connectors<Ports>({
  'backup-source': {
    label: 'Backup source',
    kinds: {
      vac: { label: 'Veeam Service Provider Console', load: () => import('./vspc/manifest.ts') },
    },
  },
});
