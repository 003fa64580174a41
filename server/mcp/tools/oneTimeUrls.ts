import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { WriteOptions } from '../../machines/hosts/operations.ts'
import type { Caller } from './tool.ts'

export type Direction = 'download' | 'upload'

/** What a URL allows, once. */
export interface Transfer {
  direction: Direction
  /** Who asked for the URL: the request that uses it acts in their name. */
  caller: Pick<Caller, 'person'>
  serverId: number
  /** Owner of the server when the URL was made: with another owner the URL is void. */
  ownerId: number
  path: string
  options: WriteOptions
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** URLs that wait for their only use, in memory (docs/contract/MCP.md#6-one-time-urls). */
export interface OneTimeUrls {
  /** @returns the last part of the URL; `undefined` when the token, or its owner, has too many already */
  create(transfer: Transfer): string | undefined
  /** Removes it, also when the transfer then fails. */
  take(name: string): Transfer | undefined
  /** Makes all of them void. */
  clear(): void
}

/** URLs that wait at the same time: more than a program needs, and little in memory. One person leaves room for others. */
const maxWaiting = { perToken: 100, perPerson: 500, total: 10_000 }
const idLength = 24
const idCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

interface Waiting {
  transfer: Transfer
  hash: Buffer
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/**
 * @param isAlive whether a token, and what its owner needs to use it, still count
 * @param now the clock, in milliseconds since 1970
 */
export function createOneTimeUrls(isAlive: (caller: Transfer['caller']) => boolean, now: () => number): OneTimeUrls {
  const waiting = new Map<string, Waiting>()

  /** An expired URL is kept for a while, so that its user gets that reason. */
  function dropOld(): void {
    for (const [id, { transfer }] of waiting) if (transfer.expiresAt + rememberedMs < now()) waiting.delete(id)
  }

  /** What deleted and expired tokens have left behind is of no use to anybody, and takes no place. */
  function dropDead(): void {
    const aliveByToken = new Map<number, boolean>()
    for (const [id, { transfer }] of waiting) {
      const tokenId = transfer.caller.person.token.id
      const alive = aliveByToken.get(tokenId) ?? isAlive(transfer.caller)
      aliveByToken.set(tokenId, alive)
      if (!alive) waiting.delete(id)
    }
  }

  function hasPlace({ person: { id, token } }: Transfer['caller']): boolean {
    const own = [...waiting.values()].map(({ transfer }) => transfer.caller.person).filter((person) => person.id === id)
    const ofToken = own.filter((person) => person.token.id === token.id)
    if (ofToken.length >= maxWaiting.perToken || own.length >= maxWaiting.perPerson) return false
    return waiting.size < maxWaiting.total
  }

  return {
    create(transfer) {
      dropOld()
      if (!hasPlace(transfer.caller)) dropDead()
      if (!hasPlace(transfer.caller)) return undefined
      const id = Array.from({ length: idLength }, () => idCharacters[randomInt(idCharacters.length)]).join('')
      const secret = randomBytes(32).toString('hex')
      waiting.set(id, { transfer, hash: hashOf(secret) })
      return `${id}.${secret}`
    },
    take(name) {
      const [id = '', secret = ''] = name.split('.')
      const found = waiting.get(id)
      if (!found || !timingSafeEqual(hashOf(secret), found.hash)) return undefined
      waiting.delete(id)
      return found.transfer
    },
    clear: () => waiting.clear(),
  }
}

/** Milliseconds. */
const rememberedMs = 60_000
