import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { ServerRow } from '../../entities/entityTable.ts'
import type { WriteOptions } from '../../machines/hosts/operations.ts'
import { timestamp } from '../../wire/apiCall.ts'
import {
  argument,
  badArgument,
  type CallContext,
  type Caller,
  moment,
  object,
  type ServerRows,
  serverTool,
  type Tool,
  ToolFailure,
  text,
} from './tool.ts'

export interface UrlToolServices {
  servers: ServerRows
  urls: OneTimeUrls
  /** The address of this server as a client sees it, without a slash at its end. */
  originFor(caller: Caller): string
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Seconds. */
const ttl = { byDefault: 300, least: 30, most: 600 }
/** Characters. */
const maxPathLength = 4096

/** URLs for whole files, which a program can use once without its token. They are made without asking the machine. */
export function urlTools({ servers, urls, originFor, now }: UrlToolServices): Tool[] {
  const input = { path: argument.text, ttl_seconds: argument.integer({ minimum: ttl.least, maximum: ttl.most }) }
  const outputSchema = object({ expires_at: moment, method: text, url: text }, ['url', 'method', 'expires_at'])

  interface Order {
    direction: Direction
    path: string
    seconds: number
    options?: WriteOptions
  }

  function create({ direction, path, seconds, options = {} }: Order, context: CallContext & { row: ServerRow }) {
    const { caller, row, note } = context
    if (path === '') throw badArgument('path required')
    if (path.length > maxPathLength) throw badArgument('path too long')
    note({ path })
    const expiresAt = now() + (seconds <= 0 ? ttl.byDefault : Math.min(seconds, ttl.most)) * 1000
    const { id: serverId, user_id: ownerId } = row
    const { person } = caller
    const name = urls.create({ direction, caller: { person }, serverId, ownerId, path, options, expiresAt })
    if (!name)
      throw new ToolFailure('too_many', 'too many URLs wait to be used: use those of this token, or try again later')
    const method = direction === 'download' ? 'GET' : 'POST'
    return { url: `${originFor(caller)}/mcp/${direction}/${name}`, method, expires_at: timestamp(expiresAt) }
  }

  const download = serverTool(servers, {
    name: 'fs.download_url',
    description: 'Makes a URL to download a file of a server once, up to 100 MiB, with GET and without the token.',
    scope: 'nezha:server:read',
    input,
    required: ['server_id', 'path'],
    outputSchema,
    run: ({ path = '', ttl_seconds: seconds = 0 }, context) =>
      create({ direction: 'download', path, seconds }, context),
  })

  const upload = serverTool(servers, {
    name: 'fs.upload_url',
    description:
      'Makes a URL to replace a file of a server once, up to 100 MiB, with POST and without the token. The body is the ' +
      'content; with ?sha256= it has to have this hash.',
    scope: 'nezha:server:write',
    input: { ...input, mode: argument.text, create_dirs: argument.flag, if_match_sha256: argument.text },
    required: ['server_id', 'path'],
    outputSchema,
    checkFirst({ if_match_sha256: hash = '' }) {
      if (hash !== '' && !/^[\da-f]{64}$/i.test(hash)) throw badArgument('if_match_sha256 must be 64 hex chars')
    },
    run({ path = '', ttl_seconds: seconds = 0, mode, create_dirs, if_match_sha256 }, context) {
      const options = {
        ...(mode && { mode }),
        ...(create_dirs && { create_dirs }),
        ...(if_match_sha256 && { if_match_sha256 }),
      }
      return create({ direction: 'upload', path, seconds, options }, context)
    },
  })

  return [download, upload]
}

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
