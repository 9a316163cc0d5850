import { DATA_SOURCE_GROUPS, type DataSourceGroup } from '@keepwatch/contract/runs/values';

/** How each group of data sources reads everywhere. */
export const SOURCE_GROUP_WORDS: Readonly<Record<DataSourceGroup, string>> = {
  'managed-servers': 'Managed servers',
  'monitored-agents': 'Monitored agents',
  'managed-agents': 'Managed agents',
  office365: 'Microsoft 365',
  'public-cloud-vms': 'Public cloud',
  'file-share-jobs': 'File shares',
};

/** The groups as choices of a filter. */
export const SOURCE_GROUP_CHOICES = DATA_SOURCE_GROUPS.map((value) => ({ value, label: SOURCE_GROUP_WORDS[value] }));
