import { cloudflare } from './cloudflare.ts'
import { he } from './he.ts'
import type { Provider, ProviderFactory } from './provider.ts'
import { tencentcloud } from './tencentcloud.ts'
import { webhook } from './webhook.ts'

/** All providers, by the name in the field `provider` of a profile. A new one is a file and a line here. */
const factories: Readonly<Record<string, ProviderFactory>> = {
  // Sends nothing: for trying out a profile.
  dummy: () => async () => {},
  webhook: () => webhook,
  cloudflare,
  tencentcloud,
  he,
}

/** The providers that the console offers. */
export const ddnsProviders = Object.keys(factories)

/**
 * @param now milliseconds since 1970
 * @param urls other API addresses than the providers' own, for tests
 */
export const createProviders = (
  now: () => number,
  urls: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, Provider> =>
  new Map(Object.entries(factories).map(([name, create]) => [name, create({ now, url: urls[name] })]))
