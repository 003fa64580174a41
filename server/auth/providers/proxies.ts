import type { FastifyRequest } from 'fastify'
import { type AddressRanges, readAddressRanges } from '../addresses/addressRanges.ts'
import { type IdentityProxy, type ProxiedPerson, ProxyHeaderError, readProxiedPerson } from '../proxy/proxyHeader.ts'
import { type Bindings, bindingName } from '../users/oauth2Bindings.ts'
import type { SignInProvider } from './kinds.ts'
import type { SignInProviders } from './signInProviders.ts'

export type ProxyProvider = Extract<SignInProvider, { kind: 'proxy' }>

/** Somebody whom a proxy names. */
export interface Proxied {
  provider: ProxyProvider
  person: ProxiedPerson
}

type Request = Pick<FastifyRequest, 'raw'>

/** Proxies in front that say in a header who somebody is. */
export interface Proxies {
  /** Who a request is from, by the proxy that it came through; `undefined` for all others. @throws ProxyHeaderError */
  personOf(request: Request): Proxied | undefined
  /** By name, when it is enabled. */
  named(name: string): ProxyProvider | undefined
  /** Names of those through which a request came, and that say who it is from. */
  namesFor(request: Request): string[]
  /** Whether a request came through a proxy that has a sign-out of its own. */
  hasSignOut(request: Request): boolean
  /** Whether the proxy says that a request is from somebody else than this user, who signed in by it. */
  isOtherPerson(request: Request, userId: number): boolean
}

export function createProxies(providers: SignInProviders, bindings: Bindings): Proxies {
  let read: { of: readonly SignInProvider[]; proxies: readonly { provider: ProxyProvider; proxy: IdentityProxy }[] }
  read = { of: [], proxies: [] }

  /** Every request asks, and most servers have none. */
  function enabled() {
    const stored = providers.stored()
    if (read.of !== stored) read = { of: stored, proxies: stored.flatMap(readProxy) }
    return read.proxies
  }

  function personOf({ raw }: Request): Proxied | undefined {
    for (const { provider, proxy } of enabled()) {
      const person = readProxiedPerson(raw, proxy)
      if (person) return { provider, person }
    }
    return undefined
  }

  return {
    personOf,
    named: (name) => enabled().find(({ provider }) => provider.name === name)?.provider,
    namesFor(request) {
      const found = askSafely(() => personOf(request))
      return found && found !== 'refused' ? [found.provider.name] : []
    },
    hasSignOut(request) {
      const found = askSafely(() => personOf(request))
      return found !== undefined && found !== 'refused' && found.provider.settings.sign_out_url !== ''
    },
    isOtherPerson(request, userId) {
      const found = askSafely(() => personOf(request))
      if (found === 'refused') return true
      if (!found) return false
      const account = bindings.ofUser(userId)[bindingName(found.provider.name)]
      return account !== undefined && account !== found.person.username
    },
  }
}

/** A header that is refused must not end a request that does not need it. */
function askSafely<Answer>(ask: () => Answer): Answer | 'refused' {
  try {
    return ask()
  } catch (error) {
    if (error instanceof ProxyHeaderError) return 'refused'
    throw error
  }
}

function readProxy(provider: SignInProvider): { provider: ProxyProvider; proxy: IdentityProxy }[] {
  if (provider.kind !== 'proxy' || !provider.enabled) return []
  const addresses: AddressRanges | string = readAddressRanges(provider.settings.addresses)
  return typeof addresses === 'string' ? [] : [{ provider, proxy: { ...provider.settings, addresses } }]
}
