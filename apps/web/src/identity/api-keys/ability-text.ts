import { capital } from '../../kit/format/words.ts';

const APPLICATIONS: Readonly<Record<string, string>> = { admin: 'Administration', o365: 'Microsoft 365' };

/** `monitoring.job-actions` becomes `Monitoring: job actions`. */
export function abilityText(ability: string): string {
  const [application = '', name = ''] = ability.split('.');
  const words = name.replaceAll(/-|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return `${APPLICATIONS[application] ?? capital(application)}: ${words}`;
}
