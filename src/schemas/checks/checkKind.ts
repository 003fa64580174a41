import { z } from 'zod'
import { limits } from '../define/fields.ts'
import type { Values } from '../define/values.ts'
import { isHostName, isHostWithPort, isSocketAddress, isWebAddress } from '../formats/target.ts'

/** What a kind of check needs its service's target to be; `label`: any text, because nothing is called. */
export type TargetForm = 'url' | 'socket_url' | 'host' | 'host_port' | 'label'

/** A kind of check: its fields in the `check` of a service, and what the server and the form need to know of it. */
export interface CheckKind<Shape extends z.ZodRawShape = z.ZodRawShape> {
  schema: z.ZodObject<Shape>
  target: TargetForm
  /** The code of the type that clients see who do not know checks (docs/contract/CONTRACT.md#6-enumerations). */
  type: number
  /** The ways to the values that are secrets, `*` for each entry of an object or a list. */
  secrets: readonly (readonly string[])[]
  /** What a new one has in fields that have no default. */
  initial?: Values
}

/** What a kind says of itself; by default it has no secrets, and is a TCP port (3) for clients who do not know checks. */
type CheckDefinition<Shape extends z.ZodRawShape> = Omit<CheckKind<Shape>, 'type' | 'secrets'> &
  Partial<Pick<CheckKind, 'type' | 'secrets'>>

export const defineCheck = <Shape extends z.ZodRawShape>(kind: CheckDefinition<Shape>): CheckKind<Shape> => ({
  type: 3,
  secrets: [],
  ...kind,
})

const targetForms: Readonly<Record<TargetForm, { fits: (target: string) => boolean; key: string }>> = {
  url: { fits: isWebAddress, key: 'validation.url' },
  host: { fits: isHostName, key: 'validation.target_icmp' },
  host_port: { fits: isHostWithPort, key: 'validation.target_tcp' },
  label: { fits: () => true, key: 'validation.required' },
  socket_url: { fits: isSocketAddress, key: 'validation.socket_url' },
}

/** The key of what is wrong with a target; `undefined` for one that can be checked, and for none. */
export function targetFormProblem(form: TargetForm, target: string): string | undefined {
  const { fits, key } = targetForms[form]
  return target === '' || fits(target) ? undefined : key
}

/** Lengths and numbers in checks. */
export const checkLimits = {
  /** Characters of what is sent: a body, a query, bytes. */
  sent: 65_536,
  /** Characters of a text that is looked for. */
  expected: 4_096,
  /** Characters of a certificate, or of a chain of them. */
  certificate: 16_384,
  /** Entries of headers and expected values. */
  entries: 50,
} as const

const fits = (key: string, isGood: (text: string) => boolean) =>
  [(text: string) => text === '' || isGood(text), { params: { key } }] as const

/** A text that may be empty, and then asks for nothing. */
export const optionalText = (max: number) => z.string().max(max).default('')

/** A secret within a check: servers send it as an empty text, and keep what is stored where a save has that. */
export const innerSecret = (max: number = limits.secret) => z.string().max(max).default('')

/** A certificate or key in PEM. */
export const pem = () =>
  optionalText(checkLimits.certificate).refine(
    ...fits('validation.pem', (text) => /-----BEGIN [A-Z ]+-----/.test(text)),
  )

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/

/** Headers by name. */
export const headerMap = () =>
  z
    .record(
      z.string().max(limits.shortText).regex(headerName),
      z
        .string()
        .max(limits.secret)
        .refine(...fits('validation.header_value', (text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text))),
    )
    .refine((headers) => Object.keys(headers).length <= checkLimits.entries, {
      params: { key: 'validation.max_entries', max: checkLimits.entries },
    })
    .default({})
/** `host:port`, or nothing. */
export const optionalHostPort = () =>
  z
    .string()
    .trim()
    .max(limits.host)
    .refine(...fits('validation.target_tcp', isHostWithPort))
    .default('')
