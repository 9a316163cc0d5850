import { Readable } from 'node:stream';
import {
  editBrand as editBrandCall,
  getBrandImage,
  listBrands,
  removeBrandImage,
  removeChatSecret,
  setChatSecret,
  storeBrandImage,
} from '@keepwatch/contract/branding/brands';
import { change } from '../audit/change.ts';
import { notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import { wholeProvider } from '../foundation/whole-provider.ts';
import { findImage, removeImage, storeImage } from './brand-images.ts';
import { findBrands, lockBrand, runsInstallation } from './brands-within.ts';
import { storeChatSecret } from './chat-secrets.ts';
import { editBrand } from './edit-brand.ts';

/** The calls with which administrators look after brands, and the images that everybody gets. */
export function brandCalls({ secrets }: { secrets: SecretBox }): Route[] {
  return [
    answer(listBrands, async (context) => {
      const providerId = wholeProvider(context);
      return { data: await findBrands(context.database, providerId), canSetDomain: runsInstallation(providerId) };
    }),

    answer(editBrandCall, async (context, { params, body }) => {
      const providerId = wholeProvider(context);
      await change(context, targetOf(params), async (connection) => {
        const edited = await editBrand(connection, providerId, params.id, body);
        return edited === null ? null : { result: null, ...edited };
      });
      return reply(context, params.id);
    }),

    answer(storeBrandImage, async (context, { params, body }) => {
      const providerId = wholeProvider(context);
      await change(context, targetOf(params), async (connection) => {
        const brand = await lockBrand(connection, providerId, params.id);
        if (brand === null) return null;
        const content = Buffer.from(body.content, 'base64');
        const { before, after } = await storeImage(connection, brand, params.kind, content);
        return { result: null, before: { [params.kind]: before }, after: { [params.kind]: after } };
      });
      return reply(context, params.id);
    }),

    answer(removeBrandImage, async (context, { params }) => {
      const providerId = wholeProvider(context);
      await change(context, targetOf(params), async (connection) => {
        const brand = await lockBrand(connection, providerId, params.id);
        if (brand === null) return null;
        const before = await removeImage(connection, brand, params.kind);
        if (before === null) return { result: null, isUnchanged: true };
        return { result: null, before: { [params.kind]: before }, after: { [params.kind]: null } };
      });
      return reply(context, params.id);
    }),

    answer(getBrandImage, async ({ database }, { params }) => {
      const image = await findImage(database, params.id);
      if (image === null) throw notFound('image');
      const { type, content } = image;
      const name = `image.${type.replace('image/', '')}`;
      return { name, type, length: content.length, stream: Readable.from([content]), isLasting: true };
    }),

    answer(setChatSecret, async (context, { params, body }) => {
      const providerId = wholeProvider(context);
      await change(context, targetOf(params), async (connection) => {
        const brand = await lockBrand(connection, providerId, params.id);
        if (brand === null) return null;
        await storeChatSecret(connection, secrets, brand.id, body.secret);
        return { result: null };
      });
      return reply(context, params.id);
    }),

    answer(removeChatSecret, async (context, { params }) => {
      const providerId = wholeProvider(context);
      await change(context, targetOf(params), async (connection) => {
        const brand = await lockBrand(connection, providerId, params.id);
        if (brand === null) return null;
        await storeChatSecret(connection, secrets, brand.id, null);
        return { result: null };
      });
      return reply(context, params.id);
    }),
  ];
}

function targetOf({ id }: { id: number }) {
  return { kind: 'brand', id: String(id) };
}

async function reply(context: SignedInContext, id: number) {
  const [data] = await findBrands(context.database, wholeProvider(context), id);
  if (data === undefined) throw notFound('brand');
  return { data };
}
