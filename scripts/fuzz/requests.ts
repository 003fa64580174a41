import type { DescribedRoute } from '../../tests/support/server/routes/describedRoutes.ts'
import type { Random } from '../seed/random.ts'
import { fittingValue, type Json, spoiled, strangeText, strangeValue } from './values.ts'

export interface FuzzRequest {
  method: string
  /** From the first slash on, percent-encoded as far as the generator meant to. */
  path: string
  headers: Record<string, string>
  body?: string
  /** The described call that it is, when it is one. */
  route?: DescribedRoute
}

/**
 * What every request of a call has to hold, whatever else it is: without it the run would shut itself out, or send
 * messages to others.
 */
const pinned: Record<string, Json> = {
  'PATCH setting': { web_real_ip_header: 'NZ::Use-Peer-IP', user_template: 'user-dist' },
  'POST notification': { skip_check: true },
  'PATCH notification/{id}': { skip_check: true },
}

/** One request: usually a described call with a body that fits, nearly fits or does not; sometimes anything at all. */
export function nextRequest(random: Random, routes: readonly DescribedRoute[]): FuzzRequest {
  const route = routes[random.whole(routes.length)]
  if (!route || random.whole(100) < 12) return stray(random, route)
  const path = `${fillPath(random, route.path)}${random.whole(3) === 0 ? query(random) : ''}`
  const headers: Record<string, string> = random.whole(10) === 0 ? strangeHeaders(random) : {}
  const body = route.method === 'GET' ? undefined : bodyOf(random, route)
  return { method: route.method, path, headers, body, route }
}

function bodyOf(random: Random, { name, body: schema }: DescribedRoute): string | undefined {
  const fixed = pinned[name]
  const dice = random.whole(100)
  if (!fixed && dice < 5) return undefined
  if (!fixed && dice < 20) return brokenText(random)
  const fitting = schema ? fittingValue(random, schema) : {}
  const value = dice < 60 ? fitting : dice < 90 ? spoiled(random, fitting) : strangeValue(random)
  if (!fixed) return JSON.stringify(value)
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return JSON.stringify({ ...members, ...fixed })
}

/** Bytes: more than the sign-in takes, than most forms take, and than any form with long texts takes. */
const tooLarge = [5000, 300_000, 1_200_000] as const

/** What is no JSON, or JSON of an odd kind, or more than is read. */
function brokenText(random: Random): string {
  if (random.whole(10) === 0) return `"${'x'.repeat(random.oneOf(tooLarge))}"`
  const whole = JSON.stringify(strangeValue(random))
  return random.oneOf([
    whole.slice(0, random.whole(whole.length)),
    `${whole}${whole}`,
    '['.repeat(random.whole(3000)),
    '{"a":'.repeat(random.whole(1500)),
    `[${'1,'.repeat(random.whole(2000))}1]`,
    '{"id":1e999,"name":"\\ud800"}',
    '{"__proto__":{"role":0},"name":"x","name":5}',
    `"${'\\u0000'.repeat(random.whole(500))}"`,
    strangeText(random),
  ])
}

const fillPath = (random: Random, path: string) =>
  path.replace(/\{\w+\}/g, () =>
    random.whole(3) > 0
      ? String(random.whole(20))
      : encodeURIComponent(strangeText(random).toWellFormed().slice(0, 300)),
  )

function query(random: Random): string {
  const names = ['id', 'offset', 'limit', 'type', 'state', 'code', 'token', 'id[]', '__proto__', ''] as const
  const pairs = Array.from({ length: random.whole(4) + 1 }, () => {
    const value = random.whole(2) === 0 ? String(random.whole(2000) - 100) : strangeText(random).slice(0, 500)
    return `${random.oneOf(names)}=${encodeURIComponent(value.toWellFormed())}`
  })
  return `?${pairs.join('&')}`
}

function strangeHeaders(random: Random): Record<string, string> {
  // What a client cannot send is no test of the server.
  const text = strangeText(random)
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 2000)
  return random.oneOf<Record<string, string>>([
    { 'content-type': text || 'text/plain' },
    { accept: text },
    { cookie: `nz-jwt=${text}; nz-csrf=${text}; =;;` },
    { authorization: `Bearer ${text}` },
    { 'x-csrf-token': text },
    { origin: 'https://evil.example' },
    { 'x-forwarded-for': text, 'x-real-ip': text, forwarded: text },
    { range: 'bytes=0-18446744073709551615' },
    { 'if-none-match': text, 'accept-encoding': 'br;q=x' },
    { 'user-agent': text },
  ])
}

const places = [
  '/',
  '/dashboard',
  '/dashboard/',
  '/dashboard/assets/',
  '/dashboard/../server/main.ts',
  '/dashboard/..%2f..%2fpackage.json',
  '/dashboard/%00',
  '//',
  '/api',
  '/api/v1/',
  '/api/v1/openapi.json',
  '/api/v1/ws/server',
  '/api/v1/ws/terminal/x',
  '/api/v1/ws/file/x',
  '/api/v1/oauth2/callback',
  '/api/v1/%zz',
] as const satisfies readonly [string, ...string[]]

const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** A request that `openapi.json` does not describe. */
function stray(random: Random, route: DescribedRoute | undefined): FuzzRequest {
  const place = random.whole(2) === 0 && route ? fillPath(random, route.path) : random.oneOf(places)
  const slash = random.whole(4) === 0 ? '/' : ''
  const method = random.oneOf(verbs)
  const path = `${place}${slash}${random.whole(3) === 0 ? query(random) : ''}`
  // Wrong verbs are what this is about; the right ones need their pinned members.
  const isDescribed = route !== undefined && place !== route.path && pinned[`${method} ${route.name.split(' ')[1]}`]
  const body = method === 'GET' || method === 'HEAD' || isDescribed ? undefined : brokenText(random)
  return { method, path, headers: strangeHeaders(random), body }
}
