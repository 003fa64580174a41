import type { EntityHooks } from '../../api/entityHooks.ts'
import { ApiError, withoutEmpty } from '../../wire/apiCall.ts'
import { addressGroup } from '../addresses/clientAddress.ts'
import type { Waf } from './blockedAddresses.ts'
import type { OnlineUsers } from './onlineUsers.ts'

/** Addresses that failed, or were blocked (docs/contract/CONTRACT.md#512-waf-and-online-users). */
export const wafHooks = (waf: Waf): EntityHooks => ({
  pagedRows: {
    filters: { q: ({ ip }, search) => isAddressOf(String(ip), search) },
    async page(offset, limit, _context, filter) {
      const all = waf.rows()
      const rows = filter ? all.filter((row) => filter.matches({ ...row })) : all
      const page = rows.slice(offset, offset + limit).map((row) => {
        const { ip, account, browser, ...values } = row
        const end = waf.endOf(row)
        return { ip, ...withoutEmpty(values), ...(Number.isFinite(end) && { blocked_until: end }) }
      })
      return { rows: page, total: rows.length }
    },
    remove: (addresses) => waf.unblock(addresses),
  },
})

/** Whether an address, as a row has it, contains what somebody searches for, or is the network of the address searched for. */
function isAddressOf(ip: string, search: string): boolean {
  const text = search.trim().toLowerCase()
  return ip.includes(text) || ip === addressGroup(text)
}

/** Who has an open live stream: one row for each. */
export const onlineUserHooks = (online: OnlineUsers): EntityHooks => ({
  pagedRows: {
    all: () =>
      online.list().map(({ person, connectedAt, address }) => ({
        ...withoutEmpty({ user_id: person?.id ?? 0 }),
        connected_at: connectedAt,
        ip: address,
      })),
  },
})

/**
 * Blocks addresses permanently and closes their live streams.
 * @throws ApiError at the first text that is no address; the ones before it stay blocked
 */
export function blockAddresses(waf: Waf, online: OnlineUsers, addresses: readonly string[]): void {
  for (const address of addresses) {
    if (!waf.block(address)) throw new ApiError('database error')
    online.disconnect((user) => waf.isBlockedByAdmin(user.address))
  }
}
