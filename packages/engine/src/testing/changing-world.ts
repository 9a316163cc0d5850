import { Random } from './random.ts';
import { WrittenObject, WrittenSource } from './written-source.ts';

const ITEMS_MAX = 25;

/** Two mailboxes that change at random, the same for the same seed: another process can make them again. */
export class ChangingWorld {
  readonly source: WrittenSource;
  generation = 0;
  private readonly random: Random;
  private readonly attachments: Buffer[];
  private made = 0;

  constructor(seed: number, generation = 0) {
    this.random = new Random(seed);
    this.attachments = [1, 2, 3].map(() => this.random.bytes(6_000));
    this.source = new WrittenSource(new WrittenObject('ada'), new WrittenObject('bob'));
    for (const written of this.source.objects) {
      for (const folder of ['inbox', 'archive'])
        written.put(folder, { kind: 'mail-folder', name: folder, parentId: null, contents: {} });
      for (let item = 0; item < 12; item += 1) this.add(written);
    }
    while (this.generation < generation) this.change();
  }

  /** Adds, changes, moves and removes some items. */
  change(): void {
    this.generation += 1;
    for (const written of this.source.objects) {
      for (let times = this.random.below(6); times > 0 && written.items.size < ITEMS_MAX; times -= 1) this.add(written);
      for (let times = this.random.below(6); times > 0; times -= 1) this.touch(written);
      // What was reported already is reported again, as after an expired token.
      written.isForgetful = this.random.below(5) === 0;
    }
  }

  private add(written: WrittenObject): void {
    this.made += 1;
    const mime: Record<string, Buffer> = this.random.below(2) === 0 ? { mime: this.message() } : {};
    const properties = this.random.bytes(200 + this.random.below(2_000));
    const parentId = this.random.pick(['inbox', 'archive']);
    written.put(`m${this.made}`, {
      kind: 'message',
      name: `Mail ${this.made}`,
      parentId,
      contents: { properties, ...mime },
    });
  }

  private touch(written: WrittenObject): void {
    const messages = [...written.items].filter(([, { kind }]) => kind === 'message');
    if (messages.length === 0) return;
    const [id, item] = this.random.pick(messages);
    const what = this.random.below(3);
    if (what === 0) written.remove(id);
    else if (what === 1) written.put(id, { ...item, parentId: item.parentId === 'inbox' ? 'archive' : 'inbox' });
    else written.put(id, { ...item, contents: { ...item.contents, properties: this.random.bytes(1_500) } });
  }

  private message(): Buffer {
    const attachment = this.random.pick(this.attachments).toString('base64').replace(/.{76}/g, '$&\r\n');
    return Buffer.from(`Subject: ${this.made}\r\n\r\n--b\r\n\r\n${attachment}\r\n--b--\r\n`);
  }
}
