import type { JsonObject } from './graph/json.ts';
import type { FoundItem, TargetContent } from './target.ts';

/**
 * Where lists, rows and pages of a site are restored to. Like `MailboxTarget`, it has no state of a restore, and a refusal concerns one
 * item only. Entities are those of Microsoft Graph, as in the content `properties`.
 */
export interface SiteTarget {
  site(signal: AbortSignal): Promise<JsonObject>;
  /** The sites below it. */
  subsites(signal: AbortSignal): Promise<JsonObject[]>;
  /** Columns and content types of the site itself. */
  columns(signal: AbortSignal): Promise<JsonObject[]>;
  contentTypes(signal: AbortSignal): Promise<JsonObject[]>;
  /** All lists with their columns and content types, also those that the system keeps. */
  lists(signal: AbortSignal): Promise<JsonObject[]>;
  createList(list: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  createColumn(listId: string, column: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  updateColumn(listId: string, columnId: string, column: JsonObject, signal: AbortSignal): Promise<void>;
  createContentType(listId: string, type: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** All rows of a list with their fields. */
  rows(listId: string, signal: AbortSignal): AsyncIterable<JsonObject>;
  /** @param fields as they are written: see `write-sites/row-fields.ts` */
  createRow(listId: string, fields: JsonObject, contentType: string | null, signal: AbortSignal): Promise<FoundItem>;
  updateRow(listId: string, id: string, fields: JsonObject, signal: AbortSignal): Promise<void>;
  deleteRow(listId: string, id: string, signal: AbortSignal): Promise<void>;
  /** Whether files can be attached to rows. */
  readonly attaches: boolean;
  /** Names of the files that are attached to a row. */
  attachedTo(listId: string, id: string, signal: AbortSignal): Promise<string[]>;
  attach(listId: string, id: string, name: string, file: TargetContent, signal: AbortSignal): Promise<void>;
  /** Without their layout. */
  pages(signal: AbortSignal): Promise<JsonObject[]>;
  /** One with its layout. */
  page(id: string, signal: AbortSignal): Promise<JsonObject>;
  /** A page that was published is published. */
  createPage(page: JsonObject, signal: AbortSignal): Promise<FoundItem>;
  updatePage(id: string, page: JsonObject, signal: AbortSignal): Promise<void>;
  deletePage(id: string, signal: AbortSignal): Promise<void>;
}
