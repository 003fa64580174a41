import type { IncomingHttpHeaders } from 'node:http'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import type { CheckRule } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import { parseJsonPath, valuesAt } from '../../../../src/schemas/formats/jsonPath.ts'
import { parseCodes } from '../../../../src/schemas/formats/statusCodes.ts'
import { guardedRequest } from '../../../outbound/guardedRequest.ts'
import type { OutboundRequest } from '../../../outbound/sendRequest.ts'
import { basicToken } from '../parts/redact.ts'
import type { Runner } from '../parts/runner.ts'
import { hasPattern, hasText } from '../parts/textSearch.ts'

type HttpCheck = CheckOf<'http'>

/** Bytes of an answer in which is looked for texts and values. */
const maxBodyBytes = 1024 * 1024
/** Bytes of an answer that is only shown when the check fails. */
const shownBytes = 4096

/** What browsers say that they take. */
const usualHeaders = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
}

const bodyTypes = {
  text: 'text/plain; charset=utf-8',
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
} as const satisfies Record<HttpCheck['body_type'], string>

/** Sends a request, and judges its answer. */
export const runHttp: Runner<'http'> = async (check, target, context) => {
  const { dial, signal, phases, peers, requests, userAgent } = context
  const { method, body, auth, proxy, http_version, ca } = check
  const reads = check.contains || check.absent || check.pattern || check.json.length > 0
  const { code, headers, ...reply } = await guardedRequest(
    {
      url: target,
      method,
      headers: () => ({ 'user-agent': userAgent, ...headersOf(check) }),
      verifyTls: check.verify_tls,
      ...(body && { body }),
    },
    {
      // `dial` knows which targets are allowed.
      allowPrivate: true,
      dial,
      ...(proxy && { proxy: new URL(proxy) }),
      signal,
      phases,
      peers,
      onRequest: (request) => void requests.push(textOf(request)),
      maxRedirects: check.max_redirects,
      maxBodyBytes: reads ? maxBodyBytes : shownBytes,
      ...(http_version !== 'auto' && { httpVersion: http_version }),
      tls: { ...(ca && { ca }), ...(auth?.kind === 'certificate' && { cert: auth.cert, key: auth.key }) },
    },
  )
  return {
    code,
    answer: reply.body,
    rules: [
      codeRule(check.codes, code),
      ...headerRules(check.answer_headers, headers),
      ...textRules(check, reply.body),
      ...judgeJson(check.json, reply.body),
    ],
  }
}

/** A request as people read it, without its body. */
const textOf = ({ method, url, headers }: OutboundRequest): string =>
  [`${method} ${url}`, ...Object.entries(headers()).map(([name, value]) => `${name}: ${value}`)].join('\n')

function headersOf({ headers, body, body_type, auth }: HttpCheck): Record<string, string> {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    ...usualHeaders,
    ...(body && { 'content-type': bodyTypes[body_type] }),
    ...(auth?.kind === 'basic' && { authorization: `Basic ${basicToken(auth)}` }),
    ...(auth?.kind === 'bearer' && { authorization: `Bearer ${auth.token}` }),
    ...given,
  }
}

const usualCodes = '200-399'

function codeRule(codes: string, code: number): CheckRule {
  const expected = codes.trim() || usualCodes
  const ok = (parseCodes(expected) ?? []).some(([from, to]) => code >= from && code <= to)
  return { rule: 'codes', ok, expected, found: String(code) }
}

function headerRules(expected: HttpCheck['answer_headers'], headers: IncomingHttpHeaders): CheckRule[] {
  return Object.entries(expected).map(([name, value]) => {
    const found = [headers[name.toLowerCase()] ?? []].flat().join(', ')
    const isThere = headers[name.toLowerCase()] !== undefined
    return {
      rule: 'answer_headers',
      ok: isThere && hasText(found.toLowerCase(), value.toLowerCase()),
      expected: value ? `${name}: ${value}` : name,
      ...(isThere && { found: found.slice(0, 200) }),
    }
  })
}

function textRules({ contains, absent, pattern }: HttpCheck, body: string): CheckRule[] {
  return [
    ...(contains ? [{ rule: 'contains', ok: hasText(body, contains), expected: contains }] : []),
    ...(absent ? [{ rule: 'absent', ok: !hasText(body, absent), expected: absent }] : []),
    ...(pattern ? [{ rule: 'pattern', ok: hasPattern(body, pattern), expected: pattern }] : []),
  ]
}

type JsonRule = CheckOf<'http'>['json'][number]

/** Judges rules about values in a JSON answer. */
export function judgeJson(rules: readonly JsonRule[], body: string): CheckRule[] {
  if (rules.length === 0) return []
  const parsed = parse(body)
  let left = maxCompared
  const mayCompare = (one: unknown) => {
    left -= 1 + (typeof one === 'string' ? one.length / charactersPerValue : 0)
    return left >= 0
  }
  return rules.map((rule) => {
    const expected = rule.op === 'exists' ? rule.path : `${rule.path} ${rule.op} ${valueText(rule.value)}`
    if (!parsed) return { rule: 'json', ok: false, expected }
    const values = valuesAt(parsed.value, parseJsonPath(rule.path) ?? [])
    const found = values.map(valueText).join(', ').slice(0, maxFound)
    return { rule: 'json', ok: isFulfilled(rule, values, mayCompare), expected, ...(values.length > 0 && { found }) }
  })
}

/** Characters of what was found. */
const maxFound = 200
/**
 * Values that all rules of a check are compared with, entries of lists included: an answer of 1 MiB may have half a
 * million. Beyond them a rule is not fulfilled.
 */
const maxCompared = 200_000
/** Characters of a text that cost as much as another value. */
const charactersPerValue = 64

function parse(body: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body.replace(/^\uFEFF/, ''))
    return { value }
  } catch {
    return undefined
  }
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Of several values one is enough; for `!=` all have to differ, and there has to be one. */
function isFulfilled(
  { op, value }: JsonRule,
  found: readonly unknown[],
  mayCompare: (one: unknown) => boolean,
): boolean {
  if (op === 'exists') return found.length > 0
  if (op === '!=') return found.length > 0 && found.every((one) => mayCompare(one) && !isEqual(one, value))
  return found.some((one) => {
    if (!mayCompare(one)) return false
    if (op === '==') return isEqual(one, value)
    if (op === 'contains') return contains(one, value, mayCompare)
    const [left, right] = [numberOf(one), numberOf(value)]
    return left !== undefined && right !== undefined && (op === '<' ? left < right : left > right)
  })
}

/** As numbers where both are: people type `1`, and an answer may have it as a number or as a text. */
function isEqual(one: unknown, other: unknown): boolean {
  const [left, right] = [numberOf(one), numberOf(other)]
  return left !== undefined && right !== undefined ? left === right : valueText(one) === valueText(other)
}

function contains(container: unknown, value: unknown, mayCompare: (one: unknown) => boolean): boolean {
  if (typeof container === 'string') return hasText(container, valueText(value))
  if (Array.isArray(container)) return container.some((one) => mayCompare(one) && isEqual(one, value))
  return typeof container === 'object' && container !== null && Object.hasOwn(container, valueText(value))
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
}
