import { domainToASCII } from 'node:url'
import type { EntityHooks } from '../api/entityHooks.ts'
import { ApiError } from '../wire/apiError.ts'

/**
 * DDNS profiles (docs/contract/CONTRACT.md#59-ddns). Unknown providers and profiles without domains are saved, as on
 * real servers.
 */
export const ddnsHooks: EntityHooks = {
  validation: 'contract',
  notFoundError: (id) => `profile id ${id} does not exist`,
  validate(form) {
    const retries = form.max_retries as number
    if (retries < 1 || retries > 10) throw new ApiError('the retry count must be an integer between 1 and 10')
    return { ...form, domains: (form.domains as string[]).map(asciiDomain) }
  },
  // Real servers send null, not an empty list, for domains that were never given.
  present: (wire) => ({ ...wire, domains: (wire.domains as string[]).length > 0 ? wire.domains : null }),
}

/** What ends a host name in an address, and so can be no part of one. */
const disallowed = /[\s#%/:<>?@[\\\]^|\p{Cc}]/u

/** The domain as name servers know it: `bücher.example` is `xn--bcher-kva.example`. */
export function asciiDomain(domain: string): string {
  const [rune] = disallowed.exec(domain) ?? []
  if (rune) throw new ApiError(`error parsing ${domain}: idna: disallowed rune U+${codeOf(rune)}`)
  const ascii = domainToASCII(domain)
  if (ascii === '' && domain !== '') throw new ApiError(`error parsing ${domain}: idna: invalid label "${domain}"`)
  return ascii
}

const codeOf = (rune: string) => (rune.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
