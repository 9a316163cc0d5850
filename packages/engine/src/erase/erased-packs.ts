import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { StoredContent } from '../model/items.ts';
import { orDamaged } from '../model/or-damaged.ts';
import { segmentChunks } from '../model/segment-chunks.ts';
import type { ObjectSection } from '../repository/commit.ts';
import type { Repository } from '../repository/repository.ts';

const CHUNKS_A_QUESTION = 5_000;

/**
 * Finds the packs with contents that sections ever put, whether or not the catalog still has these versions: what retention took out of it
 * months ago may be in packs that others need. In memory are names of packs, and some thousand chunks.
 */
export class ErasedPacks {
  readonly names = new Set<string>();
  /** Long contents of which it is not known where their bytes are, since their list cannot be read. */
  listsUnread = 0;
  private readonly repository: Repository;
  private readonly catalog: RepositoryCatalog;
  private chunks = new Set<string>();

  constructor(repository: Repository, catalog: RepositoryCatalog) {
    this.repository = repository;
    this.catalog = catalog;
  }

  async add({ changes }: ObjectSection): Promise<void> {
    for (const change of changes)
      if (change.type === 'put') for (const content of change.item.contents) await this.addContent(content);
  }

  /** To be called when all is added. */
  async locate(): Promise<void> {
    const chunks = [...this.chunks];
    this.chunks = new Set();
    for (let at = 0; at < chunks.length; at += CHUNKS_A_QUESTION) {
      const places = await this.catalog.locate(chunks.slice(at, at + CHUNKS_A_QUESTION));
      for (const found of places.values()) for (const { pack } of found) this.names.add(pack);
    }
  }

  private async addContent(content: StoredContent): Promise<void> {
    for (const chunk of segmentChunks('segments' in content ? content.segments : content.list)) this.chunks.add(chunk);
    if ('list' in content) await this.addListed(content);
    if (this.chunks.size >= CHUNKS_A_QUESTION) await this.locate();
  }

  private async addListed(content: StoredContent): Promise<void> {
    const segments = await orDamaged(this.repository.segmentsOf(content, this.catalog));
    if (segments === null) this.listsUnread += 1;
    else for (const chunk of segmentChunks(segments)) this.chunks.add(chunk);
  }
}
