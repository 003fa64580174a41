import type { Provider } from '../provider.ts'
import { cloudflare } from './cloudflare.ts'
import { he } from './he.ts'
import { tencentcloud } from './tencentcloud.ts'
import { webhook } from './webhook.ts'

/** Where the providers are; tests have their own. */
export interface ProviderAddresses {
  cloudflare: string
  tencentcloud: string
  he: string
}

const usualAddresses: ProviderAddresses = {
  cloudflare: 'https://api.cloudflare.com/client/v4',
  tencentcloud: 'https://dnspod.tencentcloudapi.com/',
  he: 'https://dyn.dns.he.net/nic/update',
}

/**
 * The providers by the names that profiles give them.
 * @param now milliseconds since 1970
 */
export function createProviders(now: () => number, addresses = usualAddresses): ReadonlyMap<string, Provider> {
  return new Map<string, Provider>([
    // Tells nobody: for trying out a profile.
    ['dummy', async () => {}],
    ['webhook', webhook],
    ['cloudflare', cloudflare(addresses.cloudflare)],
    ['tencentcloud', tencentcloud(addresses.tencentcloud, now)],
    ['he', he(addresses.he)],
  ])
}
