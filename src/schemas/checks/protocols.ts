import { z } from 'zod'
import { limits } from '../define/fields.ts'
import { bytesOfEscaped } from '../formats/escapes.ts'
import { checkLimits, defineCheck, headerMap, innerSecret, optionalHostPort, optionalText } from './checkKind.ts'

export const dnsRecords = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SRV', 'CAA', 'SOA', 'PTR'] as const
export const dnsMatches = ['all', 'any'] as const

/** What a name server says of a name. */
export const dnsCheck = defineCheck({
  target: 'host',
  schema: z.object({
    kind: z.literal('dns'),
    record: z.enum(dnsRecords).default('A'),
    /** `host:port` of a name server. Empty: the first one of this server. */
    resolver: optionalHostPort(),
    /** Values that must be among the answers: all, or any of them. Without any, there must be an answer. */
    expected: z.array(z.string().trim().min(1).max(limits.shortText)).max(checkLimits.entries).default([]),
    match: z.enum(dnsMatches).default('all'),
  }),
})

/** A text in which `\r\n` and `\x00` stand for bytes. */
const escaped = (max: number) =>
  optionalText(max).refine((text) => bytesOfEscaped(text) !== undefined, { params: { key: 'validation.escapes' } })

/** Bytes that are sent to a port, and what must come back. */
export const tcpCheck = defineCheck({
  target: 'host_port',
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

/** A gRPC server with the standard health check (`grpc.health.v1.Health`). */
export const grpcCheck = defineCheck({
  target: 'host_port',
  secrets: [['headers', '*']],
  schema: z.object({
    kind: z.literal('grpc'),
    /** The name of a service. Empty: the server as a whole. */
    service: optionalText(limits.shortText),
    /** Metadata of the call, such as `authorization`. */
    headers: headerMap(),
    tls: z.boolean().default(false),
    verify_tls: z.boolean().default(true),
  }),
})

/** A WebSocket that opens, and answers a message. */
export const websocketCheck = defineCheck({
  target: 'socket_url',
  secrets: [['headers', '*'], ['send']],
  schema: z.object({
    kind: z.literal('websocket'),
    headers: headerMap(),
    /** A message. */
    send: innerSecret(checkLimits.sent),
    /** Must be in a message that comes back. */
    expect: optionalText(checkLimits.expected),
    verify_tls: z.boolean().default(true),
  }),
})

/** An MQTT broker, and perhaps a message on a topic. */
export const mqttCheck = defineCheck({
  target: 'host_port',
  secrets: [['password']],
  schema: z.object({
    kind: z.literal('mqtt'),
    user: optionalText(limits.shortText),
    password: innerSecret(),
    /** A topic, or a filter of topics with `+` and `#`, on which a message must come. */
    topic: optionalText(limits.shortText),
    /** Must be in a message. */
    expect: optionalText(checkLimits.expected),
    /** Seconds in which the message must come; one that the broker has kept comes at once. */
    wait: z.int().min(1).max(8).default(5),
    tls: z.boolean().default(false),
    verify_tls: z.boolean().default(true),
  }),
})

/** A host that answers pings: how many of them, and how evenly. */
export const pingCheck = defineCheck({
  target: 'host',
  type: 2,
  schema: z.object({
    kind: z.literal('ping'),
    packets: z.int().min(1).max(20).default(5),
    /** Bytes of what is sent in each. */
    size: z.int().min(8).max(1472).default(56),
    /** Percent of the packets that may be lost. */
    max_loss: z.int().min(0).max(99).default(0),
    /** Milliseconds that their times may deviate on the average; 0 is no bound. */
    max_jitter: z.int().min(0).max(10_000).default(0),
  }),
})
