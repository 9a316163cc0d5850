import { uid } from '../../world/random.ts';
import type { ContentStore } from '../drives/content/content-store.ts';
import type { JsonObject } from '../wire/json.ts';
import type { ListStory } from './lists/fill-lists.ts';
import { emptyPage } from './page.ts';
import type { Site } from './site.ts';
import { driveOf } from './site-call.ts';

const pageNames = ['Home', 'News – Neuigkeiten', 'ようこそ', 'Über uns', 'FAQ', 'Contact'] as const;

/** Gives a site pages with sections, columns, text and web parts; the last one is a draft. */
export function fillPages(site: Site, story: ListStory, count: number, contents: ContentStore): void {
  const drive = driveOf(site.pagesLibrary);
  const author = story.people[0];
  const by = { user: { id: author?.id ?? '', displayName: author?.displayName ?? 'System Account' } };
  for (const [number, title] of pageNames.slice(0, count).entries()) {
    const edit = { by, atMs: story.madeMs - (90 - number) * 86_400_000 };
    const content = contents.store(Buffer.from(`<html><head><title>${title}</title></head><body/></html>`));
    const file = drive.add(
      drive.root,
      { name: `${title}.aspx`, kind: 'file', content, fields: { Title: title } },
      edit,
    );
    site.pages.set(file.uniqueId, {
      ...emptyPage,
      title,
      description: `${title} of ${site.facts.displayName}`,
      pageLayout: number === 0 ? 'home' : 'article',
      promotionKind: number === 1 ? 'newsPost' : 'page',
      canvasLayout: layoutOf(story.seed, number),
      level: number > 0 && number === count - 1 ? 'draft' : 'published',
    });
  }
}

/** A section of two columns, one of full width with a web part, and a vertical one on every other page. */
function layoutOf(seed: number, number: number): JsonObject {
  const id = (at: number) => uid(seed, number, at, 901);
  const text = (at: number, innerHtml: string) => ({
    '@odata.type': '#microsoft.graph.textWebPart',
    id: id(at),
    innerHtml,
  });
  const image = {
    '@odata.type': '#microsoft.graph.standardWebPart',
    id: id(1),
    webPartType: 'd1d91016-032f-456d-98a4-721247c305e8',
    data: { dataVersion: '1.9', title: 'Image', properties: { imageSourceType: 2, altText: 'Bild' } },
  };
  return {
    horizontalSections: [
      {
        id: '1',
        layout: 'twoColumns',
        emphasis: 'none',
        columns: [
          { id: '1', width: 6, webparts: [text(2, '<h2>Willkommen</h2><p>Grüße &amp; 挨拶</p>')] },
          { id: '2', width: 6, webparts: [text(3, '<p>Second column</p>')] },
        ],
      },
      { id: '2', layout: 'fullWidth', emphasis: 'soft', columns: [{ id: '1', width: 0, webparts: [image] }] },
    ],
    verticalSection: number % 2 === 0 ? null : { emphasis: 'neutral', webparts: [text(4, '<p>Aside</p>')] },
  };
}
