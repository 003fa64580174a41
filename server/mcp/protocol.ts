import { fieldsIn } from '../../src/schemas/define/values.ts'

/** The version that real servers speak, whatever they are asked for (docs/contract/MCP.md#3-json-rpc). */
const oldestVersion = '2024-11-05'
/** The only version with batches of requests, which real servers refuse. */
const withBatches = '2025-03-26'

/** Where a request of a later version names its own, instead of at the beginning. */
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** The protocol's SDK, read when a client first comes: nobody else should wait for it or have it in memory. */
export const loadSdk = () => import('@modelcontextprotocol/server')

/** The version of a conversation: the one that a client asks for where the SDK knows it, or the oldest. */
export async function negotiatedVersion(params: unknown): Promise<string> {
  const asked = fieldsIn(params).protocolVersion
  if (typeof asked !== 'string') return oldestVersion
  const { SUPPORTED_PROTOCOL_VERSIONS } = await loadSdk()
  const isSpoken = asked !== withBatches && SUPPORTED_PROTOCOL_VERSIONS.includes(asked)
  return isSpoken ? asked : oldestVersion
}

/** Whether a request names its protocol version itself, as since 2026-07-28: the SDK answers those. */
export function namesItsVersion(params: unknown): boolean {
  return Object.hasOwn(fieldsIn(fieldsIn(params)._meta), versionKey)
}
