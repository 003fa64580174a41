import { isIP } from 'node:net'
import { sessionBindings } from '../../../src/schemas/settings/siteSetting.ts'
import type { Store } from '../../db/store.ts'
import { readSite } from '../../site/site.ts'
import { addressPrefix, isSameAddress } from '../addresses/clientAddress.ts'

/** From where somebody may go on with what they began at an address, by the setting `session_binding`. */
export interface SessionNetwork {
  /** Whether both addresses are one place. Addresses of two families are, unless their providers are known to differ. */
  isSame(begun: string, address: string): boolean
}

/**
 * Bits. What is announced in the global routing tables is no longer than this, so that all addresses with the same first
 * bits belong to one provider.
 */
const routedBits = { 4: 24, 6: 48 } as const

/** @param providerOf the provider's network of an address; '' when it is not known */
export function createSessionNetwork(store: Store, providerOf: (address: string) => string): SessionNetwork {
  function isSameNetwork(one: string, other: string): boolean {
    const [family, otherFamily] = [isIP(one), isIP(other)]
    if (family === 0 || otherFamily === 0) return false
    if (family === otherFamily) {
      const bits = routedBits[family as 4 | 6]
      if (addressPrefix(one, bits) === addressPrefix(other, bits)) return true
    }
    const [provider, otherProvider] = [providerOf(one), providerOf(other)]
    const isKnown = provider !== '' && otherProvider !== ''
    return isKnown ? provider === otherProvider : family !== otherFamily
  }

  return {
    isSame(begun, address) {
      if (isSameAddress(begun, address)) return true
      const binding = sessionBindings[readSite(store).session_binding as keyof typeof sessionBindings]
      return binding === 'none' || (binding === 'network' && isSameNetwork(begun, address))
    },
  }
}
