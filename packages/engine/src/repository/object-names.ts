const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * Names that are written into a repository (format, 1). Other objects in its folders come from other programs: they are skipped,
 * and not touched.
 */
/** A commit; with the number of its form where others were replaced by it. */
export const COMMIT_NAME = new RegExp(`^journals/(${UUID})/(\\d{8})(?:-(\\d{4}))?$`);
/** Commits of many runs, from the first run to the last; with the number of its form. */
export const SEGMENT_NAME = new RegExp(`^segments/(${UUID})-(${UUID})(?:-(\\d{4}))?$`);
export const PACK_NAME = /^packs\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;
export const LOCK_NAME = new RegExp(`^locks/${UUID}$`);
export const GENERATION_NAME = /^generations\/(\d{8}-[0-9a-f]{16})$/;
export const LOSSES_NAME = new RegExp(`^losses/${UUID}$`);
/** What a run claims, and how it ended. */
export const CLAIMS_NAME = new RegExp(`^claims/(${UUID})-\\d{8}$`);
export const ENDED_NAME = new RegExp(`^claims/(${UUID})-ended-(\\d{8})-(\\d{4})$`);
export const KEY_NAME = new RegExp(`^keys/${UUID}$`);

/** All but that of packs, which are listed apart. */
export const FOLDERS = ['keys/', 'generations/', 'losses/', 'locks/', 'claims/', 'segments/', 'journals/'];
const NAMES = [KEY_NAME, GENERATION_NAME, LOSSES_NAME, LOCK_NAME, CLAIMS_NAME, ENDED_NAME, SEGMENT_NAME, COMMIT_NAME];

/** Whether an object in these folders may be the repository's. */
export const isOwnName = (name: string) => NAMES.some((pattern) => pattern.test(name));
