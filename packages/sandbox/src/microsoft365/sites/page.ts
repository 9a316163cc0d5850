import type { JsonObject } from '../wire/json.ts';

/** What makes a page more than a file: title, layout, sections and web parts. */
export interface Page {
  title: string;
  description: string;
  pageLayout: string;
  promotionKind: string;
  showComments: boolean;
  showRecommendedPages: boolean;
  thumbnailWebUrl: string;
  titleArea: JsonObject;
  canvasLayout: JsonObject;
  /** `draft` or `published`. */
  level: string;
}

const titleArea = { enableGradientEffect: true, layout: 'plain', showAuthor: true, showPublishedDate: false };

/** What a page is that says nothing of itself. */
export const emptyPage: Page = {
  title: '',
  description: '',
  pageLayout: 'article',
  promotionKind: 'page',
  showComments: true,
  showRecommendedPages: false,
  thumbnailWebUrl: '',
  titleArea,
  canvasLayout: { horizontalSections: [], verticalSection: null },
  level: 'draft',
};
