import type { ChunkUser } from '../catalog/catalog.ts';

/** An item that cannot be brought back whole, and the chunks of it that cannot be read. */
export type DamagedItem = ChunkUser;
