import type { EntityHooks } from '../../api/entityHooks.ts'
import { ApiError, withoutEmpty } from '../../wire/apiCall.ts'
import type { Waf } from './blockedAddresses.ts'
import type { OnlineUsers } from './onlineUsers.ts'

/** Addresses that failed, or were blocked (docs/contract/CONTRACT.md#512-waf-and-online-users). */
export const wafHooks = (waf: Waf): EntityHooks => ({
  pagedRows: {
    async page(offset, limit) {
      const rows = waf.rows()
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
