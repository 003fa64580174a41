import { createHash } from 'node:crypto'
import { existsSync, ReadStream, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { consolePath } from '../../src/schemas/consolePath.ts'
import { shareBytes } from '../wire/sharedBytes.ts'

const prefix = `${consolePath}/`
const page = 'index.html'
const serviceWorker = 'service-worker.js'

/** The build puts content hashes into the names of these files. */
const hashedFolder = 'assets/'

/**
 * Serves the built console under /dashboard/: hashed files are cached for ever, the page itself never from a cache, and the page
 * also for the paths inside the console.
 * @param dist folder of the build
 */
export async function registerStaticFiles(app: FastifyInstance, dist: string): Promise<void> {
  shareFiles(app, dist)
  await app.register(staticFiles, {
    root: dist,
    prefix,
    preCompressed: true,
    dotfiles: 'ignore',
    acceptRanges: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const file = relative(dist, path).replaceAll('\\', '/')
      const isHashed = file.startsWith(hashedFolder)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      // The address of the list of servers has no slash at its end: without this, the worker could not have it.
      if (file.startsWith(serviceWorker)) reply.header('service-worker-allowed', consolePath)
    },
  })
}

/**
 * Keeps the files that were sent in memory: all readers have the same bytes, and a slow one no open file. As many are kept
 * as the build has; one that was replaced on the disk is read again.
 */
function shareFiles(app: FastifyInstance, dist: string): void {
  const files = new Map<string, { version: string; bytes: Promise<Buffer> }>()
  app.addHook('onSend', async (_request, reply, payload) => {
    // Others are files of machines, without a path and of any length.
    if (!(payload instanceof ReadStream) || typeof payload.path !== 'string') return payload
    const { path } = payload
    if (!path.startsWith(resolve(dist) + sep)) return payload
    const version = String(reply.getHeader('etag'))
    const known = files.get(path)
    if (known?.version === version) {
      // It is still being opened: the file may be gone.
      payload.on('error', () => {}).destroy()
      return known.bytes
    }
    const bytes = payload.toArray().then((chunks: Buffer[]) => shareBytes(Buffer.concat(chunks)))
    files.set(path, { version, bytes })
    bytes.catch(() => files.delete(path))
    return bytes
  })
}

/** Shows what `openapi.json` describes, to everybody who may read that. The page's own files are among the static ones. */
export function registerApiDocs(app: FastifyInstance): void {
  app.get('/api/docs', (_request, reply) => reply.sendFile('api-docs/index.html'))
}

/** Whether a path that is no file is a path inside the console. */
export function isConsolePath(method: string, url: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  const [path = ''] = url.split('?')
  return isRead && (path === consolePath || (path.startsWith(prefix) && !path.startsWith(`${prefix}${hashedFolder}`)))
}

export const sendConsolePage = (reply: FastifyReply) => reply.sendFile(page)

/** Whether the console was built. */
export const isConsoleBuilt = (dist: string) => existsSync(join(dist, page))

/** The inline scripts of the page: the first one picks the theme before the first paint. */
export function inlineScripts(dist: string): string[] {
  const html = readFileSync(join(dist, page), 'utf8')
  const scripts = html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/gi)
  return [...scripts].map(([, text = '']) => text)
}

/** The hash by which a content security policy allows an inline script. */
export const scriptHash = (script: string): string => `sha256-${createHash('sha256').update(script).digest('base64')}`
