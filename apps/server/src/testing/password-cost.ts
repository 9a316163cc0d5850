/** Of a repository that tests open again and again: what a good password costs to check is time that they have no use for. */
export const LOW_PASSWORD_COST = { memoryKiB: 64, passes: 1, lanes: 1 } as const;
