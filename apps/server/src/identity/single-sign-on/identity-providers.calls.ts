import { editGroups, listIdentityProviders } from '@keepwatch/contract/identity/identity-providers';
import { SIGNED_OUT_PATH } from '@keepwatch/contract/identity/single-sign-on';
import { change } from '../../audit/change.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { wholeProvider } from '../../foundation/whole-provider.ts';
import { storeGroupLines } from './group-roles.ts';
import { identityProvidersOf } from './identity-providers.ts';
import { brandAddressOf, redirectAddressOf } from './redirect-address.ts';

/** The calls about what the groups of identity providers give. The providers themselves are connections. */
export function identityProviderCalls({ publicUrl }: { publicUrl: string }): Route[] {
  return [
    answer(listIdentityProviders, async (context) => {
      const providerId = wholeProvider(context);
      const redirectAddress = await redirectAddressOf(context.database, publicUrl, providerId);
      const signedOutAddress = await brandAddressOf(context.database, publicUrl, providerId, SIGNED_OUT_PATH);
      return { data: await identityProvidersOf(context.database, providerId), redirectAddress, signedOutAddress };
    }),

    answer(editGroups, async (context, { params, body }) => {
      const providerId = wholeProvider(context);
      const data = await change(context, { kind: 'identity-provider', id: params.id }, async (connection) => {
        const [found] = await identityProvidersOf(connection, providerId, params.id);
        if (found === undefined) return null;
        await storeGroupLines(connection, context.scope, found._id, body.groups);
        return { result: { ...found, groups: body.groups }, before: { groups: found.groups }, after: body };
      });
      return { data };
    }),
  ];
}
