/** Engines that back up an organization, and what only some of them have. */

export const ENGINES = ['built-in', 'veeam'] as const;
export type EngineKind = (typeof ENGINES)[number];

/**
 * What not every engine has; everything else each of them has. A call for something that the engine of its organization has not is refused with 409
 * `NOT_SUPPORTED`, and screens do not show it.
 */
export const ENGINE_FEATURES = [
  /** The portal itself connects the organization to Microsoft 365: its applications, their certificates and how the connection is changed. */
  'connection',
  /** Verifies and prunes of repositories, by schedule and by hand. */
  'maintenance',
  /** Other keys for the bucket of a repository. */
  'bucketKeys',
  /** Proofs that a job can be restored. */
  'proofs',
  /** The restore portal. */
  'restore',
] as const;
export type EngineFeature = (typeof ENGINE_FEATURES)[number];

const FEATURES: Readonly<Record<EngineKind, readonly EngineFeature[]>> = {
  'built-in': ENGINE_FEATURES,
  veeam: [],
};

/** Whether an engine has a feature. */
export function hasFeature(engine: EngineKind, feature: EngineFeature): boolean {
  return FEATURES[engine].includes(feature);
}
