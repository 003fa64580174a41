import type { Readable } from 'node:stream'

/** Bytes of a reply that may hold a link; one that does is far shorter. */
const maxReplyBytes = 65_536

const linkPath = /^\/mcp\/(download|upload)\/[^/]+$/

/** Whether a request calls tools of the Model Context Protocol (docs/contract/MCP.md#1-paths-and-methods). */
export const callsTools = (method: string | undefined, url = ''): boolean =>
  method === 'POST' && /^\/mcp(\?|$)/.test(url)

/**
 * The reply of a tool. A one-time URL in it names the host that the upstream was asked for, which is its own: whoever
 * called the gateway gets one that leads through the gateway. Everything else stays as it is, also in what a tool has read.
 * @param origin where the gateway was called
 */
export async function* withOwnLinks(reply: Readable, upstream: URL, origin: string): AsyncGenerator<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    if (start) start = Buffer.concat([start, chunk])
    else yield chunk
    if (start && start.length > maxReplyBytes) {
      yield start
      start = undefined
    }
  }
  if (!start) return
  const link = linkIn(start.toString(), upstream)
  yield link ? Buffer.from(start.toString().replaceAll(link.href, `${origin}${link.pathname}`)) : start
}

function linkIn(text: string, upstream: URL): URL | undefined {
  try {
    const { url } = JSON.parse(text).result.structuredContent
    const link = new URL(url)
    return link.host === upstream.host && linkPath.test(link.pathname) && link.href === url ? link : undefined
  } catch {
    return undefined
  }
}
