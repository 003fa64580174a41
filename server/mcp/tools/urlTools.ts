import type { ServerRow } from '../../entities/row.ts'
import type { WriteOptions } from '../../machines/hosts/operations.ts'
import { timestamp } from '../../wire/timestamp.ts'
import { type ServerRows, serverTool } from './defineTool.ts'
import type { Direction, OneTimeUrls } from './oneTimeUrls.ts'
import { moment, object, text } from './outputSchema.ts'
import { argument } from './readArguments.ts'
import type { CallContext, Caller, Tool } from './tool.ts'
import { badArgument, ToolFailure } from './toolFailure.ts'

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
