import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { root } from '../root.ts'

const dist = join(root, 'dist')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface Served {
  status: number
  type: string
  bytes: Buffer
}

/**
 * The built console as a Nezha server hands out its `admin-dist`: neither compressed nor with any word about caching,
 * and an address of the console that is no file comes with status 404 and the page's HTML.
 * @param path as asked, without its query
 */
export function serveConsole(path: string): Served {
  const inside = normalize(decodeURIComponent(path)).replace(/^\/dashboard\/?/, '')
  const file = join(dist, inside)
  const isFile = path.startsWith('/dashboard') && inside !== '' && existsSync(file) && statSync(file).isFile()
  if (isFile)
    return { status: 200, type: types[extname(file)] ?? 'application/octet-stream', bytes: readFileSync(file) }
  const page = readFileSync(join(dist, 'index.html'))
  return { status: inside === '' ? 200 : 404, type: types['.html'] ?? '', bytes: page }
}
