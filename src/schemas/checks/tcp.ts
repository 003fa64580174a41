import { z } from 'zod'
import { bytesOfEscaped } from '../formats/escapes.ts'
import { checkLimits, defineCheck, optionalText } from './checkKind.ts'

/** A text in which `\r\n` and `\x00` stand for bytes. */
const escaped = (max: number) =>
  optionalText(max).refine((text) => bytesOfEscaped(text) !== undefined, { params: { key: 'validation.escapes' } })

/** Bytes that are sent to a port, and what must come back. */
export const tcpCheck = defineCheck({
  target: 'host_port',
  type: 3,
  secrets: [],
  schema: z.object({
    kind: z.literal('tcp'),
    /** Sent after the connection is made. */
    send: escaped(checkLimits.sent),
    /** Must be in what comes back. */
    expect: escaped(checkLimits.expected),
    /** Whether TLS begins first. */
    tls: z.boolean().default(false),
    verify_tls: z.boolean().default(true),
  }),
})
