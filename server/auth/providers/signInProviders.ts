import type { FastifyRequest } from 'fastify'
import {
  type GroupRule,
  type SignInProviderForm,
  signInLimits,
  signInProviderForm,
} from '../../../src/schemas/account/signInProvider.ts'
import { isVisibleName } from '../../../src/schemas/account/username.ts'
import { createSelector } from '../../db/selector.ts'
import type { Store } from '../../db/store.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { type AddressRanges, readAddressRanges } from '../addresses/addressRanges.ts'
import { type Bindings, type BoundProvider, bindingName } from '../users/oauth2Bindings.ts'
import { checkedForm, identityOf, receiverOf, redirectOf, type SignInProvider } from './kinds.ts'
import type { Provider, Providers } from './providers.ts'
import { type IdentityProxy, type ProxiedPerson, ProxyHeaderError, readProxiedPerson } from './proxyHeader.ts'

/** A provider as stored. */
interface ProviderRow {
  id: number
  kind: string
  name: string
  enabled: boolean
  settings: object
  secret: string
  create_accounts: boolean
  rules: readonly GroupRule[]
}

/** The providers by which people sign in: those of `oauth2.json`, and those in the database. */
export interface SignInProviders {
  /** Those of `oauth2.json`. */
  inFile(): readonly Provider[]
  /** Those in the database. */
  stored(): readonly SignInProvider[]
  get(id: number): SignInProvider | undefined
  /** All to which browsers are led, by name: those of the file first. */
  redirecting(): Providers
  /** All by which people can sign in now. */
  enabled(): readonly BoundProvider[]
  /** What a form would be when it is saved. @param id of the provider that it changes @throws ApiError */
  completed(form: SignInProviderForm, id?: number): SignInProvider
  /** @returns the id @throws ApiError */
  create(form: SignInProviderForm): number
  update(provider: SignInProvider): void
  remove(id: number): void
  /** Whether passwords sign in nobody but those who were readmitted. */
  isOnlyWay(): boolean
  setOnlyWay(only: boolean): void
}

const onlyWayName = 'auth.onlyProviders'

/** @param file those of `oauth2.json` */
export function createSignInProviders(store: Store, file: Providers): SignInProviders {
  const table = store.resident<ProviderRow>({
    name: 'sign_in_provider',
    columns: [
      { name: 'kind', type: 'TEXT' },
      { name: 'name', type: 'TEXT' },
      { name: 'enabled', type: 'FLAG', initial: true },
      { name: 'settings', type: 'JSON' },
      { name: 'secret', type: 'TEXT' },
      { name: 'create_accounts', type: 'FLAG', initial: false },
      { name: 'rules', type: 'JSON' },
    ],
  })
  /** What another version made, and this one does not know, stays where it is. */
  const stored = createSelector([table], (rows): SignInProvider[] =>
    rows.flatMap(({ rules, ...row }) => {
      const { success, data } = signInProviderForm.safeParse({ ...row, groups: rules })
      return success ? [{ ...data, id: row.id }] : []
    }),
  )
  const enabled = createSelector([table], (): readonly BoundProvider[] => [
    ...file.values(),
    ...stored()
      .filter((one) => one.enabled)
      .map((one) => ({ name: one.name, accountPrefix: identityOf(one) })),
  ])
  // What a provider says of itself is kept by the object that stands for it.
  const redirecting = createSelector([table], (): Providers => {
    const ours = stored().flatMap((one): Provider[] => (one.enabled ? [redirectOf(one)].flatMap((at) => at ?? []) : []))
    return new Map([...file, ...ours.map((one) => [one.name, one] as const)])
  })
  const get = (id: number) => stored().find((one) => one.id === id)

  /** @throws ApiError */
  function checkName(name: string, id?: number): void {
    if (!isVisibleName(name) || name.includes('/')) {
      throw new ApiError('name: leave out slashes and characters that cannot be seen')
    }
    const compared = bindingName(name)
    // Both would share their bindings.
    const isTaken = [...file.values(), ...table.all().filter((row) => row.id !== id)].some(
      (other) => bindingName(other.name) === compared,
    )
    if (isTaken) throw new ApiError('name: there is a provider with this name: choose another')
    // Browsers come back at that address, and the others are what the audit log says of sign-ins without a provider.
    if (['callback', 'password', 'passkey', 'invitation'].includes(compared)) {
      throw new ApiError(`name: "${compared}" is no name to choose`)
    }
  }

  function completed(given: SignInProviderForm, id?: number): SignInProvider {
    const before = id === undefined ? undefined : get(id)
    if (id !== undefined && !before) throw new ApiError(`sign-in provider id ${id} does not exist`)
    if (before && before.kind !== given.kind) throw new ApiError('kind: it stays: make another provider')
    checkName(given.name, id)
    const form = checkedForm(given)
    const provider = { ...form, id: id ?? 0, clear_secret: false }
    if (given.clear_secret) return { ...provider, secret: '' }
    if (given.secret !== '' || !before?.secret) return provider
    if (receiverOf(before) !== receiverOf(form)) {
      throw new ApiError('secret: the stored one is for another address: type the one for this address, or clear it')
    }
    return { ...provider, secret: before.secret }
  }

  const rowOf = ({ kind, name, enabled, settings, secret, create_accounts, groups }: SignInProvider) => ({
    kind,
    name,
    enabled,
    settings,
    secret,
    create_accounts,
    rules: groups,
  })

  return {
    inFile: () => [...file.values()],
    stored,
    get,
    redirecting,
    enabled,
    completed,
    create(form) {
      if (table.count() >= signInLimits.providers) {
        throw new ApiError(
          `there are ${signInLimits.providers} providers already: delete those that nobody needs first`,
        )
      }
      return table.insert(rowOf(completed(form)))
    },
    update: (provider) => void table.update(provider.id, rowOf(provider)),
    remove: (id) => void table.remove([id]),
    isOnlyWay: () => store.value<boolean>(onlyWayName) === true,
    setOnlyWay: (only) => store.setValue(onlyWayName, only || undefined),
  }
}

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
